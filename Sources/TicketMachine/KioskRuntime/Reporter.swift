internal import KioskFlow
internal import Reservations

/// Tells the backend every ten seconds how the machine is, and hears what the shop wants of it
/// (rules 25). What cannot be told waits on the disk.
@MainActor
final class Reporter {
    /// Milliseconds between two reports: machines that started together do not stay so.
    private static let pause = 9_500...10_500
    /// A backend that does not know the call, or this machine's way of it, is an older one.
    private static let longPause: Duration = .seconds(600)
    /// The first polls come before it: an outage at the start is theirs to find.
    private static let firstPause: Duration = .seconds(2)
    static let mostEvents = 50

    private let port: StatusPort
    /// What the machine itself knows; nil while the backend does not answer its polls, so that no report
    /// stands before them on the connection.
    private let known: () async -> MachineReport?
    private let makeKey: () -> AttemptKey
    private let ordered: (ShopOrder) -> Void
    private let log: (String) -> Void
    private var work: Task<Void, Never>?
    /// Days from this one on may have other papers than were told; nil before the first report.
    private var papersFrom: CalendarDay?
    private var isRefused = false

    /// - Parameter known: the report but for papers, events and orders carried out.
    init(
        _ port: StatusPort, known: @escaping () async -> MachineReport?,
        makeKey: @escaping () -> AttemptKey, log: @escaping (String) -> Void,
        ordered: @escaping (ShopOrder) -> Void
    ) {
        self.port = port
        self.known = known
        self.makeKey = makeKey
        self.log = log
        self.ordered = ordered
    }

    func begin() {
        work = Task { [weak self] in
            try? await Task.sleep(for: Self.firstPause)
            while !Task.isCancelled, let pause = await self?.report() {
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Tells once; answers how long to wait until the next time.
    private func report() async -> Duration {
        let pause: Duration = .milliseconds(Int.random(in: Self.pause))
        guard var report = await known() else { return pause }
        report.papers = await port.papers(papersFrom)
        report.unknownPapers = await port.unknownPapers()
        report.events = await port.unsent(Self.mostEvents)
        report.obeyed = port.obeyed()
        switch await port.send(report, makeKey()) {
        case .success(let answer):
            isRefused = false
            await take(answer, to: report)
            // What an outage has kept back goes at once.
            let isMore = report.events.events.count == Self.mostEvents
            return isMore && answer.through == report.events.events.last?.sequence
                ? .milliseconds(100) : pause
        case .failure(.unanswered), .failure(.busy), .failure(.notAuthentic): return pause
        case .failure(let failure):
            if !isRefused { log("the backend does not take the machine's status: \(failure)") }
            isRefused = true
            return Self.longPause
        }
    }

    private func take(_ answer: ReportAnswer, to report: MachineReport) async {
        // Also where the backend knows less than it did: then all is told again.
        if answer.through != report.events.through { await port.sent(answer.through) }
        // Yesterday's last paper may have been under way at midnight.
        papersFrom = report.papers.last?.day.advanced(by: -1) ?? papersFrom
        for order in answer.orders where !port.obeyed().contains(order.id) { ordered(order) }
    }
}
