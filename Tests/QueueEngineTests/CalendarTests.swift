internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("The shop's clock")
struct CalendarTests {
    private static func local(_ text: String) throws -> LocalMoment {
        try #require(LocalMoment(text))
    }

    /// A shop with one place whose Saturday is sold out; on its Sunday summer time begins.
    private func slots(_ opens: String, _ closes: String, change: String, count: Int) throws
        -> [String]
    {
        let policy = ShopPolicy(capacity: 1, usualStayMinutes: 20, visitSharePercent: 100)
        let saturday = OpenInterval(
            opens: try Self.local("2027-03-27T12:00:00+01:00"),
            closes: try Self.local("2027-03-27T13:00:00+01:00"))
        let sunday = OpenInterval(
            opens: try Self.local(opens), closes: try Self.local(closes),
            clockChange: try Self.local(change).moment)
        var state = QueueState(policy: policy)
        let now = try Self.local("2027-03-27T12:55:00+01:00").moment
        return try (0..<count).map { index in
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
    }

    @Test("When the clock goes forward, slots follow real time, shown as clock times")
    func summer() throws {
        let slots = try slots(
            "2027-03-28T01:00:00+01:00", "2027-03-28T06:00:00+02:00",
            change: "2027-03-28T01:00:00+00:00", count: 4)
        #expect(
            slots == [
                "2027-03-28T01:00:00.000+01:00-01:20", "2027-03-28T01:30:00.000+01:00-01:50",
                "2027-03-28T03:00:00.000+02:00-03:20", "2027-03-28T03:30:00.000+02:00-03:50",
            ])
    }
}
