internal import BackendAPI
private import Synchronization

/// The nonces of reading calls: in memory only, as long as their signatures are fresh (rules 21).
///
/// What was signed before the start might have been seen by the server that ran before, and is refused. Another
/// server answers a call that this one has seen: it changes nothing there, the answer is of the present and
/// signed for this one request, and who sends it again has read it within TLS. What has an effect does without
/// this memory: a session's ticket opens one socket whoever asks again, and a status that is written has a
/// durable nonce.
final class NonceMemory: Sendable {
    /// Two minutes of 50 machines at their rate limit; about 30 MB if it ever filled up.
    static let capacity = 250_000

    private struct Content {
        /// By the second of signing, so that a whole second is forgotten at once.
        var seen: [Int64: Set<String>] = [:]
        var count = 0
        var forgottenUntil: Int64 = .min
    }

    private let content = Mutex(Content())
    private let start: Int64

    /// `start`: when the server began, in seconds since 1970.
    init(start: Int64) { self.start = start }

    /// Whether this nonce comes for the first time; remembers it.
    func accept(keyID: String, nonce: String, created: Int64, now: Int64) -> Bool {
        guard created >= start else { return false }
        return content.withLock { content in
            let oldest = now - MachineSignature.windowSeconds
            if content.forgottenUntil < oldest {
                for second in content.seen.keys.filter({ $0 < oldest }) {
                    content.count -= content.seen.removeValue(forKey: second)?.count ?? 0
                }
                content.forgottenUntil = oldest
            }
            // Also when the clock was set back: what is forgotten is never accepted again.
            guard created >= content.forgottenUntil, content.count < Self.capacity,
                content.seen[created, default: []].insert("\(keyID) \(nonce)").inserted
            else { return false }
            content.count += 1
            return true
        }
    }
}
