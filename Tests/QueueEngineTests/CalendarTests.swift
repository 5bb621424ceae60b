internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("The shop's clock")
struct CalendarTests {
    @Test("When the clock goes forward, slots follow real time, shown as clock times")
    func summer() throws {
        func local(_ text: String) throws -> LocalMoment { try #require(LocalMoment(text)) }
        // A shop with one place whose Saturday is sold out; on its Sunday summer time begins.
        var counter = Counter(capacity: 1, visitShare: 100)
        counter.otherOpenings = [
            OpenInterval(
                opens: try local("2027-03-27T12:00:00+01:00"),
                closes: try local("2027-03-27T13:00:00+01:00")),
            OpenInterval(
                opens: try local("2027-03-28T01:00:00+01:00"),
                closes: try local("2027-03-28T06:00:00+02:00"),
                clockChange: try local("2027-03-28T01:00:00+00:00").moment),
        ]
        counter.now = try local("2027-03-27T12:55:00+01:00").moment
        let slots = try (0..<4).map { _ in
            let visit = try #require(try counter.visit().visit)
            return "\(visit.start)-\(visit.end.time)"
        }
        #expect(
            slots == [
                "2027-03-28T01:00:00.000+01:00-01:20", "2027-03-28T01:30:00.000+01:00-01:50",
                "2027-03-28T03:00:00.000+02:00-03:20", "2027-03-28T03:30:00.000+02:00-03:50",
            ])
    }
}
