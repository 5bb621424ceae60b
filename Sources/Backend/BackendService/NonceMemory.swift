internal import BackendAPI
private import Synchronization

/// The nonces of reading calls: in memory only, as long as their signatures are fresh (rules: nonces).
///
/// They are kept by the time at which they came, on a clock that no administrator sets. A request that was signed
/// before the start of the server, or in the second of the start, might have been seen by the server that ran
/// before, and is refused. Another server answers a call that this one has seen: the call changes nothing there, the
/// answer is of the present and signed for this one request, and a sender of the copy must have read it within TLS.
/// Calls with an effect do not rely on this memory: a session's ticket opens one socket however often it is asked
/// for, and a status report that is written has a durable nonce.
final class NonceMemory: Sendable {
    /// Two minutes of 50 machines at their rate limit; about 8 MB if it ever filled up.
    static let capacity = 250_000
    /// A signature may be a window ahead of this server's clock when it comes, and is accepted for another window.
    static let lifetime: Duration = .seconds(2 * MachineSignature.windowSeconds + 1)

    private struct Content {
        /// The nonces that came within a second, oldest first, so that a whole second is forgotten at once.
        var seconds: [(began: ContinuousClock.Instant, newest: Int64, nonces: [Int])] = []
        var seen: Set<Int> = []
        /// The latest signing time among the nonces that were forgotten.
        var forgottenUntil: Int64 = .min
    }

    private let content = Mutex(Content())
    /// The second in which the server began, since 1970.
    let start: Int64

    init(start: Int64) { self.start = start }

    /// Whether this nonce comes for the first time; remembers it.
    func accept(
        keyID: String, nonce: String, created: Int64, at now: ContinuousClock.Instant
    ) -> Bool {
        guard created > start else { return false }
        return content.withLock { content in
            while let began = content.seconds.first?.began, began + Self.lifetime < now {
                let first = content.seconds.removeFirst()
                content.seen.subtract(first.nonces)
                content.forgottenUntil = max(content.forgottenUntil, first.newest)
            }
            let name = Self.name(keyID: keyID, nonce: nonce)
            // This holds also when the clock was set back: a forgotten nonce is never accepted again.
            guard created > content.forgottenUntil, content.seen.count < Self.capacity,
                content.seen.insert(name).inserted
            else { return false }
            let index = content.seconds.count - 1
            // Copying a whole second out of the array would copy all of its nonces when it is changed.
            if index >= 0, now < content.seconds[index].began + .seconds(1) {
                content.seconds[index].nonces.append(name)
                content.seconds[index].newest = max(content.seconds[index].newest, created)
            } else {
                content.seconds.append((now, created, [name]))
            }
            return true
        }
    }

    /// The nonce of a key as a hash with a secret of this process. A hash that two nonces share, which happens to one of
    /// 10^13 requests, refuses the later one, and its machine repeats the request with another nonce.
    private static func name(keyID: String, nonce: String) -> Int {
        var hasher = Hasher()
        hasher.combine(keyID)
        hasher.combine(nonce)
        return hasher.finalize()
    }
}
