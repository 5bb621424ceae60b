import Testing

@testable import WebPush

@Suite("What an answer means")
struct PushOutcomeTests {
    @Test("Each status has its outcome")
    func statuses() {
        func outcome(_ status: Int) -> PushOutcome {
            PushOutcome(status: status, retryAfter: nil, now: 0)
        }
        for status in [200, 201, 202, 204, 299] { #expect(outcome(status) == .accepted) }
        for status in [404, 410] { #expect(outcome(status) == .gone) }
        for status in [300, 301, 302, 307, 308, 400, 401, 403, 413, 499] {
            #expect(outcome(status) == .refused(status: status))
        }
        for status in [429, 500, 502, 503, 599, 999] {
            #expect(outcome(status) == .busy(retryAfter: nil))
        }
        for status in [-1, 0, 100, 103, 199] { #expect(outcome(status) == .unreached) }
    }

    @Test("Retry-After is a number of seconds or a date, an hour at most")
    func delays() {
        // 1994-11-06 08:49:37 UTC, the example of RFC 9110 5.6.7.
        let date: Int64 = 784_111_777
        func delay(_ field: String, now: Int64 = date - 60) -> Duration? {
            retryDelay(field, now: now)
        }
        #expect(delay("0") == .zero)
        #expect(delay("120") == .seconds(120))
        #expect(delay("3600") == .seconds(3_600))
        #expect(delay("3601") == .seconds(3_600))
        #expect(delay("99999999999999999999999999") == .seconds(3_600))
        #expect(delay("Sun, 06 Nov 1994 08:49:37 GMT") == .seconds(60))
        #expect(delay("Sunday, 06-Nov-94 08:49:37 GMT") == .seconds(60))
        #expect(delay("Sun Nov  6 08:49:37 1994") == .seconds(60))
        #expect(delay("Sun, 06 Nov 1994 08:49:37 GMT", now: date + 5) == .zero)
        #expect(delay("Sun, 06 Nov 1994 08:49:37 GMT", now: 0) == .seconds(3_600))
        for field in ["", " ", "-1", "+5", "1.5", "soon", "12 seconds", "\u{661}"] {
            #expect(delay(field) == nil, "\(field)")
        }
    }
}
