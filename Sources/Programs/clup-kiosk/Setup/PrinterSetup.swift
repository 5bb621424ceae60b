import CupsPrinter
import Glibc
import KioskFlow
import KioskRuntime
import KioskScreens
import Reservations
import TicketPaper

/// The CUPS queue of a receipt printer: made, given its paper, and tried.
struct PrinterSetup {
    /// The queue's name.
    let queue: String
    /// Where the printer is.
    let device: String
    /// Millimetres across the roll, where the printer does not say; nil while nobody has told.
    let paper: Int?
    /// The CUPS server; nil for the system's.
    let server: String?

    /// The names of the first and the second queue, where nobody wants others.
    static let names = ["Receipt", "Receipt2"]

    /// Whether the queue is there, prints to this printer, and knows the roll where one is told.
    var isMade: Bool {
        guard PrinterSearch.device(of: queue, server: server) == device else { return false }
        guard let paper else { return true }
        let printer = CupsPrinter(queue: queue, server: server)
        return Doctor.wait { await printer.media() }.map { ($0.width + 50) / 100 == paper } ?? false
    }

    /// Throws what a queue for this printer would lack; answers what the printer tells of itself.
    @discardableResult
    func check() throws -> FoundPrinter {
        guard try PrinterKind(device: device) == .driverless else {
            throw Failure(
                "\(device) has no IPP, so that CUPS needs a driver for it: make the queue with "
                    + "lpadmin(8), and give its name as \"printer\".")
        }
        let found = try PrinterSearch.look(at: device).get()
        guard found.takesPDF else {
            throw Failure(
                "\(found.name) at \(device) does not take PDF, as tickets are sent: choose a printer "
                    + "that does (IPP Everywhere with application/pdf).")
        }
        guard Self.isRoll(found.roll) || paper != nil else {
            throw Failure(
                "\(found.name) at \(device) does not say how wide its roll is: measure it, and give "
                    + "printer-paper = 58 or 80.")
        }
        return found
    }

    /// Makes the queue, or gives the one of that name this printer; `say` is told what was done.
    func make(_ say: (String) -> Void) throws {
        let found = try check()
        try administer(["-p", queue, "-E", "-v", device, "-m", "everywhere"])
        if !Self.isRoll(found.roll), let paper { try choose(paper) }
        let printer = CupsPrinter(queue: queue, server: server)
        // cupsd asks the printer what it can do after it has answered lpadmin.
        let end = ContinuousClock.now + .seconds(20)
        var fault: CupsPrinterError?
        repeat {
            fault = Doctor.wait { await Self.fault(of: printer) }
            if fault != nil { Doctor.wait { try? await Task.sleep(for: .milliseconds(200)) } }
        } while fault != nil && ContinuousClock.now < end
        if let fault { throw Failure(fault.description) }
        guard let media = Doctor.wait({ await printer.media() }) else { return }
        say("\(queue): \(found.name), a roll \((media.width + 50) / 100) mm wide.")
    }

    private static func fault(of printer: CupsPrinter) async -> CupsPrinterError? {
        do throws(CupsPrinterError) {
            try await printer.selfCheck()
            return nil
        } catch {
            return error
        }
    }

    /// Gives the queue the longest of its sizes that is as wide as the roll.
    private func choose(_ paper: Int) throws {
        let options = try OtherProgram.ask(["lpoptions"] + host + ["-p", queue, "-l"]).said
        let sizes =
            options.split(separator: "\n").first { $0.hasPrefix("PageSize/") }?
            .split(separator: ":").last?.split(separator: " ") ?? []
        let names = sizes.map { $0.hasPrefix("*") ? $0.dropFirst() : $0 }
        let fitting = names.filter { $0.hasPrefix("\(paper)x") && $0.hasSuffix("mm") }
        func length(_ name: Substring) -> Double {
            Double(name.dropFirst("\(paper)x".count).dropLast(2)) ?? 0
        }
        guard let size = fitting.max(by: { length($0) < length($1) }) else {
            throw Failure(
                "The printer of the queue \(queue) knows no roll of \(paper) mm (it knows "
                    + "\(names.isEmpty ? "none" : names.joined(separator: ", "))): choose the roll in "
                    + "the printer's own menu.")
        }
        try administer(["-p", queue, "-o", "PageSize=\(size)"])
    }

    /// Prints the TEST paper that maintenance mode prints too.
    static func test(_ queue: String, number: Int, server: String?, wording: Wording) throws {
        let port = Machine.printer([queue], server: server) { Say.error($0) }
        let content = PaperWording.test(
            machine: MachineID(""), printer: number, clock: nil, wording: wording)
        let end = Doctor.wait { () async -> PrintProgress? in
            if let trouble = await port.condition().trouble { return .failed(trouble) }
            var last: PrintProgress?
            let page: PrinterPort.Page = { try? TicketPaper.page(content, on: $0) }
            for await step in port.print(page, "CLup TEST", .full) { last = step }
            return last
        }
        switch end {
        case .printed: return
        case .failed(let trouble, _):
            throw Failure("The TEST paper did not come out of \(queue): \(trouble.cure)")
        default:
            throw Failure("The TEST paper did not come out of \(queue): look at the printer.")
        }
    }

    static func isRoll(_ width: Int?) -> Bool {
        // Between the margins of the narrowest and a little more than the widest roll.
        width.map { (48...83).contains($0) } ?? false
    }

    private var host: [String] { server.map { ["-h", $0] } ?? [] }

    private func administer(_ words: [String]) throws {
        let result = try OtherProgram.ask(["lpadmin"] + host + words)
        guard result.status == 0 else {
            let said = result.said.split(separator: "\n").last.map(String.init) ?? "no reason given"
            throw Failure(
                "CUPS does not make the queue \(queue) (\(said)). Does cupsd run (systemctl start "
                    + "cups), and are you root or in the group lpadmin?")
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}
