/// The pushes that wait for their turn, by their services, so that a service that does not answer delays no other one.
struct WaitingPushes {
    struct Waiting {
        let pending: PendingPush
        let match: PushServices.Match
        /// When it ends without having had its turn.
        let deadline: ContinuousClock.Instant
    }

    /// The pushes of one service, in their order; the first ones are taken.
    private var queues: [Int: ArraySlice<Waiting>] = [:]
    /// The most transfers at a time, and of one service.
    let maxAtOnce: Int
    let maxPerService: Int

    init(maxAtOnce: Int, maxPerService: Int) {
        self.maxAtOnce = maxAtOnce
        self.maxPerService = maxPerService
    }

    mutating func add(_ waiting: Waiting) {
        queues[waiting.match.index, default: []].append(waiting)
    }

    /// Takes the next push that may begin: one of the service that has the fewest on their way.
    ///
    /// - Parameter running: how many are on their way, by service.
    mutating func next(running: [Int: Int]) -> Waiting? {
        guard running.values.reduce(0, +) < maxAtOnce else { return nil }
        let service = queues.keys.filter { running[$0, default: 0] < maxPerService }
            .min { (running[$0, default: 0], $0) < (running[$1, default: 0], $1) }
        return service.flatMap { take(from: $0) }
    }

    /// Takes a push whose time to wait is over.
    mutating func nextExpired(now: ContinuousClock.Instant) -> Waiting? {
        let service = queues.first { $0.value.first.map { $0.deadline <= now } ?? false }?.key
        return service.flatMap { take(from: $0) }
    }

    /// Takes any push.
    mutating func popAny() -> Waiting? { queues.keys.first.flatMap { take(from: $0) } }

    private mutating func take(from service: Int) -> Waiting? {
        let taken = queues[service]?.popFirst()
        if queues[service]?.isEmpty != false { queues[service] = nil }
        return taken
    }
}
