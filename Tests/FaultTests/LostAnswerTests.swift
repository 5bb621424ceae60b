import BackendClient
import KioskFlow
import KioskRuntime
import Reservations
import TestSupport
import Testing

@Suite("The answer is lost after the backend has committed [faults 19, 20]")
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

    @Test(
        "The same key, sent at once over eight connections, brings one place [fault 20]",
        arguments: FaultyShop.Engine.allCases)
    func atOnce(engine: FaultyShop.Engine) async throws {
        try await FaultyShop.with(on: engine) { shop in
            let key = AttemptKey.fresh()
            let clients = try (0..<8).map { _ in try shop.client() }
            func all<Value: Sendable>(
                _ call: @escaping @Sendable (BackendClient) async -> Result<Value, BackendFailure>
            ) async throws -> [Value] {
                try await withThrowingTaskGroup(of: Value.self) { group in
                    for client in clients { group.addTask { try await call(client).get() } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            let holds = try await all { await $0.takePlace(.ticket, key) }
            #expect(Set(holds.map(\.id)).count == 1)
            let hold = try #require(holds.first).id
            let confirmation = AttemptKey.fresh()
            let reservations = try await all { await $0.confirm(hold, confirmation) }
            #expect(Set(reservations).count == 1)
            #expect(try await shop.backend.rows().count == 1)
            try await shop.judge()
        }
    }
}
