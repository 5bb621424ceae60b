import KioskFlow
import TerminalSurface
import Testing

@testable import KioskRuntime

@Suite("Touches that come too early")
struct TouchInputTests {
    @Test("The button looks pressed for a moment, then as before, and never on the next screen")
    func felt() {
        var input = TouchInput()
        _ = input.isNew("home")
        input.felt(.getTicket, now: .seconds(1))
        #expect(input.pointing.pressed == .getTicket)
        #expect(input.feltUntil == .seconds(1) + TouchInput.ignoredPressDisplayTime)
        let early = input.timePassed(now: .milliseconds(1_199))
        let due = input.timePassed(now: .milliseconds(1_200))
        #expect(!early && due)
        #expect(input.pointing.pressed == nil && input.feltUntil == nil)
        input.felt(.getTicket, now: .seconds(2))
        let looksOtherwise = input.isNew("offer")
        #expect(looksOtherwise)
        #expect(input.pointing.pressed == nil)
        // A touch beside all buttons shows nothing.
        input.felt(nil, now: .seconds(3))
        #expect(input.feltUntil == nil)
    }
}
