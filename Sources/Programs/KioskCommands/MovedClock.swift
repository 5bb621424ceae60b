#if DEBUG
    import Dispatch
    import Foundation
    import Glibc
    import MachineClock
    import Synchronization
    import UnixSocket

    /// Lets a test move the clock of a running machine through the unix socket that `CLUP_CLOCK` names. The shipped
    /// program does not have it.
    ///
    /// The clock runs as real time does, but slower while other programs need the processors, since a machine waits for the
    /// test that has no time to touch it; and much slower while an answer is awaited, since a slow computer is no silent
    /// backend.
    ///
    /// `pass SECONDS` lets time pass at once, or as it really does while an answer is awaited; `silence SECONDS` lets
    /// it pass while no answer comes. Both go in steps, so that each clock and countdown of the screen is seen, and
    /// answer when the machine has handled the last one. `stand` stops the machine where it is, and `go SECONDS` lets
    /// it go on after this time. `now` answers with the seconds that have passed.
    final class MovedClock: Sendable {
        private static let step: Duration = .milliseconds(250)
        private static let tick: Duration = .milliseconds(20)
        /// How many ticks pass while an answer is awaited until the clock moves by one.
        private static let ticksAwaiting = 10
        private let begin = MachineClock.system.now
        private let socket = Mutex<CommandSocket?>(nil)
        /// Held while the clock is moved and the waits that end then are ended.
        private let moving = Mutex(())
        /// Waits on the main queue while the machine stands still.
        private let standing = Mutex<DispatchSemaphore?>(nil)

        init?() {
            guard let path = getenv("CLUP_CLOCK").map({ String(cString: $0) }),
                let socket = try? CommandSocket(
                    path: path,
                    answer: { [weak self] in self?.carryOut($0) ?? "error: ended" })
            else { return nil }
            self.socket.withLock { $0 = socket }
            MachineClock.system.stop()
            Thread.detachNewThread { [self] in
                // Of this thread alone (setpriority(2)): below all tests but those of pure code.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
                var ticks = 0
                while true {
                    usleep(20_000)
                    ticks += 1
                    let isSure = ticks.isMultiple(of: Self.ticksAwaiting)
                    _ = move(by: Self.tick, evenAwaiting: isSure)
                }
            }
        }

        private func carryOut(_ line: String) -> String {
            let passed = begin.duration(to: MachineClock.system.now)
            let words = line.split(separator: " ")
            let time = words.dropFirst().first.flatMap { Double($0) }.map { Duration.seconds($0) }
            switch (words.first, time) {
            case ("pass", let time?): pass(time, evenAwaiting: false)
            case ("silence", let time?): pass(time, evenAwaiting: true)
            case ("stand", nil): stand()
            case ("now", nil): return "\(passed / .seconds(1))"
            case ("go", let time?):
                _ = move(by: time, evenAwaiting: true)
                standing.withLock { $0 }?.signal()
            default: return "error: the commands are pass, silence and go SECONDS, stand and now"
            }
            return "ok"
        }

        private func pass(_ time: Duration, evenAwaiting: Bool) {
            let clock = MachineClock.system
            let end = clock.now.advanced(by: time)
            while case let left = clock.now.duration(to: end), left > .zero {
                if !move(by: min(Self.step, left), evenAwaiting: evenAwaiting) { usleep(1_000) }
                awaitHandled()
            }
            // The last step may be one that the other thread has not finished.
            moving.withLock { _ in }
            awaitHandled()
        }

        /// What a step has ended is handled on the main queue, and may begin another call.
        private func awaitHandled() {
            while !MachineClock.system.isHandled { usleep(500) }
            for _ in 0..<2 { DispatchQueue.main.sync {} }
        }

        private func move(by time: Duration, evenAwaiting: Bool) -> Bool {
            moving.withLock { _ in
                MachineClock.system.move(by: time, evenAwaiting: evenAwaiting)
            }
        }

        private func stand() {
            let (stands, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            standing.withLock { $0 = goesOn }
            DispatchQueue.main.async {
                stands.signal()
                goesOn.wait()
            }
            stands.wait()
        }
    }
#endif
