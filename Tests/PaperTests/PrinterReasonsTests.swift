import Dispatch
import KioskFlow
import KioskRuntime
import TestSupport
import Testing

@testable import CupsPrinter

@Suite("What printers report") struct PrinterReasonsTests {
    @Test("Known keywords have one meaning", arguments: ["", "-error", "-warning", "-report"])
    func known(severity: String) {
        let meanings: [(String, PrinterTrouble)] = [
            ("media-empty", .noPaper), ("media-needed", .noPaper), ("media-jam", .jam),
            ("cover-open", .coverOpen), ("door-open", .coverOpen), ("offline", .offline),
            ("paused", .stopped),
        ]
        for (keyword, trouble) in meanings {
            #expect(PrinterReasons([keyword + severity]).trouble == trouble, "\(keyword)")
        }
    }

    @Test("Keywords for low paper and toner do not stop a ticket [fault 47]")
    func goesOn() {
        for keyword in [
            "none", "media-low", "media-low-warning", "media-low-error",
            "marker-supply-low-warning",
            "marker-supply-empty-error", "connecting-to-device", "cups-waiting-for-job-completed",
            "cups-ipp-conformance-failure-report", "something-new-warning", "something-new-report",
        ] {
            #expect(PrinterReasons([keyword]).trouble == nil, "\(keyword)")
        }
        #expect(PrinterReasons(["none", "media-low-report"]).paperLow)
        #expect(!PrinterReasons(["marker-supply-low"]).paperLow)
    }

    @Test("An unknown keyword is an error unless its severity is lower [fault 47]")
    func unknown() {
        #expect(PrinterReasons(["cutter-blade-gone"]).trouble == .other)
        #expect(PrinterReasons(["cutter-blade-gone-error"]).trouble == .other)
        #expect(PrinterReasons(["spool-area-full"]).trouble == .other)
    }

    @Test("Of several reasons the one that a person sees first is reported")
    func order() {
        #expect(
            PrinterReasons(["media-empty-error", "unknown-error", "cover-open-error"]).trouble
                == .coverOpen)
        #expect(PrinterReasons([]).trouble == nil)
    }
}

@Suite("The way of a print job, as a value") struct PrintJobWatchTests {
    @Test("A completed job counts as printed, unless the printer reports that it aborted the job")
    func printed() {
        var watch = PrintJobWatch()
        #expect(watch.jobReported(.init(state: .waiting), at: .seconds(0.1)) == [])
        #expect(watch.jobReported(.init(state: .processing), at: .seconds(0.5)) == [])
        #expect(watch.jobReported(.init(state: .completed), at: .seconds(1)) == [.confirm])
        #expect(watch.confirmed(by: nil) == [.report(.printed), .end])
        #expect(watch.confirmed(by: .completed) == [.report(.printed), .end])
        #expect(watch.confirmed(by: .cancelled) == [.report(.failed(.other)), .end])
    }

    @Test("A completed job does not count if the printer did not take the document")
    func swallowed() {
        var watch = PrintJobWatch()
        let report = JobReport(
            state: .completed, message: "Unable to add document to print job.")
        #expect(watch.jobReported(report, at: .seconds(1)) == [.report(.failed(.other)), .end])
        let errors = JobReport(state: .completed, reasons: ["job-completed-with-errors"])
        #expect(watch.jobReported(errors, at: .seconds(1)) == [.report(.failed(.other)), .end])
    }

