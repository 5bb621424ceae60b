import BackendAPI
@testable import BackendService
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Suggestions after a visit was not to be had [UC5]")
struct VisitSuggestionTests {
    private static let saturday = "2026-11-21T10:00:00+01:00"

    /// A shop in Milan, at ten o'clock, in which phones may book one visit at a time.
    private static func backend(
        _ limits: [LimitedAction: RateLimit] = [:]
    ) throws -> (TestBackend, TestMachine) {
        try TestBackend.joinable(limits) { $0.phones.hasVisits = true }
    }

    private static func asked(
        _ device: TestDevice, _ start: String = saturday, minutes: Int? = nil
    ) throws -> WireResponse {
        let minutes = minutes.map { ",\"minutes\":\($0)" } ?? ""
        return try device.call(
            .suggestions, "{\"shop\":\"ROM1\",\"visit\":{\"start\":\"\(start)\"\(minutes)}}")
    }

    private static func book(_ device: TestDevice, _ start: String, at shop: String) throws {
        let hold = try device.call(
            .holds, "{\"shop\":\"\(shop)\",\"visit\":{\"start\":\"\(start)\"}}")
        _ = try device.confirm(hold.decoded(PlaceOnOffer.self))
    }

    /// Adds shops on the meridian of the first one, so many thousandths of a degree north of it: 111 m each.
    private static func addShops(
        _ places: [Int], to backend: TestBackend,
        _ decide: (Int, inout Shop) throws -> Void = { _, _ in }
    ) throws {
        var first = try #require(try backend.administration.shops().first)
        first.address.position = ShopAddress.Position(latitude: 45_470_000, longitude: 9_200_000)
        try backend.administration.updateShop(first, openings: [])
        for (number, thousandths) in places.enumerated() {
            var shop = Shop(
                id: ShopID("near-\(number)"), tag: ShopTag(rawValue: "MIL\(number)")!,
                name: "Milano \(number)", timeZone: first.timeZone, hours: first.hours,
                policy: first.policy, languages: ["it"])
            shop.address.position = ShopAddress.Position(
                latitude: 45_470_000 + thousandths * 1_000, longitude: 9_200_000)
            try decide(number, &shop)
            try backend.administration.addShop(shop)
        }
        try backend.restart()
    }

