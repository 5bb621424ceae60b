internal import Reservations

/// Decides which nonces of a shop may be forgotten: those that came longer ago than any server accepts their signature.
///
/// Their age is measured by this process's own time since boot, since wall clocks may be set, its own and those of
/// other servers. Rows have ascending numbers as they come (`insertNonce`), so that the newest row at some time marks
/// all that were there at that time. A process that begins waits once for the whole time.
struct NonceAges {
    /// A signature may be a window (60 s) ahead when it comes, is accepted for another window, and for a third one by a
    /// server whose clock is a window behind; a session's ticket is valid for half a minute more.
    static let lifetime: Duration = .seconds(241)
    private static let ageStep: Duration = .seconds(30)

    private var marks: [(newest: Int64, seen: ContinuousClock.Instant)] = []
    /// The newest row that may be forgotten; -1, which is below all rows, while there is none.
    private(set) var forgettable: Int64 = -1

    /// The newest known row, to look for newer ones; nil if it is too early for that.
    mutating func looks(at now: ContinuousClock.Instant) -> Int64? {
        while let first = marks.first, first.seen + Self.lifetime <= now {
            forgettable = first.newest
            marks.removeFirst()
        }
        guard let last = marks.last else { return max(0, forgettable) }
        return last.seen + Self.ageStep <= now ? last.newest : nil
    }

    mutating func saw(_ newest: Int64, at now: ContinuousClock.Instant) {
        marks.append((newest, now))
    }
}
