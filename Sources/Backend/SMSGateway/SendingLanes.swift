internal import Dispatch
internal import Synchronization

/// Sends messages on threads of their own, a few at once; the others wait for their turn.
final class SendingLanes: Sendable {
    /// How many messages are on their way at once.
    static let count = 8

    /// Sends one message, and returns when its outcome is known; called by one thread at a time.
    typealias Sender = @Sendable (SMSMessage) -> SMSOutcome

    private struct Lane {
        let queue: DispatchQueue
        let send: Sender
    }

    private struct Waiting {
        let ticket: Int
        let message: SMSMessage
        let caller: CheckedContinuation<SMSOutcome, Never>
    }

    private struct State {
        /// The places of the lanes that send nothing.
        var free = Array(0..<SendingLanes.count)
        /// The messages that wait for their turn, in their order.
        var waiting: [Waiting] = []
        var tickets = 0
        var isStopped = false
    }

    private let lanes: [Lane]
    private let timers = DispatchQueue(label: "clup.sms.turns", qos: .utility)
    private let turnTimeout: DispatchTimeInterval
    private let state = Mutex(State())

    /// - Parameter makeSender: Called once for each lane.
    init(turnTimeout: DispatchTimeInterval, _ makeSender: () -> Sender) {
        self.turnTimeout = turnTimeout
        // A serial queue has a thread of its own while it works.
        lanes = (0..<Self.count).map { index in
            Lane(
                queue: DispatchQueue(label: "clup.sms.\(index)", qos: .utility), send: makeSender())
        }
    }

    func send(_ message: SMSMessage) async -> SMSOutcome {
        await withCheckedContinuation { caller in
            let isStopped = state.withLock { state in
                guard !state.isStopped else { return true }
                let next = Waiting(ticket: state.tickets, message: message, caller: caller)
                state.tickets += 1
                if let lane = state.free.popLast() {
                    lanes[lane].queue.async { self.work(lane, next) }
                } else {
                    state.waiting.append(next)
                    timers.asyncAfter(deadline: .now() + turnTimeout) { [weak self] in
                        self?.expire(next.ticket)
                    }
                }
                return false
            }
            if isStopped { caller.resume(returning: .unreached) }
        }
    }

    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.caller.resume(returning: .unreached) }
    }

    /// Sends a message, and then those that wait, as long as there is one.
    private func work(_ lane: Int, _ first: Waiting) {
        var next: Waiting? = first
        while let current = next {
            let outcome = lanes[lane].send(current.message)
            next = state.withLock { state in
                guard !state.waiting.isEmpty else {
                    state.free.append(lane)
                    return nil
                }
                return state.waiting.removeFirst()
            }
            current.caller.resume(returning: outcome)
        }
    }

    private func expire(_ ticket: Int) {
        let late = state.withLock { state in
            state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0) }
        }
        late?.caller.resume(returning: .busy)
    }
}
