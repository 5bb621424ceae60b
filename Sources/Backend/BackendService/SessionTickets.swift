internal import Cryptography
private import Synchronization

/// Tickets that open a WebSocket once: an address cannot carry a signature of a browser's (rules 26).
final class SessionTickets: Sendable {
    /// How long a ticket can be used: a page opens its socket at once.
    static let life = Duration.seconds(30)
    /// Tickets of one key at once; a page needs one.
    private static let mostOfAKey = 4

    private struct Ticket {
        let keyID: String
        let expires: ContinuousClock.Instant
    }

    private let tickets = Mutex<[String: Ticket]>([:])

    /// A new ticket of 256 random bits; of a key that has too many the oldest is forgotten.
    func issue(to keyID: String, at now: ContinuousClock.Instant = .now) -> String {
        let text = Base64.encode(RandomBytes.make(32), .urlSafe)
        tickets.withLock { tickets in
            tickets = tickets.filter { $0.value.expires > now }
            let own = tickets.filter { $0.value.keyID == keyID }
            if own.count >= Self.mostOfAKey,
                let oldest = own.min(by: { $0.value.expires < $1.value.expires })
            {
                tickets[oldest.key] = nil
            }
            tickets[text] = Ticket(keyID: keyID, expires: now + Self.life)
        }
        return text
    }

    /// The key whose ticket it is, once; nil for one that is unknown, used or too old.
    func redeem(_ text: String, at now: ContinuousClock.Instant = .now) -> String? {
        tickets.withLock { tickets in
            tickets.removeValue(forKey: text).flatMap { $0.expires > now ? $0.keyID : nil }
        }
    }
}
