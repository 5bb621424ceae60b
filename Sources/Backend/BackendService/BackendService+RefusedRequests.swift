internal import BackendAPI
private import Synchronization

/// The last attempt of each machine, by its Idempotency-Key: one that is sent again is one wish.
final class RecentAttempts: Sendable {
    private let keys = Mutex<[String: String]>([:])

    /// Whether the machine did not send the same one before.
    func isNew(_ key: String, of machine: String) -> Bool {
        keys.withLock { $0.updateValue(key, forKey: machine) != key }
    }
}

extension BackendService {
    /// Counts a paper of another shop that a customer showed, once for all tries of it and within the bounds of what a
    /// machine may have written.
    func countOtherShop(_ call: Call) {
        let key = call.request.fields[HeaderField.idempotencyKey] ?? ""
        guard attempts.isNew(key, of: call.caller.limited),
            writeLimiter?.take(call.caller.limited) == nil
        else { return }
        store.count(.otherShop, of: call.caller.shop.id)
    }
}
