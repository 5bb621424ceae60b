internal import ReservationStore
internal import Reservations
private import Synchronization

/// Who has just passed which door: a paper that the reader sees twice is answered as at first (rules 16).
final class PassageMemory: Sendable {
    /// How long a second reading of a paper counts as the first.
    static let life = Duration.seconds(5)
    /// Passages that are remembered; no shop lets so many people pass in five seconds.
    private static let most = 10_000

    struct Passage: Hashable {
        let door: MachineID
        let code: PresentedCode
    }

    private struct Entry {
        let answer: StoredAnswer
        let at: ContinuousClock.Instant
    }

    private let entries = Mutex<[Passage: Entry]>([:])

    /// The answer of a moment ago; nil where nobody passed there with this code.
    func answer(to passage: Passage, at now: ContinuousClock.Instant = .now) -> StoredAnswer? {
        entries.withLock { entries in
            entries[passage].flatMap { now - $0.at <= Self.life ? $0.answer : nil }
        }
    }

    /// Remembers that somebody passed; false where that was remembered before.
    func remember(
        _ passage: Passage, _ answer: StoredAnswer, at now: ContinuousClock.Instant = .now
    ) -> Bool {
        entries.withLock { entries in
            if let known = entries[passage], now - known.at <= Self.life { return false }
            if entries.count >= Self.most {
                entries = entries.filter { now - $0.value.at <= Self.life }
            }
            entries[passage] = Entry(answer: answer, at: now)
            return true
        }
    }
}
