internal import KioskFlow
internal import Reservations

/// Tells the backend every ten seconds how the machine is, and hears what the shop wants of it
/// (rules 25). What cannot be told waits on the disk.
@MainActor
final class Reporter {
    /// Milliseconds between two reports: machines that started together do not stay so.
    private static let pause = 9_500...10_500
    /// A backend that does not know the call, or this machine's way of it, is an older one.
    private static let refusedInterval: Duration = .seconds(600)
    /// The first polls come before it: an outage at the start is theirs to find.
    private static let firstDelay: Duration = .seconds(2)

    private let port: StatusPort
    /// What the machine itself knows; nil while the backend does not answer its polls, so that no report
    /// stands before them on the connection.
    private let known: () async -> (condition: MachineCondition, offsetMinutes: Int)?
    private let makeKey: () -> AttemptKey
    private let commanded: (RemoteCommand) -> Void
    private let log: (String) -> Void
    private var work: Task<Void, Never>?
    /// Days from this one on may have other papers than were told; nil before the first report.
    private var papersFrom: CalendarDay?
    private var isRefused = false

    /// - Parameter known: how the machine is but for its printouts, and the offset of the shop's clock.
    init(
        _ port: StatusPort,
        known: @escaping () async -> (condition: MachineCondition, offsetMinutes: Int)?,
        makeKey: @escaping () -> AttemptKey, log: @escaping (String) -> Void,
        commanded: @escaping (RemoteCommand) -> Void
    ) {
        self.port = port
        self.known = known
        self.makeKey = makeKey
        self.log = log
        self.commanded = commanded
    }

    func begin() {
        work = Task { [weak self] in
            try? await Task.sleep(for: Self.firstDelay)
            while !Task.isCancelled, let pause = await self?.report() {
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Tells once; answers how long to wait until the next time.
    private func report() async -> Duration {
        let pause: Duration = .milliseconds(Int.random(in: Self.pause))
        guard let (known, offsetMinutes) = await known() else { return pause }
        var condition = known
        condition.unknownPapers = await port.unknownPapers()
        let papers = await port.papers(papersFrom)
        let unsent = await port.unsent(MachineStatusReport.maxEvents)
        let report = MachineStatusReport(
            condition: condition, memory: unsent.memory, papers: papers, dropped: unsent.dropped,
            events: unsent.events.map { $0.report(offsetMinutes: offsetMinutes) },
            obeyed: port.obeyed())
        switch await port.send(report, makeKey()) {
        case .success(let answer):
            isRefused = false
            // Also if the backend knows less than it did: then all is reported again.
            if answer.through != unsent.through { await port.sent(answer.through) }
            // Yesterday's last paper may have been under way at midnight.
            papersFrom = papers.last?.day.advanced(by: -1) ?? papersFrom
            for command in answer.commands where !port.obeyed().contains(command.id) {
                commanded(command)
            }
            // What an outage has kept back goes at once.
            let hasMoreEvents = unsent.events.count == MachineStatusReport.maxEvents
            return hasMoreEvents && answer.through == unsent.events.last?.sequence
                ? .milliseconds(100) : pause
        case .failure(let failure):
            let mayPass =
                failure == .unanswered || failure.isTemporary || failure.refusal == .notAuthentic
            if mayPass { return pause }
            if !isRefused { log("the backend does not take the machine's status: \(failure)") }
            isRefused = true
            return Self.refusedInterval
        }
    }
}
