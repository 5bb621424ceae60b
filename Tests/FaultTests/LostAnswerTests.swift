import KioskFlow
import KioskRuntime
import Reservations
import TestSupport
import Testing

@Suite("The answer is lost after the backend has committed [fault 19]")
struct LostAnswerTests {
    @Test("A retry brings the same place [fault 19]", arguments: 1...3, FaultyShop.Engine.allCases)
    func lost(times: Int, engine: FaultyShop.Engine) async throws {
        try await FaultyShop.with(on: engine) { shop in
            let client = try shop.client()
            shop.proxy.inject(.dropAnswer, method: "POST", path: "/holds", times: times)
            shop.proxy.inject(.dropAnswer, path: "/confirmation", times: times)
            let hold = try await client.takePlace(.ticket, .fresh()).get().id
            #expect(try await shop.backend.rows().map(\.id) == [hold.rawValue])
            let reservation = try await client.confirm(hold, .fresh()).get()
            let row = try #require(try await shop.numbered().first)
            #expect(row.code == reservation.code.rawValue)
            #expect(row.number == reservation.number.rawValue)
            for path in ["/holds", "/confirmation"] {
                let tries = shop.proxy.asked("POST", path)
                #expect(tries.count == times + 1)
                #expect(Set(tries.map(\.key)).count == 1)
                #expect(tries.dropLast().allSatisfy { $0.outcome == .unknown })
            }

            shop.proxy.inject(.dropAnswer, method: "DELETE", times: times)
            let deleted = await client.delete(reservation.id, .entry(reservation.code), .fresh())
            #expect(deleted.failure == nil)
            #expect(try await shop.backend.rows().map(\.state) == ["deleted"])
            #expect(Set(shop.proxy.asked("DELETE").map(\.key)).count == 1)
            try await shop.judge()
        }
    }
}