    @Test("The nearest times of the day, the same time of the days around, and nothing is held")
    func slots() throws {
        let (backend, _) = try Self.backend()
        try Self.book(TestDevice(backend), Self.saturday, at: "ROM1")
        let device = TestDevice(backend)
        let list = try Self.asked(device).decoded(SuggestionList.self)
        #expect(!list.isFree && list.shops.isEmpty)
        #expect(
            list.sameDay.map(\.start.time.description) == ["09:15", "09:30", "10:30", "10:45"])
        // It is Friday at ten o'clock, so that the same time of today is over.
        #expect(list.otherDays.map(\.start.day.day) == [22, 23])
        #expect((list.sameDay + list.otherDays).allSatisfy { $0.level == 3 })
        let free = try device.call(.slots, "{\"shop\":\"ROM1\"}").decoded(SlotList.self)
        #expect(try backend.count("reservation WHERE state = 'pending'") == 0)
        #expect(free.periods.count > 20)
        let longer = try Self.asked(device, minutes: 120).decoded(SuggestionList.self)
        #expect(
            longer.sameDay.map(\.start.time.description) == ["10:30", "10:45", "11:00", "11:15"])
    }

    @Test("A slot that is free after all is said to be [UC5.1], and is not counted")
    func free() throws {
        let (backend, _) = try Self.backend()
        let list = try Self.asked(TestDevice(backend)).decoded(SuggestionList.self)
        #expect(list.isFree)
        try Self.book(TestDevice(backend), Self.saturday, at: "ROM1")
        _ = try Self.asked(TestDevice(backend))
        backend.stop()
        #expect(try backend.count("refused_slot") == 1)
        #expect(try backend.count("refused_slot WHERE day = '2026-11-21' AND hour = 10") == 1)
    }

    @Test("Other shops: of the five nearest those with a slot then, today also those with a ticket")
    func shops() throws {
        let (backend, machine) = try Self.backend()
        try Self.addShops([3, 1, -2, 40, 50, 60, 5], to: backend) { number, shop in
            // The second nearest one has no visits, and one of the five nearest is closed on that day.
            if number == 2 { shop.policy.phones.hasVisits = false }
            if number == 0 { shop.hours = try OpeningHours(week: "Mon-Fri 08:00-20:00") }
            if number == 1 { shop.policy.phones.hasRemotePlaces = true }
        }
        try Self.book(TestDevice(backend), Self.saturday, at: "ROM1")
        try Self.book(TestDevice(backend), Self.saturday, at: "MIL1")
        let list = try Self.asked(TestDevice(backend)).decoded(SuggestionList.self)
        #expect(list.shops.map(\.tag) == ["MIL1", "MIL6", "MIL3", "MIL4"])
        #expect(list.shops.map(\.metres) == [111, 556, 4_448, 5_560])
        #expect(
            list.shops.map(\.slot?.start.time.description) == ["09:30", "10:00", "10:00", "10:00"])
        #expect(list.shops.allSatisfy { $0.wait == nil })
        // Of today: one has no slot any more, and a ticket.
        let noon = "2026-11-20T11:00:00+01:00"
        try Self.book(TestDevice(backend), noon, at: "ROM1")
        let today = try Self.asked(TestDevice(backend), noon).decoded(SuggestionList.self)
        #expect(today.shops.map(\.tag) == ["MIL1", "MIL0", "MIL6", "MIL3", "MIL4"])
        #expect(today.shops[0].wait != nil && today.shops[1].wait == nil)
        _ = machine
    }

    @Test(
        "Bad input, what is no slot, a shop without visits: each has its answer and is not counted")
    func refusals() throws {
        let (backend, _) = try Self.backend()
        let device = TestDevice(backend)
        for body in [
            "{}", "[]", "{\"shop\":\"ROM1\"}", "{\"shop\":\"ROM1\",\"visit\":{\"start\":\"soon\"}}",
            "{\"shop\":\"ROM1\",\"visit\":{\"start\":\"\(Self.saturday)\",\"minutes\":5}}",
        ] {
            #expect(try device.call(.suggestions, body).problem == .malformed, "\(body)")
        }
        for start in [
            "2026-11-21T10:05:00+01:00", "2026-11-21T03:00:00+01:00", "2031-01-01T10:00:00Z",
        ] {
            #expect(try Self.asked(device, start).problem == .slotTaken, "\(start)")
        }
        #expect(
            try device.call(
                .suggestions, "{\"shop\":\"ROM9\",\"visit\":{\"start\":\"\(Self.saturday)\"}}"
            ).problem == .notFound)
        var shop = try #require(try backend.administration.shops().first)
        shop.policy.phones.hasVisits = false
        try backend.administration.updateShop(shop, openings: [])
        try backend.restart()
        #expect(try Self.asked(device).problem == .noVisitsOnPhones)
        backend.stop()
        #expect(try backend.count("refused_slot") == 0)
    }

    @Test("One address has no more requests counted than its part, and others still have theirs")
    func limited() throws {
        let (backend, _) = try Self.backend([.suggestions: RateLimit(perSecond: 0.001, burst: 3)])
        try Self.book(TestDevice(backend), Self.saturday, at: "ROM1")
        let device = TestDevice(backend)
        for _ in 1...3 { #expect(try Self.asked(device).status == 200) }
        #expect(try Self.asked(device).problem == .tooManyRequests)
        #expect(
            try TestDevice(backend).call(
                .suggestions, "{\"shop\":\"ROM1\",\"visit\":{\"start\":\"\(Self.saturday)\"}}",
                from: "198.51.100.8"
            ).status == 200)
        backend.stop()
        #expect(try backend.count("refused_slot WHERE requests = 4") == 1)
    }
}
