import CommandSyntax
import CupsPrinter
import Glibc
import KioskFlow
import KioskRuntime
import KioskScreens
import Reservations

/// The CUPS queue of a receipt printer: creates it, sets its paper size, and tests it.
struct PrinterSetup {
    let queue: String
    let device: String
    /// Millimetres across the roll, if the printer does not report it; nil if the width is unknown.
    let paper: Int?
    let server: String?

    /// Drivers of ESC/POS printers; the variable is for machines that are not installed.
    private static var drivers: String {
        getenv("CLUP_DRIVERS").map { String(cString: $0) } ?? "/usr/share/ppd/clup"
    }

    static let names = ["Receipt", "Receipt2"]

    /// Whether the queue exists, prints to this printer, and has the width of the roll if one is given.
    var isMade: Bool {
        guard PrinterSearch.device(of: queue, server: server) == device else { return false }
        guard let paper else { return true }
        let printer = CupsPrinter(queue: queue, server: server)
        return waiting { await printer.media() }.map { ($0.width + 50) / 100 == paper } ?? false
    }

    /// Throws the fault that a queue for this printer would have; answers the data that the printer reports.
    @discardableResult func check() throws -> FoundPrinter {
        let found =
            switch try PrinterKind(device: device) {
            case .driverless: try PrinterSearch.look(at: device)
            case .escpos: FoundPrinter(escpos: device)
            }
        guard found.takesTickets else {
            throw CommandError.failure(
                "\(found.name) at \(device) takes neither PDF nor raster, as tickets are sent: choose "
                    + "a printer that does (IPP Everywhere).")
        }
        guard Self.isRoll(found.roll) || paper != nil else {
            throw CommandError.failure(
                "\(found.name) at \(device) does not say how wide its roll is: measure it, and give "
                    + "printer-paper = 58 or 80.")
        }
        // This is checked before the queue is made: cupsd knows the sizes only some time after that.
        if let paper, try PrinterKind(device: device) == .driverless, !Self.isRoll(found.roll),
            !found.rolls.contains(paper)
        {
            let known = found.rolls.sorted().map { "\($0) mm" }.joined(separator: " and ")
            throw CommandError.failure(
                "\(found.name) at \(device) knows no roll of \(paper) mm (it knows "
                    + "\(known.isEmpty ? "neither 58 nor 80 mm" : known)): give the width that it knows, or "
                    + "choose the roll in the printer's own menu.")
        }
        return found
    }

    /// Makes the queue, or assigns this printer to the queue of that name; `say` is called with each step.
    func make(_ say: (String) -> Void) throws {
        let found = try check()
        switch try PrinterKind(device: device) {
        case .driverless:
            try administer(["-p", queue, "-E", "-v", device, "-m", "everywhere"])
            if !Self.isRoll(found.roll), let paper { try choose(paper) }
        case .escpos:
            let driver = "\(Self.drivers)/clup-escpos-\(paper ?? 80).ppd"
            guard access(driver, R_OK) == 0 else {
                throw CommandError.failure(
                    "The driver \(driver) is missing: install clup-kiosk again.")
            }
            // A ticket that cannot be printed now must not be printed later.
            try administer(
                ["-p", queue, "-E", "-v", device, "-P", driver, "-o"]
                    + ["printer-error-policy=abort-job"])
        }
        let printer = CupsPrinter(queue: queue, server: server)
        let fault = Self.asked {
            waiting { await Self.fault(of: printer) }
        } until: {
            $0 == nil
        }
        if let fault { throw CommandError.failure(fault.description) }
        guard let media = waiting({ await printer.media() }) else { return }
        say("\(queue): \(found.name), a roll \((media.width + 50) / 100) mm wide.")
    }

    /// Whether the server answers and has no queue of this name: cupsd stores a new one up to 30 seconds later
    /// (cupsd.conf(5), DirtyCleanInterval), and loses it if the power fails before that.
    static func isForgotten(_ queue: String, server: String?) -> Bool {
        let printer = CupsPrinter(queue: queue, server: server)
        return waiting { await fault(of: printer) }?.code == .queueUnknown
    }

