public import Reservations

/// The time of day as queues need it: it never jumps, so that setting a clock ends no hold and no call.
///
/// It begins with the wall clock and goes on with the time since boot. If the wall clock shows another time, it
/// approaches that by at most a tenth of the time that passes, and never goes back.
public struct SteadyTime: Sendable {
    /// The divisor of the passed time that limits a correction: ten minutes to enter remain more than nine.
    private static let correction: Int64 = 10
    /// A wall clock that shows an earlier time was never set: 2025-01-01, before this program existed.
    private static let plausible = Moment(milliseconds: 1_735_689_600_000)
    /// The smallest difference that is worth reporting: more than computers correct day by day.
    private static let jumpThreshold = Duration.seconds(10)

    public private(set) var now: Moment
    private var uptime: Duration
    /// The passed milliseconds that were too few for a correction.
    private var uncorrected: Int64 = 0
    /// The difference between the wall clock and the uptime when they were read last.
    private var offset: Duration

    /// - Parameter uptime: The time since boot, sleep included.
    public init(wall: Moment, uptime: Duration) {
        now = wall
        self.uptime = uptime
        offset = wall - Moment(milliseconds: 0) - uptime
    }

    /// Advances to what the clocks show; returns how far the wall clock is ahead if it was set since the last call.
    public mutating func clocksRead(wall: Moment, uptime: Duration) -> Duration? {
        // Only whole milliseconds are taken, so that no fraction is lost from call to call.
        let passed = Duration.milliseconds(max(.zero, uptime - self.uptime).wholeMilliseconds)
        self.uptime += passed
        now = now + passed
        let former = offset
        offset = wall - Moment(milliseconds: 0) - uptime
        let wasSet = offset - former > Self.jumpThreshold || former - offset > Self.jumpThreshold
        // A machine whose clock began in 1970 has no correct time to keep.
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
