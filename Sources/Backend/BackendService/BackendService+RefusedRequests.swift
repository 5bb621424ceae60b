internal import BackendAPI
private import Synchronization

/// The last attempt of each machine, by its Idempotency-Key: a request that is sent again counts once.
final class RecentAttempts: Sendable {
    private let keys = Mutex<[String: String]>([:])

    /// Whether the machine's last request had another key.
    func isNew(_ key: String, of machine: String) -> Bool {
        keys.withLock { $0.updateValue(key, forKey: machine) != key }
    }
}

extension BackendService {
    /// Counts a ticket of another shop that a customer showed, once for all attempts with it and within the
    /// machine's limit of writes.
    func countOtherShop(_ call: Call) {
        let key = call.request.fields[HeaderField.idempotencyKey] ?? ""
        guard attempts.isNew(key, of: call.caller.limited),
            limiters[.writes]?.take(call.caller.limited) == nil
        else { return }
        store.count(.otherShop, of: call.caller.shop.id)
    }
}
