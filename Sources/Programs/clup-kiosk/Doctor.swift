import BackendClient
import CodeReader
import CupsPrinter
import CursesTerminal
import Dispatch
import Glibc
import KioskFlow
import KioskScreens
import KeyFile
import TerminalSurface

/// `doctor`: looks at everything the machine needs; a line each, and the cure where something is wrong.
enum Doctor {
    private enum Finding {
        case good(String)
        /// The machine serves, but not as it should.
        case weak(String)
        case wrong(String)
    }

    /// Answers 0, or 1 where the machine cannot serve.
    @MainActor
    static func run(_ configuration: Configuration) -> Int32 {
        var isWrong = false
        func report(_ part: String, _ finding: Finding) {
            let (mark, text) =
                switch finding {
                case .good(let text): ("ok   ", text)
                case .weak(let text): ("weak ", text)
                case .wrong(let text): ("WRONG", text)
                }
            if case .wrong = finding { isWrong = true }
            print(PlainText.clean("\(mark) \(part): \(text)", limit: 1_000))
        }
        report("terminal", terminal())
        do {
            let machine = try Machine(configuration)
            report("catalogues", .good(machine.languages.joined(separator: ", ")))
            report("speech", speech(configuration, machine))
            report("key", .good(machine.key.publicKey.fingerprint))
            report("backend key", backendKey(machine))
            for address in machine.servers.addresses {
                report("backend", backend(machine, at: address))
            }
        } catch {
            report("configuration", .wrong("\(error)"))
        }
        do {
            let queues = try configuration.printerQueues
            if queues.isEmpty {
                report("printer", .weak("none is configured: codes are shown on the screen only."))
            }
            for (part, queue) in zip(["printer", "printer2"], queues) {
                report(part, printer(queue, server: configuration.cupsServer))
            }
        } catch {
            report("printer2", .wrong("\(error)"))
        }
        report("reader", reader(configuration))
        return isWrong ? 1 : 0
    }

    private static func speech(_ configuration: Configuration, _ machine: Machine) -> Finding {
        if machine.voice != nil {
            return .good("espeak-ng; whether it is heard, only an ear can tell")
        }
        return configuration.wantsSpeech
            ? .weak("espeak-ng is not installed (apt-get install espeak-ng): no ear is offered.")
            : .good("off, as configured")
    }

    @MainActor
    private static func terminal() -> Finding {
        do {
            let size = try CursesTerminal.inspect()
            return size.holds(Screens.smallest)
                ? .good("\(size.columns) x \(size.rows)")
                : .wrong(
                    "\(size.columns) x \(size.rows) is too small: the machine needs "
                        + "\(Screens.smallest.columns) x \(Screens.smallest.rows).")
        } catch {
            return .weak("\(error)")
        }
    }

    private static func backend(
        _ machine: Machine, at address: BackendAddress
    ) -> Finding {
        let result = wait { await machine.backendClient().probe(address) }
        switch result {
        case .unreachable:
            return .wrong(
                "\(address) does not answer. Is it running, is the address right, does "
                    + "the network reach it?")
        case .notABackend(let status):
            return .wrong(
                "\(address) answers with status \(status), but not as a CLup backend.")
        case .foreign(let status):
            return .wrong(
                "\(address) answers with status \(status), but not with the signature of "
                    + "the backend whose key is pinned: is it another backend, or something between? "
                    + "If the backend's key was made anew, pin it with --backend-key.")
        case .notAuthentic(let clockOffset):
            if let offset = clockOffset, abs(offset) > 60 {
                return .wrong(clockSentence(offset))
            }
            return .wrong(
                "the backend does not accept this machine's key: add it there with "
                    + "\"clup-backend machine add ... --key \(machine.key.publicKey.text)\". If it "
                    + "was added a second ago, ask again. If it was revoked, remove the machine's "
                    + "state directory and enrol anew.")
        case .good(let shop, let machine, let latency, let clockOffset):
            let found = "\(shop), machine \(machine), \(latency.wholeMilliseconds) ms"
            // Its own clock is what screens and logs go by.
            return abs(clockOffset) > 60
                ? .weak("\(found); \(Self.clockSentence(clockOffset))") : .good(found)
        }
    }

    private static func clockSentence(_ offset: Int) -> String {
        "the clock of this machine is \(abs(offset)) s "
            + (offset < 0 ? "ahead of" : "behind")
            + " the backend's: set it (timedatectl set-ntp true)."
    }

    private static func backendKey(_ machine: Machine) -> Finding {
        machine.backendKey.map { .good($0.fingerprint) }
            ?? .weak(
                "none is pinned, so that anybody's answers are believed: give --backend-key with "
                    + "what \"clup-backend key\" prints at the backend.")
    }

    @MainActor
    private static func reader(_ configuration: Configuration) -> Finding {
        guard let path = configuration.reader else {
            return .good("none is configured: one that types like a keyboard is understood.")
        }
        return DeviceReader.fault(of: path).map {
            .weak("\(path): \($0). Is it plugged in, and may this user read it?")
        } ?? .good(path)
    }

    private static func printer(_ queue: String, server: String?) -> Finding {
        // What is set up wrongly first: a queue that is not there looks, later, like one that is away.
        let printer = CupsPrinter(queue: queue, server: server)
        let fault = wait { () async -> CupsPrinterError? in
            do throws(CupsPrinterError) {
                try await printer.selfCheck()
                return nil
            } catch {
                return error
            }
        }
        if let fault { return .weak(fault.description) }
        let port = printer.port
        let condition = wait { await port.condition() }
        if let trouble = condition.trouble {
            return .weak("\(queue): \(trouble.cure)")
        }
        return condition.paperLow ? .weak("\(queue): the paper is nearly out.") : .good(queue)
    }

    /// The one place where the program waits, of commands that have nothing else to do.
    static func wait<Result: Sendable>(
        _ body: @escaping @Sendable () async -> Result
    ) -> Result {
        let done = DispatchSemaphore(value: 0)
        let box = Box<Result>()
        Task.detached {
            box.value = await body()
            done.signal()
        }
        done.wait()
        guard let value = box.value else { fatalError("the task has signalled without a result") }
        return value
    }

    /// Written before the semaphore is signalled, read after.
    private final class Box<Value>: @unchecked Sendable { var value: Value? }
}

extension PrinterTrouble {
    /// What staff does about it.
    fileprivate var cure: String {
        switch self {
        case .noPaper: "there is no paper: put in a new roll."
        case .jam: "the paper is jammed: open the printer and take it out."
        case .coverOpen: "the cover is open: close it."
        case .offline:
            "the printer cannot be reached: is it on, is its cable in, is CUPS running, "
                + "is the queue's name right?"
        case .stopped: "the queue is stopped: run cupsenable and cupsaccept."
        case .other: "the printer reports an error: look at its own display."
        case .silent: "the printer does not answer."
        }
    }
}
