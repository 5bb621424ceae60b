import Foundation
public import MachineClock
import Synchronization

/// Clocks for parts of the machine that wait for real programs, which a busy computer makes slow.
extension MachineClock {
    private struct Moved: Sendable {
        weak var clock: MachineClock?
        let move: @Sendable (MachineClock) -> Void
    }

    private static let pauseUs: UInt32 = 2_000
    private static let allMoved = Mutex<[Moved]>([])

    private static let mover: Void = Thread.detachNewThread {
        while true {
            let clocks = allMoved.withLock { all in
                all.removeAll { $0.clock == nil }
                return all.map { ($0.clock, $0.move) }
            }
            for (clock, move) in clocks { if let clock { move(clock) } }
            usleep(pauseUs)
        }
    }

    private static func moved(_ move: @escaping @Sendable (MachineClock) -> Void) -> MachineClock {
        let clock = MachineClock(isRunning: false)
        allMoved.withLock { $0.append(Moved(clock: clock, move: move)) }
        mover
        return clock
    }

    /// A clock by which no answer is ever too late, however slow the computer is, and by which all pauses pass at once.
    public static func unhurried() -> MachineClock {
        moved { $0.moveToNextEnd(evenAwaiting: false) }
    }

    /// A clock that runs at a third of the real speed, or slower: a limit of the machine is reached in thrice its time.
    public static func slow() -> MachineClock {
        moved { $0.move(by: .microseconds(Int64(pauseUs)) / 3) }
    }
}
