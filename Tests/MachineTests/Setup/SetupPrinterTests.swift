import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A printer set up by one command")
struct SetupPrinterTests {
    @Test("Setup makes its queue, writes it down and prints a TEST receipt; a second one too")
    func one() async throws {
        try await DemoPrinter.with(roll: 58) { printer in
            let bench = try Bench(cups: printer.server)
            let address = printer.description.printer
            let first = try await bench.setup("printer", address, "--queue", "Till")
            #expect(first.status == 0, "\(first.errors)")
            #expect(first.output.contains("Till: CLup Demo Receipt Printer, a roll 58 mm wide."))
            #expect(first.output.contains("Till: a TEST paper is printed."))
            #expect(try bench.configuration().contains("printer = Till\n"))
            let papers = try printer.papers()
            #expect(papers.count == 1)
            let text = try await Tool.succeed("pdftotext", ["-layout", papers[0], "-"])
            #expect(text.contains("TEST") && text.contains("Not a ticket"))
            // The machine is not paired: it has no name, but it has a clock.
            #expect(!text.contains("Machine") && text.contains(/Time\s+\d{1,2}:\d{2}/))
            let size = try await Tool.succeed("pdfinfo", [papers[0]])
            // 58 mm are 164.4 points.
            #expect(size.contains("Page size:       164"))

            let same = try await bench.setup("printer", address, "--second", "--queue", "Till")
            #expect(same.status == 64 && same.errors.contains("the other printer's queue"))
            let second = try await bench.setup("printer", address, "--second", "--no-test")
            #expect(second.status == 0 && second.output.contains("Receipt2: CLup Demo"))
            #expect(try bench.configuration().contains("printer2 = Receipt2\n"))
            #expect(try printer.papers().count == 1)

            try await printer.set(.empty)
            let empty = try await bench.setup("printer", address)
            #expect(empty.status == 1 && empty.errors.contains("put in a new roll"))
        }
    }

    @Test("If a printer does not report its roll's width, setup asks for 58 or 80 mm")
    func silent() async throws {
        try await DemoPrinter.with { printer in
            let bench = try Bench(cups: printer.server)
            try await SilentPrinter.with(beside: printer) { address in
                let untold = try await bench.setup("printer", address)
                #expect(untold.status == 1 && untold.errors.contains("how wide its roll is"))
                #expect(!(try bench.configuration()).contains("printer ="))
                let reported = try await bench.setup("printer", address, "--paper", "58")
                #expect(reported.status == 0, "\(reported.errors)")
                #expect(reported.output.contains("a roll 58 mm wide"))
                let paper = try #require(try printer.papers().last)
                let size = try await Tool.succeed("pdfinfo", [paper])
                #expect(size.contains("Page size:       164"), "\(size)")
            }
        }
    }

