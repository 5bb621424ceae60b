internal import KioskFlow
internal import KioskScreens
internal import Reservations

/// Gathers what maintenance mode shows, each piece as soon as it is there: a dead printer, which is
/// asked for seconds, keeps nothing else from the screen.
@MainActor
final class StaffDesk {
    private static let period: Duration = .seconds(3)
    private static let mostEvents = 200

    private let port: StaffPort
    private let tell: (StaffFacts) -> Void
    private var facts = StaffFacts()
    private var tasks: [Task<Void, Never>] = []

    init(_ port: StaffPort, tell: @escaping (StaffFacts) -> Void) {
        self.port = port
        self.tell = tell
        facts.printersConfigured = port.printers.count
    }

    /// What is known while nobody looks: kept for the one who comes.
    func backendAnswered(after latency: Duration?) { facts.latency = latency }

    func backendSaid(_ now: Moment) {
        let half = (facts.latency ?? .zero) / 2
        facts.clockOffset = port.clock() - now - half
    }

    func read(isCode: Bool, at clock: LocalMoment?) {
        facts.lastRead = StaffFacts.LastRead(at: clock, isCode: isCode)
    }

    /// Asks for everything now and every few seconds, until `close`.
    ///
    /// - Parameter dayBegan: since when papers are today's.
    func open(dayBegan: @escaping @MainActor () -> Moment) {
        close()
        facts.printers = []
        facts.papers = nil
        facts.events = nil
        tell(facts)
        repeating { desk in
            desk.facts.body = await desk.port.body()
            desk.tell(desk.facts)
        }
        repeating { desk in
            desk.facts.events = await desk.port.events(Self.mostEvents)
            desk.facts.papers = await desk.port.papers(dayBegan())
            desk.tell(desk.facts)
        }
        repeating { desk in
            let conditions = await withTaskGroup(of: (Int, PrinterCondition).self) { group in
                for (index, printer) in desk.port.printers.enumerated() {
                    group.addTask { (index, await printer.condition()) }
                }
                var all = desk.port.printers.map { _ in PrinterCondition.ready }
                for await (index, condition) in group { all[index] = condition }
                return all
            }
            desk.facts.printers = conditions
            desk.tell(desk.facts)
        }
    }

    /// Nobody looks any more.
    func close() {
        for task in tasks { task.cancel() }
        tasks = []
    }

    private func repeating(_ body: @escaping @MainActor (StaffDesk) async -> Void) {
        tasks.append(
            Task { [weak self] in
                while !Task.isCancelled, let self {
                    await body(self)
                    try? await Task.sleep(for: Self.period)
                }
            })
    }
}
