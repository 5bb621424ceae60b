internal import KioskFlow
internal import MachineClock
internal import Reservations

/// Collects what maintenance mode shows, each fact as soon as it is known: a printer that takes seconds to fail delays
/// nothing else on the screen.
@MainActor final class MaintenanceMonitor {
    private static let refreshInterval: Duration = .seconds(3)
    /// A part that has not answered by then is shown as silent, so that the overview is complete within 2 s.
    private static let printerTimeout: Duration = .milliseconds(1_500)
    private static let maxEvents = 200

    private let parts: any Kiosk.Parts
    private let time: MachineClock
    private let update: (StaffFacts) -> Void
    private var facts = StaffFacts()
    private var tasks: [Task<Void, Never>] = []

    init(
        _ parts: any Kiosk.Parts, time: MachineClock, update: @escaping (StaffFacts) -> Void
    ) {
        self.parts = parts
        self.time = time
        self.update = update
        facts.printers = parts.printers.map { _ in PrinterFacts() }
        facts.network = parts.network
    }

    /// Records the backend's answer, and its time if it reported any, even while maintenance mode is closed, so that
    /// both are known when it opens.
    func backendAnswered(after latency: Duration?, at now: Moment?) {
        facts.backend = latency.map { .answers(after: $0) } ?? .silent
        if !tasks.isEmpty { update(facts) }
        if let latency, let now { facts.clockOffset = parts.clock - now - latency / 2 }
    }

    func read(_ read: StaffRead) { facts.lastRead = read }

    /// When today began; receipts and events are also loaded before their time, as soon as a printout is finished.
    private var dayBegan: () -> Moment = { Moment(milliseconds: 0) }

    /// Loads everything now and every few seconds, until `close`.
    ///
    /// - Parameter dayBegan: returns when today began, for the list of receipts.
    func open(dayBegan: @escaping @MainActor () -> Moment) {
        close()
        facts.printers = parts.printers.map { _ in PrinterFacts() }
        facts.papers = nil
        facts.events = nil
        facts.queue = nil
        facts.calls = parts.calls
        update(facts)
        tasks.append(
            Task { [weak self, time] in
                try? await time.sleep(for: Self.printerTimeout)
                if !Task.isCancelled { self?.isUnanswered() }
            })
        self.dayBegan = dayBegan
        repeating { desk in
            let body = await desk.parts.body()
            desk.update { $0.body = body }
        }
        repeating { await $0.loadReceipts() }
        repeating { await $0.loadMembers() }
        repeating { await $0.loadQueue() }
        for (index, printer) in parts.printers.enumerated() {
            repeating { desk in
                let condition = await printer.condition()
                desk.update { $0.printers[index].condition = condition }
            }
            repeating { await $0.loadInspection(index) }
        }
    }

    private func loadReceipts() async {
        let (staff, journal, since) = (parts.staff, parts.journal, dayBegan())
        let events = await parts.awaited("staff") { try await staff.events(Self.maxEvents) }
        let papers = await parts.awaited("staff") { try await journal.papers(since: since) }
        update {
            $0.events = events ?? []
            $0.papers = papers ?? []
            $0.calls = parts.calls
        }
    }

    private func loadMembers() async {
        let staff = parts.staff
        let members = await parts.awaited("staff") { try await staff.members() }
        update { $0.members = members ?? [] }
    }

    private func loadInspection(_ index: Int) async {
        let inspection = await parts.printers[index].inspect()
        update { $0.printers[index].inspection = inspection }
    }

    private func loadQueue() async {
        let queue = await parts.maintenance.staffQueue()
        update {
            $0.queue = queue
            $0.calls = parts.calls
        }
    }

    func changed() {
        tasks.append(
            Task { [weak self] in
                guard let self else { return }
                await self.loadReceipts()
                await self.loadMembers()
                for index in self.parts.printers.indices { await self.loadInspection(index) }
                await self.loadQueue()
            })
    }

    func close() {
        for task in tasks { task.cancel() }
        tasks = []
    }

    private func isUnanswered() {
        update { facts in
            if facts.backend == .asked { facts.backend = .silent }
            for index in facts.printers.indices where facts.printers[index].condition == nil {
                facts.printers[index].condition = PrinterCondition(trouble: .silent)
            }
        }
    }

    private func update(_ change: (inout StaffFacts) -> Void) {
        guard !tasks.isEmpty else { return }
        change(&facts)
        update(facts)
    }

    private func repeating(_ body: @escaping @MainActor (MaintenanceMonitor) async -> Void) {
        tasks.append(
            Task { [weak self] in
                while !Task.isCancelled, let self {
                    await body(self)
                    try? await self.time.sleep(for: Self.refreshInterval)
                }
            })
    }
}
