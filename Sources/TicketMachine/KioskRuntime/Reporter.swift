internal import KioskFlow
internal import Reservations

/// Reports the machine's status to the backend every ten seconds, and receives the shop's remote commands (rules 25).
/// Events that cannot be reported wait on the disk.
@MainActor
final class Reporter {
    /// Milliseconds between two reports, at random, so that machines that started together do not report together.
    private static let pause = 9_500...10_500
    /// The pause if the backend refuses the report, because it is an older one that does not know the call.
    private static let refusedInterval: Duration = .seconds(600)
    /// The first polls come before the first report, so that they detect an outage at the start.
    private static let firstDelay: Duration = .seconds(2)

    private let port: StatusPort
    /// What the machine itself knows; nil while the backend does not answer its polls, so that no report delays a poll
    /// on the same connection.
    private let known: () async -> (condition: MachineCondition, offsetMinutes: Int)?
    private let makeKey: () -> AttemptKey
    private let commanded: (RemoteCommand) -> Void
    private let log: (String) -> Void
    private var work: Task<Void, Never>?
    /// Print outcomes of this day and later may differ from those reported; nil before the first report.
    private var papersFrom: CalendarDay?
    private var isRefused = false

    /// - Parameter known: the machine's status without its print outcomes, and the offset of the shop's clock.
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

    /// Reports once; returns the pause until the next report.
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
            // This also holds if the backend has fewer events than before: then all of them are reported again.
            if answer.through != unsent.through { await port.sent(answer.through) }
            // Yesterday's last receipt may have been printing at midnight.
            papersFrom = papers.last?.day.advanced(by: -1) ?? papersFrom
            for command in answer.commands where !port.obeyed().contains(command.id) {
                commanded(command)
            }
            // Events that were held back during an outage are sent at once.
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
