internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("The shop's clock")
struct CalendarTests {
    @Test("When the clock goes forward, slots follow real time, shown as clock times")
    func summer() throws {
        func local(_ text: String) throws -> LocalMoment { try #require(LocalMoment(text)) }
        // A shop with one place whose Saturday is sold out; on its Sunday summer time begins.
        let policy = ShopPolicy(capacity: 1, usualStayMinutes: 20, visitSharePercent: 100)
        let saturday = OpenInterval(
            opens: try local("2027-03-27T12:00:00+01:00"),
            closes: try local("2027-03-27T13:00:00+01:00"))
        let sunday = OpenInterval(
            opens: try local("2027-03-28T01:00:00+01:00"),
            closes: try local("2027-03-28T06:00:00+02:00"),
            clockChange: try local("2027-03-28T01:00:00+00:00").moment)
        var state = QueueState(policy: policy)
        let now = try local("2027-03-27T12:55:00+01:00").moment
        let slots = try (0..<4).map { index in
            let decision = state.perform(
                .hold(
                    .visit, owner: .machine(MachineID("m\(index)")), id: ReservationID("v\(index)")),
                in: QueueContext(
                    shop: .market(policy), now: now, openings: [saturday, sunday], forecast: nil,
                    local: { LocalMoment($0, offsetMinutes: 60) })
            ) { _ in nil }
            guard case .held(let hold) = try decision.result.get(), let visit = hold.visit else {
                throw Unexpected()
            }
            return "\(visit.start)-\(visit.end.time)"
        }
        #expect(
            slots == [
                "2027-03-28T01:00:00.000+01:00-01:20", "2027-03-28T01:30:00.000+01:00-01:50",
                "2027-03-28T03:00:00.000+02:00-03:20", "2027-03-28T03:30:00.000+02:00-03:50",
            ])
    }
}
