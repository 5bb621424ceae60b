internal import Dispatch
internal import Synchronization

/// Sends pushes to the services of a list, on a thread of its own; every method can be called from any thread.
///
/// Connections are kept between calls, and closed with this object. Nothing of it is logged: an endpoint is the address
/// of one person's browser. The program ignores SIGPIPE (CURLOPT_NOSIGNAL(3)).
public final class PushSender: @unchecked Sendable {
    // @unchecked: the transfers are used by `queue` only, except `wake`, which any thread may call. It is called under
    // the lock and only until the transfers are closed, which is after the last use of this object.
    private let transfers: PushTransfers
    private let queue = DispatchQueue(label: "clup.push", qos: .utility)
    private let state = Mutex(State())

    private struct State {
        var added: [PendingPush] = []
        /// Whether the queue works on transfers.
        var isRunning = false
        var isStopped = false
    }

    /// - Parameters:
    ///   - subject: how operators of push services reach ours, `https://...` or `mailto:...`.
    ///   - now: the wall clock, in seconds since 1970.
    public convenience init(
        services: PushServices, key: VapidKey, subject: String?,
        now: @escaping @Sendable () -> Int64
    ) { self.init(services: services, key: key, subject: subject, limits: .init(), now: now) }

    init(
        services: PushServices, key: VapidKey, subject: String?, limits: PushTransfer.Limits,
        now: @escaping @Sendable () -> Int64
    ) {
        transfers = PushTransfers(
            services: services, tokens: VapidTokens(key: key, subject: subject), limits: limits,
            now: now)
    }

    /// Sends a push, of all calls together 64 at a time and 32 to one service, and returns its outcome.
    ///
    /// It takes at most 10 s from its turn on, and waits at most 15 s for its turn; afterwards it is `unreached`. After `stop`
    /// every push is.
    public func send(_ push: Push) async -> PushOutcome {
        await withCheckedContinuation { caller in
            let isStopped = state.withLock { state in
                guard !state.isStopped else { return true }
                state.added.append(PendingPush(push, for: caller))
                if state.isRunning { transfers.wake() } else { start(&state) }
                return false
            }
            if isStopped { caller.resume(returning: .unreached) }
        }
    }

    /// Ends all pushes that have no outcome yet, and takes no more.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            if state.isRunning { transfers.wake() }
        }
    }

    private func start(_ state: inout State) {
        state.isRunning = true
        queue.async { self.run() }
    }

    /// Works until there is nothing left to do; the kept connections wait for the next time.
    private func run() {
        while true {
            let (added, isStopped, isDone) = state.withLock { state in
                defer { state.added = [] }
                let isDone = state.added.isEmpty && transfers.isEmpty
                if isDone { state.isRunning = false }
                return (state.added, state.isStopped, isDone)
            }
            for pending in added { transfers.add(pending) }
            if isDone { return }
            if isStopped { transfers.endAll() } else { transfers.step() }
        }
    }
}
