#if DEBUG
    import Dispatch
    import Glibc
    import MachineClock
    import Synchronization
    import UnixSocket

    /// Lets a test move the clock of a running machine through the unix socket that `CLUP_CLOCK` names. The shipped
    /// program does not have it.
    ///
    /// `pass SECONDS` lets time pass at once, or as it really does while an answer is awaited; `silence SECONDS` lets
    /// it pass while no answer comes. Both go in steps, so that each clock and countdown of the screen is seen, and
    /// answer when the machine has handled the last one. `stand` stops the machine where it is, and `go SECONDS` lets
    /// it go on after this time.
    final class MovedClock: Sendable {
        private static let step: Duration = .milliseconds(250)
        private let socket = Mutex<CommandSocket?>(nil)
        /// Waits on the main queue while the machine stands still.
        private let standing = Mutex<DispatchSemaphore?>(nil)

        init?() {
            guard let path = getenv("CLUP_CLOCK").map({ String(cString: $0) }),
                let socket = try? CommandSocket(
                    path: path, label: "clup.clock",
                    answer: { [weak self] in self?.carryOut($0) ?? "error: ended" })
            else { return nil }
            self.socket.withLock { $0 = socket }
        }

        private func carryOut(_ line: String) -> String {
            let words = line.split(separator: " ")
            let time = words.dropFirst().first.flatMap { Double($0) }.map { Duration.seconds($0) }
            switch (words.first, time) {
            case ("pass", let time?): pass(time, evenAwaiting: false)
            case ("silence", let time?): pass(time, evenAwaiting: true)
            case ("stand", nil): stand()
            case ("go", let time?):
                MachineClock.system.move(by: time)
                standing.withLock { $0 }?.signal()
            default: return "error: the commands are pass, silence and go SECONDS, and stand"
            }
            return "ok"
        }

        private func pass(_ time: Duration, evenAwaiting: Bool) {
            let clock = MachineClock.system
            let end = clock.now.advanced(by: time)
            while case let left = clock.now.duration(to: end), left > .zero {
                if !clock.move(by: min(Self.step, left), evenAwaiting: evenAwaiting) {
                    usleep(1_000)
                }
                // What the step has ended is handled on the main queue, and may begin another call.
                for _ in 0..<2 { DispatchQueue.main.sync {} }
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
