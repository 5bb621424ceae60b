import Dispatch
import Glibc
import SignalWatch
import Testing

@Suite("Signals of the system")
struct SignalWatchTests {
    @Test("A signal right after the watch was made is received, whichever thread it reaches")
    func heardAtOnce() {
        for round in 0..<50 {
            let heard = DispatchSemaphore(value: 0)
            let watch = SignalWatch([SIGUSR1, SIGUSR2], on: .global()) { number in
                if number == SIGUSR2 { heard.signal() }
            }
            kill(getpid(), SIGUSR2)
            #expect(heard.wait(timeout: .now() + 30) == .success, "round \(round)")
            withExtendedLifetime(watch) {}
        }
    }
}
