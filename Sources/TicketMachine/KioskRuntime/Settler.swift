internal import KioskFlow
internal import Reservations

/// Finds out in the background what became of a confirmation nobody waits for any more, and
/// deletes what it made (rules 12); goes on until it is known, however long the backend is away.
@MainActor
final class Settler {
    /// Between two tries, growing; a backend that is away for a day is asked once a minute.
    private static let pauses: [Duration] = [.seconds(2), .seconds(5), .seconds(15), .seconds(60)]

    private let backend: BackendPort
    private let settled: (AttemptKey) -> Void
    private var underWay: Set<AttemptKey> = []

    /// - Parameter settled: called when nothing is left of the confirmation.
    init(backend: BackendPort, settled: @escaping (AttemptKey) -> Void) {
        self.backend = backend
        self.settled = settled
    }

    func settle(_ open: OpenConfirmation) {
        guard underWay.insert(open.key).inserted else { return }
        Task {
            var tries = 0
            while await !isSettled(open) {
                try? await Task.sleep(for: Self.pauses[min(tries, Self.pauses.count - 1)])
                tries += 1
            }
            underWay.remove(open.key)
            settled(open.key)
        }
    }

    /// Gives a place back; if that fails for good, it lapses at the backend by itself.
    func release(_ hold: ReservationID, key: AttemptKey) {
        Task { _ = await backend.release(hold, key) }
    }

    private func isSettled(_ open: OpenConfirmation) async -> Bool {
        switch await backend.confirm(open.hold, open.key) {
        case .success(let reservation):
            let key = AttemptKey("\(open.key)-delete")
            switch await backend.delete(reservation.id, .entry(reservation.code), key) {
            case .success, .failure(.gone): return true
            case .failure(.code(let refusal)): return refusal != .tooManyTries
            case .failure: return false
            }
        case .failure(.holdLapsed), .failure(.gone): return true
        case .failure: return false
        }
    }
}
