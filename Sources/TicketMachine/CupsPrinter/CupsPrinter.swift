internal import KioskFlow
public import KioskRuntime
public import KioskScreens

/// Why a configured queue cannot print tickets, for whoever sets the machine up.
public struct CupsPrinterError: Error, Hashable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        case serverUnreachable, queueUnknown, mediaUnknown, formatNotTaken, queueRefuses
    }

    public let code: Code
    /// What is wrong and what to do, naming queue and server.
    public let description: String
    /// The library's own words.
    public let detail: String
}

/// The receipt printer behind a queue of CUPS.
///
/// libcups is called on two serial queues of our own, one for the server and one for the printer;
/// each question has its own connection and its own time limit, so that neither a hung cupsd nor
/// an unplugged printer holds up a caller or gathers threads.
public struct CupsPrinter: Sendable {
    private let queue: PrintQueue

    /// For one answer: with two of them, one after the other, `condition` stays under 3 s.
    private static let answer = Duration.milliseconds(1_400)

    /// Nothing is asked yet. `server` is `host:port` or the path of a socket; nil leaves the choice
    /// to libcups (client.conf(5)).
    public init(queue: String, server: String? = nil) {
        self.queue = PrintQueue(name: queue, server: server)
    }

    /// The printer as the loop uses it.
    public var port: PrinterPort {
        let queue = self.queue
        return PrinterPort(
            condition: { await Self.condition(of: queue) },
            print: { page, title, patience in
                AsyncStream { continuation in
                    let task = Task {
                        await PrintRun(queue: queue, continuation: continuation).run(
                            on: await Self.media(of: queue), page, title: title, patience)
                    }
                    continuation.onTermination = { end in
                        if case .cancelled = end { task.cancel() }
                    }
                }
            })
    }

    /// The roll in the queue; nil while it cannot be asked and never was.
    public func media() async -> RollMedia? { await Self.media(of: queue) }

    private static func media(of queue: PrintQueue) async -> RollMedia? {
        if let media = queue.media { return media }
        _ = await queue.report(within: answer)
        // Which form of a page it takes, only the printer knows.
        _ = await queue.printerReport(within: answer)
        return queue.media
    }

    /// The queue's state, then the printer's own word: an idle queue's idea of it is old.
    private static func condition(of queue: PrintQueue) async -> PrinterCondition {
        let queued = await queue.report(within: answer)
        guard case .success(let queued) = queued else {
            return PrinterCondition(trouble: .offline)
        }
        guard !queued.stopped, queued.accepting else { return PrinterCondition(trouble: .stopped) }
        guard let own = await queue.printerReport(within: answer) else {
            // While it prints, its driver tells by itself.
            guard queue.canBeAsked, !queued.busy else { return queued.condition }
            if let asked = queue.askedStatus, asked.isFresh { return asked.condition }
            return await queue.ask(within: answer)
        }
        switch own {
        case .success(let printer): return printer.condition
        case .failure: return PrinterCondition(trouble: .offline)
        }
    }

    /// The printer as the staff looks after it.
    public var staffPrinter: StaffPrinter {
        let queue = self.queue
        return StaffPrinter(
            port: port, inspect: { await Self.inspection(of: queue) },
            cancel: { await queue.cancel($0, within: Self.answer) == .cancelled })
    }

    /// What the queue says where the printer cannot be asked; nil where neither answers.
    private static func inspection(of queue: PrintQueue) async -> PrinterInspection? {
        guard case .success(let queued) = await queue.report(within: answer) else { return nil }
        var said = queued
        if case .success(let own) = await queue.printerReport(within: answer) { said = own }
        let jobs = (try? await queue.openJobs(within: answer).get()) ?? []
        return PrinterInspection(
            state: queued.stopped || said.stopped ? .stopped : said.busy ? .printing : .idle,
            reasons: said.reasons.filter { $0 != "none" }, jobs: jobs)
    }

    /// How much is known of the printer while it prints nothing.
    public enum Insight: Hashable, Sendable {
        /// It is asked itself, each time.
        case always
        /// It is asked by a job of the queue, once a minute.
        case byTheMinute
        /// Only what happens while a paper is printed is known.
        case whilePrinting
    }

    /// After `selfCheck`, which learns it.
    public var insight: Insight {
        if queue.printer?.address != nil { return .always }
        return queue.canBeAsked ? .byTheMinute : .whilePrinting
    }

    /// Says whether tickets can be printed here, or what to change; for set-up and start, not for
    /// troubles that come and go.
    public func selfCheck() async throws(CupsPrinterError) {
        let place =
            queue.server.map { "the print server at \($0)" } ?? "this machine's print server"
        switch await queue.report(within: Self.answer) {
        case .success(let report):
            guard report.accepting else {
                throw CupsPrinterError(
                    code: .queueRefuses,
                    description: """
                        The queue "\(queue.name)" on \(place) takes no jobs. \
                        Open it with: cupsaccept \(queue.name)
                        """, detail: "")
            }
        case .failure(let fault) where fault.isNotFound:
            var names: [String] = []
            if case .success(let found) = await queue.queueNames(within: Self.answer) {
                names = found
            }
            let others = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw CupsPrinterError(
                code: .queueUnknown,
                description: """
                    There is no queue "\(queue.name)" on \(place) (there: \(others)). \
                    Name one of them, or create it with lpadmin(8).
                    """, detail: "\(fault)")
        case .failure(let fault):
            throw CupsPrinterError(
                code: .serverUnreachable,
                description: """
                    \(place.prefix(1).uppercased())\(place.dropFirst()) does not answer about the \
                    queue "\(queue.name)". Is cupsd running there?
                    """, detail: "\(fault)")
        }
        guard queue.media != nil else {
            throw CupsPrinterError(
                code: .mediaUnknown,
                description: """
                    The queue "\(queue.name)" on \(place) does not say what paper it has. \
                    Create it with "lpadmin -m everywhere" or a driver that knows the roll.
                    """, detail: "")
        }
        // A printer that takes neither prints nothing and CUPS says "completed".
        if case .success(let printer) = await queue.printerReport(within: Self.answer),
            !printer.formats.isEmpty,
            Set(printer.formats).isDisjoint(with: [
                "application/pdf", "image/pwg-raster", "image/urf",
            ])
        {
            throw CupsPrinterError(
                code: .formatNotTaken,
                description: """
                    The printer of the queue "\(queue.name)" on \(place) takes neither PDF nor \
                    raster. Choose a printer that does (IPP Everywhere).
                    """, detail: printer.formats.joined(separator: " "))
        }
    }
}
