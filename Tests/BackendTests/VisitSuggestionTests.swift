import BackendAPI
@testable import BackendService
import Reservations
import Testing

@Suite("Suggestions after a visit was not to be had [UC5]")
final class VisitSuggestionTests: OpenShop {
    /// A shop at ten o'clock in which phones may book one visit at a time.
    override init() throws { super.init(try Self.shop()) }

    private static func shop(
        _ limits: [LimitedAction: RateLimit] = [:]
    ) throws -> (TestBackend, TestMachine) {
        try TestBackend.joinable(limits) { $0.phones.hasVisits = true }
    }

    private static func asked(
        _ device: TestDevice, _ start: String = TestBackend.saturday, minutes: Int? = nil,
        of shop: String = "ROM1", from address: String? = nil
    ) throws -> WireResponse {
        try device.holdVisit(start, minutes: minutes, at: shop, from: address, by: .suggestions)
    }

    @Test("A slot that is free after all is said to be [UC5.1], and is not counted")
    func free() throws {
        let list = try Self.asked(TestDevice(backend)).decoded(SuggestionList.self)
        #expect(list.isFree)
        try TestDevice(backend).book()
        _ = try Self.asked(TestDevice(backend))
        backend.stop()
        #expect(try backend.count("refused_slot") == 1)
        #expect(try backend.count("refused_slot WHERE day = '2026-11-21' AND hour = 10") == 1)
    }

    @Test("Other shops: of the five nearest those with a slot then, today also those with a ticket")
    func shops() throws {
        try backend.surround(by: [3, 1, -2, 40, 50, 60, 5]) { number, shop in
            // The second nearest one has no visits, and one of the five nearest is closed on that day.
            if number == 2 { shop.policy.phones.hasVisits = false }
            if number == 0 { shop.hours = try OpeningHours(week: "Mon-Fri 08:00-20:00") }
            if number == 1 { shop.policy.phones.hasRemotePlaces = true }
        }
        try TestDevice(backend).book()
        try TestDevice(backend).book(at: "MIL1")
        let list = try Self.asked(TestDevice(backend)).decoded(SuggestionList.self)
        #expect(list.sameDay.first?.start.time.description == "09:15")
        #expect(list.otherDays.first?.start.day.day == 22)
        #expect(list.shops.map(\.tag) == ["MIL1", "MIL6", "MIL3", "MIL4"])
        #expect(list.shops.map(\.metres) == [111, 556, 4_448, 5_560])
        #expect(
            list.shops.map(\.slot?.start.time.description) == ["09:30", "10:00", "10:00", "10:00"])
        #expect(list.shops.allSatisfy { $0.wait == nil })
        // Of today: one has no slot any more, and a ticket.
        let noon = "2026-11-20T11:00:00+01:00"
        try TestDevice(backend).book(noon)
        let today = try Self.asked(TestDevice(backend), noon).decoded(SuggestionList.self)
        #expect(today.shops.map(\.tag) == ["MIL1", "MIL0", "MIL6", "MIL3", "MIL4"])
        #expect(today.shops[0].wait != nil && today.shops[1].wait == nil)
    }

    @Test("Bad input, no slot and a shop without visits have their answers and are not counted")
    func refusals() throws {
        let device = TestDevice(backend)
        for body in [
            "{}", "[]", "{\"shop\":\"ROM1\"}", "{\"shop\":\"ROM1\",\"visit\":{\"start\":\"soon\"}}",
            "{\"shop\":\"ROM1\",\"visit\":{\"start\":\"\(TestBackend.saturday)\",\"minutes\":5}}",
        ] {
            #expect(try device.call(.suggestions, body).problem == .malformed, "\(body)")
        }
        for start in [
            "2026-11-21T10:05:00+01:00", "2026-11-21T03:00:00+01:00", "2031-01-01T10:00:00Z",
        ] {
            #expect(try Self.asked(device, start).problem == .slotTaken, "\(start)")
        }
        #expect(try Self.asked(device, of: "ROM9").problem == .notFound)
        try backend.changeShop { $0.policy.phones.hasVisits = false }
        try backend.restart()
        #expect(try Self.asked(device).problem == .noVisitsOnPhones)
        backend.stop()
        #expect(try backend.count("refused_slot") == 0)
    }

    @Test("One address has no more requests counted than its part, and others still have theirs")
    func limited() throws {
        let (backend, _) = try Self.shop([.suggestions: .only(3)])
        try TestDevice(backend).book()
        let device = TestDevice(backend)
        for _ in 1...3 { #expect(try Self.asked(device).status == 200) }
        #expect(try Self.asked(device).problem == .tooManyRequests)
        #expect(try Self.asked(TestDevice(backend), from: "198.51.100.8").status == 200)
        backend.stop()
        #expect(try backend.count("refused_slot WHERE requests = 4") == 1)
    }
}
