import Glibc
import QueueEngine
import Reservations
import Synchronization

/// The running server's clock, for the queue, holds, signatures and nonces alike, so that machines notice nothing
/// when the computer's clock is set.
final class SteadyClock: Sendable {
    private let time = Mutex(SteadyTime(wall: systemNow(), uptime: SteadyClock.uptime))
    /// Called with how far the system's clock is ahead, each time it was set.
    private let wasSet: @Sendable (Duration) -> Void

    init(wasSet: @escaping @Sendable (Duration) -> Void) { self.wasSet = wasSet }

    var now: Moment {
        let (now, jump) = time.withLock { time in
            let jump = time.clocksRead(wall: systemNow(), uptime: Self.uptime)
            return (time.now, jump)
        }
        if let jump { wasSet(jump) }
        return now
    }

    /// The time since boot, sleep included (clock_gettime(2), CLOCK_BOOTTIME).
    private static var uptime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
