public import Reservations

/// The time of day as queues need it: it never jumps, so that a clock that is set ends no hold and no call.
///
/// It begins with the wall clock and goes with the time since boot. Where the wall clock says otherwise, it comes
/// nearer by at most a tenth of the time that passes, and never goes back.
public struct SteadyTime: Sendable {
    /// Of the time that passes, what is corrected at most: ten minutes to come in stay more than nine.
    private static let correction: Int64 = 10
    /// A wall clock that shows less was never set: 2025-01-01, before this program was.
    private static let plausible = Moment(milliseconds: 1_735_689_600_000)
    /// A difference that is worth telling: more than computers correct day by day.
    private static let jumpThreshold = Duration.seconds(10)

    public private(set) var now: Moment
    private var uptime: Duration
    /// Milliseconds passed that were too few for a correction.
    private var uncorrected: Int64 = 0
    /// The wall clock's distance from the uptime when it was read last.
    private var offset: Duration

    /// - Parameter uptime: time since boot, sleep included.
    public init(wall: Moment, uptime: Duration) {
        now = wall
        self.uptime = uptime
        offset = wall - Moment(milliseconds: 0) - uptime
    }

    /// Goes on to what the clocks show; answers how far the wall clock is ahead where it was set since it was last
    /// asked.
    public mutating func clocksRead(wall: Moment, uptime: Duration) -> Duration? {
        // Whole milliseconds, so that no part of one is lost from call to call.
        let passed = Duration.milliseconds(max(.zero, uptime - self.uptime).wholeMilliseconds)
        self.uptime += passed
        now = now + passed
        let former = offset
        offset = wall - Moment(milliseconds: 0) - uptime
        let wasSet = offset - former > Self.jumpThreshold || former - offset > Self.jumpThreshold
        // A machine that began in 1970 has had no time to keep.
        if now < Self.plausible, Self.plausible <= wall {
            now = wall
            return nil
        }
        let difference = wall - now
        if Self.plausible <= wall {
            uncorrected += passed.wholeMilliseconds
            let most = Duration.milliseconds(uncorrected / Self.correction)
            uncorrected %= Self.correction
            now = now + max(.zero - most, min(most, difference))
        }
        return wasSet ? difference : nil
    }
}