    @Test("Trouble is reported once, at once; it is the outcome of the job, cancelled after 8 s")
    func troubled() {
        var watch = PrintJobWatch()
        #expect(
            watch.printerReported(.noPaper, at: .seconds(0.3)) == [.report(.troubled(.noPaper))])
        #expect(watch.printerReported(.noPaper, at: .seconds(0.6)) == [])
        #expect(
            watch.printerReported(.coverOpen, at: .seconds(2)) == [.report(.troubled(.coverOpen))])
        #expect(watch.jobReported(.init(state: .processing), at: .seconds(7.99)) == [])
        #expect(watch.timePassed(to: .seconds(8)) == [.cancel])
        #expect(watch.cancelled(.certain) == [.report(.failed(.coverOpen)), .end])
        #expect(
            watch.cancelled(.uncertain)
                == [.report(.failed(.coverOpen, mayComeOut: true)), .end])
        #expect(watch.cancelled(.tooLate) == [.confirm])
    }

    @Test("If there is another printer, the first trouble ends the job")
    func hopeless() {
        var watch = PrintJobWatch(.untilTrouble)
        #expect(watch.jobReported(.init(state: .processing), at: .seconds(0.3)) == [])
        #expect(
            watch.printerReported(.jam, at: .seconds(0.6)) == [.report(.troubled(.jam)), .cancel])
        #expect(watch.cancelled(.certain) == [.report(.failed(.jam)), .end])
    }

    @Test("If the customer leaves, a job in trouble ends and a job without trouble continues")
    func left() {
        var watch = PrintJobWatch()
        #expect(watch.printerReported(.noPaper, at: .seconds(1)) == [.report(.troubled(.noPaper))])
        watch.timeout = .untilTrouble
        #expect(watch.jobReported(.init(state: .processing), at: .seconds(2)) == [.cancel])
        #expect(watch.cancelled(.certain) == [.report(.failed(.noPaper)), .end])
        var well = PrintJobWatch()
        #expect(well.printerReported(.noPaper, at: .seconds(1)) == [.report(.troubled(.noPaper))])
        // The staff has put in a roll, so the printing continues.
        #expect(well.printerReported(nil, at: .seconds(2)) == [])
        well.timeout = .untilTrouble
        #expect(well.jobReported(.init(state: .processing), at: .seconds(3)) == [])
        #expect(well.printerReported(.jam, at: .seconds(4)) == [.report(.troubled(.jam)), .cancel])
    }

    @Test("Five seconds without progress count as silence; a page or a new state is progress")
    func silence() {
        var watch = PrintJobWatch()
        _ = watch.jobReported(.init(state: .processing), at: .seconds(1))
        #expect(watch.jobReported(.init(state: .processing), at: .seconds(5.9)) == [])
        #expect(
            watch.jobReported(.init(state: .processing), at: .seconds(6))
                == [.report(.troubled(.silent))])
        var other = PrintJobWatch()
        _ = other.jobReported(.init(state: .processing), at: .seconds(1))
        _ = other.jobReported(.init(state: .processing, impressions: 1), at: .seconds(4))
        #expect(other.jobReported(.init(state: .processing, impressions: 1), at: .seconds(7)) == [])
        #expect(other.timePassed(to: .seconds(8)) == [.cancel])
    }

    @Test("A queue that stops answering counts as offline until it answers")
    func unreachable() {
        var watch = PrintJobWatch()
        #expect(watch.queueUnreachable(at: .seconds(1)) == [.report(.troubled(.offline))])
        _ = watch.jobReported(.init(state: .processing), at: .seconds(2))
        #expect(watch.timePassed(to: .seconds(6.9)) == [])
        #expect(watch.timePassed(to: .seconds(7)) == [.report(.troubled(.silent))])
    }

    @Test("A job that another program cancelled has failed; a job whose customer left is cancelled")
    func cancelled() {
        var watch = PrintJobWatch()
        #expect(watch.abandoned() == [.cancel])
        #expect(
            watch.jobReported(.init(state: .cancelled), at: .seconds(1))
                == [.report(.failed(.other)), .end])
    }
}

@Suite("Blocking calls with a time limit") struct BoundedWorkerTests {
    @Test("A hanging call delays its caller by the limit only, and its late result is kept")
    func overrun() async {
        let worker = BoundedWorker(label: "test", maxQueuedCalls: PrintQueue.maxQueuedCalls)
        let (values, source) = AsyncStream.makeStream(of: Int.self)
        let gate = DispatchSemaphore(value: 0)
        let first = await worker.run(
            within: .milliseconds(50), late: { (value: Int) in source.yield(value) },
            {
                gate.wait()
                return 1
            })
        #expect(first == nil)
        let skipped = await worker.run(within: .milliseconds(10)) { 2 }
        #expect(skipped == nil)
        gate.signal()
        var iterator = values.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        #expect(await worker.run(within: .seconds(5)) { 3 } == 3)
    }

    @Test("Callers behind a hanging call are refused in the end instead of piling up")
    func pile() async {
        let worker = BoundedWorker(label: "test", maxQueuedCalls: PrintQueue.maxQueuedCalls)
        let gate = DispatchSemaphore(value: 0)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        async let hung = worker.run(within: .milliseconds(300)) {
            begin.yield()
            gate.wait()
            return 0
        }
        var beginnings = begun.makeAsyncIterator()
        await beginnings.next()
        let ran = await withTaskGroup(of: Int?.self) { group in
            for index in 1...200 {
                group.addTask { await worker.run(within: .milliseconds(300)) { index } }
            }
            return await group.reduce(into: 0) { count, value in count += value == nil ? 0 : 1 }
        }
        #expect(await hung == nil)
        gate.signal()
        #expect(ran == 0)
        #expect(
            await eventually {
                await worker.run(within: .seconds(5)) { 3 } == 3
            })
    }
}
