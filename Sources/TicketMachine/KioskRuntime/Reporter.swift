internal import KioskFlow
internal import MachineClock
internal import Reservations

/// Reports the machine's status to the backend every ten seconds, and receives the shop's remote commands
/// (rules: remote-commands). Events that cannot be reported wait on the disk.
@MainActor final class Reporter {
    /// Milliseconds between two reports, at random, so that machines that started together do not report together.
    private static let pause = 9_500...10_500
    /// The pause if the backend refuses the report, because it is an older one that does not know the call.
    private static let refusedInterval: Duration = .seconds(600)
    /// The first polls come before the first report, so that they detect an outage at the start.
    private static let firstDelay: Duration = .seconds(2)

    private weak var kiosk: Kiosk?
    private let parts: any Kiosk.Parts
    private let time: MachineClock
    private var work: Task<Void, Never>?
    /// Print outcomes of this day and later may differ from those reported; nil before the first report.
    private var papersFrom: CalendarDay?
    private var isRefused = false

    init(for kiosk: Kiosk) {
        self.kiosk = kiosk
        parts = kiosk.parts
        time = kiosk.time
    }

    func begin() {
        work = Task { [weak self, time] in
            try? await time.sleep(for: Self.firstDelay)
            while !Task.isCancelled, let pause = await self?.report() {
                try? await time.sleep(for: pause)
            }
        }
    }

    private var acknowledged: [Int64] {
        parts.logged("status") { try parts.staff.acknowledged() } ?? []
    }

    /// Reports once; returns the pause until the next report.
    private func report() async -> Duration {
        let pause: Duration = .milliseconds(Int.random(in: Self.pause))
        // While the backend does not answer the polls, no report delays them on the same connection.
        guard let (known, offsetMinutes) = await kiosk?.ownCondition() else { return pause }
        let (staff, journal) = (parts.staff, parts.journal)
        var condition = known
        condition.unknownPapers =
            await parts.awaited("status") { try await journal.unknownPapers() } ?? 0
        let day = papersFrom
        let papers = await parts.awaited("status") { try await journal.outcomes(from: day) } ?? []
        let unsent =
            await parts.awaited("status") {
                try await staff.unsent(MachineStatusReport.maxEvents, offsetMinutes: offsetMinutes)
            } ?? UnsentEvents(memory: "none")
        let report = MachineStatusReport(
            condition: condition, memory: unsent.memory, papers: papers, dropped: unsent.dropped,
            events: unsent.events, acknowledged: acknowledged)
        let key = kiosk?.makeBackgroundKey() ?? AttemptKey("")
        switch await parts.background.report(report, key) {
        case .success(let answer):
            isRefused = false
            // This also holds if the backend has fewer events than before: then all of them are reported again.
            if answer.through != unsent.through {
                await parts.awaited("status") { try await staff.sent(through: answer.through) }
            }
            // Yesterday's last receipt may have been printing at midnight.
            papersFrom = papers.last?.day.advanced(by: -1) ?? papersFrom
            for command in answer.commands where !acknowledged.contains(command.id) {
                kiosk?.take(command)
            }
            // Events that were held back during an outage are sent at once.
            let hasMoreEvents = unsent.events.count == MachineStatusReport.maxEvents
            return hasMoreEvents && answer.through == unsent.events.last?.sequence
                ? .milliseconds(100) : pause
        case .failure(let failure):
            let mayPass =
                failure == .unanswered || failure.isTemporary || failure.refusal == .notAuthentic
            if mayPass { return pause }
            if !isRefused {
                parts.log("the backend does not take the machine's status: \(failure)")
            }
            isRefused = true
            return Self.refusedInterval
        }
    }
}