    static func fault(of printer: CupsPrinter) async -> CupsPrinterError? {
        do throws(CupsPrinterError) {
            try await printer.selfCheck()
            return nil
        } catch { return error }
    }

    /// Sets the longest paper size of the queue that is as wide as the roll.
    private func choose(_ paper: Int) throws {
        let names = try Self.asked {
            try sizes()
        } until: {
            $0.contains(where: isFitting)
        }
        func isFitting(_ name: Substring) -> Bool {
            name.hasPrefix("\(paper)x") && name.hasSuffix("mm")
        }
        let fitting = names.filter(isFitting)
        func length(_ name: Substring) -> Double {
            Double(name.dropFirst("\(paper)x".count).dropLast(2)) ?? 0
        }
        guard let size = fitting.max(by: { length($0) < length($1) }) else {
            throw CommandError.failure(
                "The printer of the queue \(queue) knows no roll of \(paper) mm (it knows "
                    + "\(names.isEmpty ? "none" : names.joined(separator: ", "))): choose the roll in "
                    + "the printer's own menu.")
        }
        try administer(["-p", queue, "-o", "PageSize=\(size)"])
    }

    /// The sizes that the queue knows, by their names in its PPD.
    private func sizes() throws -> [Substring] {
        let options = try OtherProgram.ask(["lpoptions"] + host + ["-p", queue, "-l"]).said
        let sizes =
            options.split(separator: "\n").first { $0.hasPrefix("PageSize/") }?
            .split(separator: ":").last?.split(separator: " ") ?? []
        return sizes.map { $0.hasPrefix("*") ? $0.dropFirst() : $0 }
    }

    /// Asks until the answer is acceptable, for 20 seconds at most: cupsd asks the printer for its capabilities
    /// after it has answered lpadmin, and reports those of the former printer until then.
    private static func asked<Answer>(
        _ ask: () throws -> Answer, until isFinal: (Answer) -> Bool
    ) rethrows -> Answer {
        let end = ContinuousClock.now + .seconds(20)
        var answer = try ask()
        while !isFinal(answer), ContinuousClock.now < end {
            waiting { try? await Task.sleep(for: .milliseconds(200)) }
            answer = try ask()
        }
        return answer
    }

    /// Prints the same TEST page as maintenance mode, with this computer's time.
    ///
    /// - Parameter machine: the machine's name at the backend; nil before the pairing.
    static func test(
        _ queue: String, number: Int, server: String?, machine: MachineID?, wording: Strings,
        _ say: (String) -> Void
    ) throws {
        let printer = PrinterPair([queue], server: server, log: printError)
        let content = ReceiptStrings.test(
            machine: machine, printer: number, clock: localTime(), wording: wording)
        let end = waiting { () async -> PrintProgress? in
            if let trouble = await printer.condition().trouble { return .failed(trouble) }
            return await printer.outcome(of: content, title: "CLup TEST")
        }
        guard end != .printed else { return say("\(queue): a TEST paper is printed.") }
        let remedy =
            if case .failed(let trouble, _) = end { trouble.remedy } else { "look at the printer." }
        throw CommandError.failure("The TEST paper did not come out of \(queue): \(remedy)")
    }

    private static func localTime() -> LocalMoment {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        return LocalMoment(
            Moment(milliseconds: Int64(now) * 1_000), offsetMinutes: parts.tm_gmtoff / 60)
    }

    static func isRoll(_ width: Int?) -> Bool {
        // The range is from the narrowest roll's width without margins to a little more than the widest roll's.
        width.map { (48...83).contains($0) } ?? false
    }

    private var host: [String] { server.map { ["-h", $0] } ?? [] }

    private func administer(_ words: [String]) throws {
        let result = try OtherProgram.ask(["lpadmin"] + host + words)
        guard result.status == 0 else {
            let said = result.said.split(separator: "\n").last.map(String.init) ?? "no reason given"
            throw CommandError.failure(
                "CUPS does not make the queue \(queue) (\(said)). Does cupsd run (systemctl start "
                    + "cups), and are you root or in the group lpadmin?")
        }
    }
}
