internal import Reservations

/// Which nonces of a shop may be forgotten: those that came longer ago than any server takes their signature.
///
/// How long ago that was is told by this process's own time since boot, since wall clocks may be set, its own and
/// those of other servers. Rows have rising numbers as they come (`RequestRows`), so that all that were there at
/// some time are known by the newest of them. A process that begins waits once for the whole time.
struct NonceAges {
    /// A signature may be a window (60 s) ahead when it comes, is taken for another one, by a server whose clock is
    /// a window behind for a third; a session's ticket is good for half a minute more.
    static let life: Duration = .seconds(241)
    /// Between two looks at the newest row.
    private static let ageStep: Duration = .seconds(30)

    private var marks: [(newest: Int64, seen: ContinuousClock.Instant)] = []
    /// The newest row that may be forgotten; below all rows before one may.
    private(set) var forgettable: Int64 = -1

    /// The newest row that is known of, to look for newer ones; nil where it is too early for that.
    mutating func looks(at now: ContinuousClock.Instant) -> Int64? {
        while let first = marks.first, first.seen + Self.life <= now {
            forgettable = first.newest
            marks.removeFirst()
        }
        guard let last = marks.last else { return max(0, forgettable) }
        return last.seen + Self.ageStep <= now ? last.newest : nil
    }

    /// The newest row that is there at this time.
    mutating func saw(_ newest: Int64, at now: ContinuousClock.Instant) {
        marks.append((newest, now))
    }
}
