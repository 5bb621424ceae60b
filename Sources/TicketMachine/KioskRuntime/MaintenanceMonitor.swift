internal import KioskFlow
internal import KioskScreens
internal import Reservations

/// Gathers what maintenance mode shows, each piece as soon as it is there: a dead printer, which is
/// asked for seconds, keeps nothing else from the screen.
@MainActor
final class MaintenanceMonitor {
    private static let refreshInterval: Duration = .seconds(3)
    /// What has not answered by then is told as silent: the overview is complete within 2 s.
    private static let printerTimeout: Duration = .milliseconds(1_500)
    private static let maxEvents = 200

    private let port: StaffPort
    private let tell: (StaffFacts) -> Void
    private var facts = StaffFacts()
    private var tasks: [Task<Void, Never>] = []

    init(_ port: StaffPort, tell: @escaping (StaffFacts) -> Void) {
        self.port = port
        self.tell = tell
        facts.printers = port.printers.map { _ in PrinterFacts() }
        facts.network = port.network
    }

    /// What is known while nobody looks: kept for the one who comes.
    func backendAnswered(after latency: Duration?) {
        facts.backend = latency.map { .answers(after: $0) } ?? .silent
        if !tasks.isEmpty { tell(facts) }
    }

    func backendSaid(_ now: Moment) {
        guard case .answers(let latency) = facts.backend else { return }
        facts.clockOffset = port.clock() - now - latency / 2
    }

    func read(_ what: StaffFacts.LastRead.What, at clock: LocalMoment?) {
        facts.lastRead = StaffFacts.LastRead(at: clock, what: what)
    }

    /// Papers and events are asked for before their time too, as soon as one is done.
    private var dayBegan: () -> Moment = { Moment(milliseconds: 0) }

    /// Asks for everything now and every few seconds, until `close`.
    ///
    /// - Parameter dayBegan: since when papers are today's.
    func open(dayBegan: @escaping @MainActor () -> Moment) {
        close()
        facts.printers = port.printers.map { _ in PrinterFacts() }
        facts.papers = nil
        facts.events = nil
        facts.queue = nil
        facts.calls = port.calls()
        tell(facts)
        tasks.append(
            Task { [weak self] in
                try? await Task.sleep(for: Self.printerTimeout)
                if !Task.isCancelled { self?.nobodyAnswered() }
            })
        repeating { desk in
            let body = await desk.port.body()
            desk.tell { $0.body = body }
        }
        self.dayBegan = dayBegan
        repeating { await $0.loadReceipts() }
        repeating { desk in
            let members = await desk.port.people.all()
            desk.tell { $0.members = members }
        }
        repeating { desk in
            let queue = await desk.port.backend.queue()
            desk.tell {
                $0.queue = queue
                $0.calls = desk.port.calls()
            }
        }
        for (index, printer) in port.printers.enumerated() {
            repeating { desk in
                let condition = await printer.port.condition()
                desk.tell { $0.printers[index].condition = condition }
            }
            repeating { desk in
                let inspection = await printer.inspect()
                desk.tell { $0.printers[index].inspection = inspection }
            }
        }
    }

    private func loadReceipts() async {
        let events = await port.events(Self.maxEvents)
        let papers = await port.papers(dayBegan())
        tell {
            $0.events = events
            $0.papers = papers
            $0.calls = port.calls()
        }
    }

    /// Something has just been changed: it is asked for before its time.
    func changed() {
        tasks.append(
            Task { [weak self] in
                guard let self else { return }
                await self.loadReceipts()
                let members = await self.port.people.all()
                self.tell { $0.members = members }
                for (index, printer) in self.port.printers.enumerated() {
                    let inspection = await printer.inspect()
                    self.tell { $0.printers[index].inspection = inspection }
                }
                let queue = await self.port.backend.queue()
                self.tell { $0.queue = queue }
            })
    }

    /// Nobody looks any more.
    func close() {
        for task in tasks { task.cancel() }
        tasks = []
    }

    private func nobodyAnswered() {
        tell { facts in
            if facts.backend == .asked { facts.backend = .silent }
            for index in facts.printers.indices where facts.printers[index].condition == nil {
                facts.printers[index].condition = PrinterCondition(trouble: .silent)
            }
        }
    }

    private func tell(_ change: (inout StaffFacts) -> Void) {
        guard !tasks.isEmpty else { return }
        change(&facts)
        tell(facts)
    }

    private func repeating(_ body: @escaping @MainActor (MaintenanceMonitor) async -> Void) {
        tasks.append(
            Task { [weak self] in
                while !Task.isCancelled, let self {
                    await body(self)
                    try? await Task.sleep(for: Self.refreshInterval)
                }
            })
    }
}
