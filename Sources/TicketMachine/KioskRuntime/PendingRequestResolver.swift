internal import KioskFlow
internal import MachineClock
internal import Reservations

/// Finds out in the background what became of confirmations whose customers have gone, and deletes the reservations
/// that they made (rules: unanswered-confirmation). It makes one call at a time until the outcome is known, however
/// long that takes.
@MainActor final class PendingRequestResolver {
    /// The growing pauses between two rounds; a backend that is away for a day is asked once a minute.
    private static let pauses: [Duration] = [.seconds(2), .seconds(5), .seconds(15), .seconds(60)]
    /// The pause after a refusal, which only an administrator can resolve: asking more often changes nothing.
    private static let refusedRetryInterval: Duration = .seconds(600)

    private let backend: any BackendPort
    private let time: MachineClock
    private let resolved: (AttemptKey) -> Void
    private let log: (String) -> Void
    private var open: [OpenRequest] = []
    private var work: Task<Void, Never>?
    private var pause: Task<Void, Never>?
    private var rounds = 0
    /// How often an event has called for another round at once.
    private var wakings = 0
    private var isRefusalLogged = false

    /// - Parameter resolved: called when nothing is left of the confirmation.
    init(
        backend: any BackendPort, time: MachineClock = .system,
        log: @escaping (String) -> Void,
        resolved: @escaping (AttemptKey) -> Void
    ) {
        self.backend = backend
        self.time = time
        self.log = log
        self.resolved = resolved
    }

    func resolve(_ confirmation: OpenRequest) {
        guard !open.contains(where: { $0.key == confirmation.key }) else { return }
        open.append(confirmation)
        retryNow()
        if work == nil {
            work = Task {
                while !open.isEmpty { await round() }
                work = nil
            }
        }
    }

    /// Starts another round at once, since the backend answers again or accepts the machine's key again.
    func retryNow() {
        rounds = 0
        wakings += 1
        pause?.cancel()
    }

    /// Gives a place back; if that fails for good, the hold expires at the backend by itself.
    func release(_ hold: ReservationID, key: AttemptKey) {
        Task { _ = await backend.release(hold, key) }
    }

    /// Tries all open confirmations, and waits if some of them stay open.
    private func round() async {
        let before = wakings
        var failures: [BackendFailure] = []
        for confirmation in open {
            guard let failure = await failure(resolving: confirmation) else {
                open.removeAll { $0.key == confirmation.key }
                resolved(confirmation.key)
                continue
            }
            failures.append(failure)
            // The next confirmation would fail in the same way.
            if failure.concernsKey || failure.isAway { break }
        }
        let isRefused = failures.contains { !$0.isAway }
        if isRefused, !isRefusalLogged { log("a place that was given up stays: \(failures)") }
        isRefusalLogged = isRefused
        guard !open.isEmpty, !failures.isEmpty, before == wakings else { return }
        let wait =
            isRefused ? Self.refusedRetryInterval : Self.pauses[min(rounds, Self.pauses.count - 1)]
        rounds += 1
        pause = Task { try? await time.sleep(for: wait) }
        await pause?.value
    }

    /// Why the confirmation stays open; nil once nothing is left of it.
    private func failure(resolving open: OpenRequest) async -> BackendFailure? {
        // An order whose customer has gone stays as it is (rules: order-desks).
        guard case .place(let hold) = open.what else { return nil }
        switch await backend.confirm(hold, open.key) {
        case .success(let reservation):
            let key = AttemptKey("\(open.key)-delete")
            switch await backend.delete(reservation.id, .entry(reservation.code), key) {
            case .success: return nil
            case .failure(let failure):
                let isReported = failure.refusal?.customerSentences != nil && !failure.isTemporary
                return isReported ? nil : failure
            }
        case .failure(let failure): return failure.meansHoldIsGone ? nil : failure
        }
    }
}

extension BackendFailure { fileprivate var isAway: Bool { self == .unanswered || isTemporary } }
