import MachineClock
import Testing

@Suite("The machine's clock")
@MainActor struct MachineClockTests {
    @Test("When it says that what has ended is handled, those who waited have gone on")
    func handled() async {
        for _ in 0..<200 {
            let clock = MachineClock(isRunning: false)
            var hasGoneOn = false
            let waiting = Task {
                try await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
                hasGoneOn = true
            }
            while !clock.moveToNextEnd() { await Task.yield() }
            while !clock.isHandled { await Task.yield() }
            #expect(hasGoneOn)
            _ = await waiting.result
        }
    }

    @Test("A wait ends with its task, and the clock forgets it")
    func cancelled() async {
        let clock = MachineClock(isRunning: false)
        let waiting = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
        while clock.moveToNextEnd(atMost: .zero) { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(!clock.moveToNextEnd() && clock.isHandled)
    }
}