    @Test("Without IPP, setup asks for the roll, installs our driver and cuts a TEST receipt")
    func escpos() async throws {
        try await DemoPrinter.with(options: ["--backend", DemoPrinter.escposBackend]) { printer in
            let bench = try Bench(cups: printer.server)
            let emulator = try EscposEmulator(roll: 58)
            let untold = try await bench.setup("printer", emulator.uri)
            #expect(untold.status == 1 && untold.errors.contains("how wide its roll is"))
            let reported = try await bench.setup("printer", emulator.uri, "--paper", "58")
            #expect(reported.status == 0, "\(reported.errors)")
            #expect(
                reported.output.contains("Receipt: ESC/POS receipt printer, a roll 58 mm wide."))
            #expect(emulator.papers.count == 1 && emulator.violations == [])
            emulator.set(.coverOpen)
            let open = try await bench.setup("printer", emulator.uri, "--paper", "58")
            #expect(open.status == 1 && open.errors.contains("the cover is open: close it"))
            let raw = try await bench.setup("printer", "socket://127.0.0.1:9100")
            #expect(raw.status == 64 && raw.errors.contains("escpos://HOST"))
        }
    }

    @Test("A roll that the printer does not support is refused at once, and no queue is made")
    func unknownRoll() async throws {
        try await DemoPrinter.with { printer in
            let bench = try Bench(cups: printer.server)
            try await SilentPrinter.with(rolls: [80], beside: printer) { address in
                let begin = ContinuousClock.now
                let refused = try await bench.setup(
                    "printer", address, "--queue", "Till", "--paper", "58")
                #expect(ContinuousClock.now - begin < .seconds(15))
                #expect(
                    refused.status == 1
                        && refused.errors.contains("knows no roll of 58 mm (it knows 80 mm)"),
                    "\(refused.errors)")
                let queues = try await Tool.run(
                    "lpstat", ["-h", printer.server, "-p", "Till"])
                #expect(queues.status != 0)
                #expect(!(try bench.configuration()).contains("printer ="))
            }
        }
    }

    @Test("A queue lost because cupsd was killed is reported by doctor and made again")
    func forgotten() async throws {
        try await DemoPrinter.with { printer in
            let bench = try Bench(cups: printer.server)
            let address = printer.description.printer
            let made = try await bench.setup(
                "printer", address, "--queue", "Till", "--no-test")
            #expect(made.status == 0, "\(made.errors)")
            #expect(try bench.configuration().contains("printer-device = \(address)\n"))
            let old = printer.description.pids.cupsd
            let words = try String(contentsOfFile: "/proc/\(old)/cmdline", encoding: .utf8)
                .split(separator: "\0").map(String.init)
            let surroundings = try String(contentsOfFile: "/proc/\(old)/environ", encoding: .utf8)
                .split(separator: "\0").map(String.init)
            // The status is 0 in any case (lpstat(1)).
            func scheduler(_ words: String) async throws -> Bool {
                try await eventually {
                    try await Tool.run("lpstat", ["-h", printer.server, "-r"]).output
                        .contains(words)
                }
            }
            kill(old, SIGKILL)
            #expect(try await scheduler("not running"))
            let cupsd = try Tool.start(
                "env", ["-i"] + surroundings + words, errors: bench.file("run-cupsd"))
            try await ending(cupsd, by: { await $0.stop() }) { _ in
                #expect(try await scheduler("is running"))
                let doctor = try await bench.doctor()
                #expect(
                    doctor.output.contains("CUPS has lost the queue Till of \(address)"),
                    "\(doctor.output)")
                let again = try await bench.setup("printer", "--no-test")
                #expect(again.status == 0, "\(again.errors)")
                #expect(try await bench.doctor().output.contains("ok printer: Till"))
            }
        }
    }

    @Test("Doctor checks only the terminal that the machine serves in")
    func terminal() async throws {
        let bench = try Bench(cups: "127.0.0.1:9")
        let own = try await bench.doctor(["TERM": "dumb"])
        #expect(own.output.contains("weak terminal"))
        let installed = try await bench.doctor(["TERM": "dumb", "CLUP_KIOSK_SESSION": "/bin/sh"])
        #expect(installed.output.contains("ok terminal: the session brings its own"))
        let inside = try await bench.doctor([
            "TERM": "dumb", "CLUP_KIOSK_SESSION": "/bin/sh", "CLUP_SESSION": "yes",
        ])
        #expect(inside.output.contains("weak terminal"))
    }

    @Test("No address, a wrong one, no server: a sentence says what to do, and nothing is written")
    func wrong() async throws {
        let bench = try Bench(cups: "127.0.0.1:9")
        let before = try bench.everything()
        let none = try await bench.setup("printer")
        #expect(none.status == 64 && none.errors.contains("--list"))
        let nowhere = try await bench.setup("printer", "ipp://127.0.0.1:9/ipp/print")
        #expect(nowhere.status == 1 && nowhere.errors.contains("answers as an IPP printer"))
        let list = try await Tool.run(Programs.kiosk, ["setup", "printer", "--list"])
        #expect(list.status == 1 && list.errors.contains("avahi-daemon"))
        try await DemoPrinter.with { printer in
            let serverless = try await bench.setup("printer", printer.description.printer)
            #expect(serverless.status == 1 && serverless.errors.contains("Does cupsd run"))
        }
        #expect(try bench.everything() == before)
    }
}

/// An IPP printer that supports both rolls and does not report which one is in it.
private enum SilentPrinter {
    static func with(
        rolls: [Int] = [58, 80], beside printer: DemoPrinter, _ body: (String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let directory = URL(filePath: printer.description.paper).deletingLastPathComponent().path
        let files = Tool.repository.appending(path: "Kiosk/demo-printer.d").path
        let port = try ReservedPort()
        let address = "ipp://localhost:\(port.number)/ipp/print"
        func size(_ width: String, _ length: String) -> String {
            let kind = width.contains("-") ? "rangeOfInteger" : "integer"
            return "{ MEMBER \(kind) x-dimension \(width) MEMBER \(kind) y-dimension \(length) }"
        }
        let names = rolls.map { "om_roll\($0)_\($0)x200mm" }.joined(separator: ",")
        let sizes = rolls.map { size("\($0)00", "20000") }.joined(separator: ",")
        let attributes = """
            ATTR textWithoutLanguage printer-make-and-model "Silent Printer"
            ATTR mimeMediaType document-format-default application/octet-stream
            ATTR mimeMediaType document-format-supported application/octet-stream,application/pdf,image/pwg-raster,image/urf
            ATTR keyword media-supported \(names),custom_min_40x40mm,custom_max_80x500mm
            ATTR collection media-size-supported \(sizes),\(size("4000-8000", "4000-50000"))
            ATTR keyword media-col-supported media-size
            ATTR boolean color-supported false
            ATTR resolution printer-resolution-default 203dpi
            ATTR resolution pwg-raster-document-resolution-supported 203dpi
            ATTR keyword pwg-raster-document-type-supported black_1,sgray_8
            ATTR keyword urf-supported V1.4,CP1,W8,RS203,DM1

            """
        let configuration = try folder.write(attributes.utf8, to: "silent.conf")
        let process = try Tool.start(
            "env",
            [
                "-i", "PATH=/usr/sbin:/usr/bin:/bin", "LANG=C", "DEMO_PRINTER_DIR=\(directory)",
                "DEMO_PRINTER_FILES=\(files)", "DEMO_PRINTER_URI=\(address)",
                "DBUS_SYSTEM_BUS_ADDRESS=unix:path=\(directory)/printer/bus", "ippeveprinter",
                "-r", "off", "-n", "localhost", "-p", "\(port.number)", "-d", folder.path, "-a",
                configuration, "-c", "\(files)/put-out-paper", "Silent",
            ], errors: folder.file("log"))
        #expect(await eventually { LoopbackWire.isListening(on: port.number) }, "no listener")
        try await ending(process, by: { await $0.stop() }) { _ in try await body(address) }
    }
}
