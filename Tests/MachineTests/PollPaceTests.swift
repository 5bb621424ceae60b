import KioskFlow
import Testing

@testable import KioskRuntime

@Suite("How often the backend is asked")
struct PollPaceTests {
    /// The longest a poll may take (rules: time-outs).
    private static let poll = 2_500

    @Test("A backend that answers is asked every 3 to 5 s, also after an outage (rules: idle-cost)")
    func well() {
        var pace = PollPace()
        #expect(pace.pause == 3_000...5_000)
        for failure in [
            BackendFailure.unanswered, .notUnderstood, .refusal(.unavailable),
            .refusal(.notAuthentic),
        ] {
            pace.answered(failure)
            #expect(pace.pause != 3_000...5_000)
            pace.answered(nil)
            #expect(pace.pause == 3_000...5_000)
        }
    }

    @Test("A lost poll is made up for within a second, and a returned backend is found within 5 s")
    func away() {
        var pace = PollPace()
        pace.answered(.unanswered)
        #expect(pace.pause.upperBound < 1_000)
        for _ in 0..<1_000 {
            pace.answered(.unanswered)
            // The backend returns just after a poll was sent: that one is lost, the next one is not.
            #expect(Self.poll + pace.pause.upperBound < 4_500)
            // Machines that failed together return at different times, and none polls too often.
            #expect(pace.pause.count > 500)
            #expect(pace.pause.lowerBound >= 500)
        }
    }

    @Test("A key that is refused is asked about slowly [fault 48]")
    func refused() {
        var pace = PollPace()
        pace.answered(.refusal(.notAuthentic))
        pace.answered(.refusal(.notAuthentic))
        #expect(pace.pause.lowerBound > 5_000)
    }
}
