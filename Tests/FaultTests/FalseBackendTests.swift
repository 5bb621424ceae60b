import KioskFlow
import KioskRuntime
import TestSupport
import Testing

@Suite("A machine that knows its backend by its key (rules: signed-answers)")
struct FalseBackendTests {
    @Test("An answer that the backend did not sign is none, and is asked for again [fault 59]")
    func unsigned() async throws {
        try await FaultyShop.with { shop in
            let client = try await shop.pinned()
            for bytes in [
                HTTPBytes.problem(401, "not-authentic"), HTTPBytes.problem(403, "forbidden"),
                HTTPBytes.problem(422, "key-reused"), HTTPBytes.problem(409, "hold-lapsed"),
                HTTPBytes.answer(200, "<html>", type: "text/html"),
            ] {
                shop.proxy.pass()
                shop.proxy.inject(.answer(bytes))
                #expect(await client.takePlace(.ticket, .fresh()).failure == .unanswered)
                shop.proxy.pass()
                let hold = try await client.takePlace(.ticket, .fresh()).get().id
                shop.proxy.inject(.answer(bytes), path: "/confirmation", times: 2)
                #expect(try await client.confirm(hold, .fresh()).get().id == hold)
            }
            #expect(try await shop.numbered().count == 5)
            try await shop.judge()
        }
    }

    @Test(
        "A wrong clock is corrected by the backend's own answer, once [fault 36]",
        arguments: [-86_400, -61, 3_600, 40_000_000] as [Int64])
    func clock(ahead seconds: Int64) async throws {
        try await FaultyShop.with { shop in
            let client = try await shop.pinned(ahead: seconds)
            // An answer that the backend did not sign does not move it.
            let lie = HTTPBytes.problem(
                401, "not-authentic", fields: ["Date: Thu, 01 Jan 1970 00:00:00 GMT"])
            shop.proxy.inject(.answer(lie))
            #expect(await client.queue().failure == .unanswered)
            shop.proxy.pass()
            let before = shop.proxy.log.count
            #expect(await client.queue().failure == nil)
            #expect(shop.proxy.log.count == before + 2)
            #expect(await client.queue().failure == nil)
            #expect(try await client.takePlace(.ticket, .fresh()).get().visit == nil)
            #expect(shop.proxy.log.count == before + 4)
        }
    }
}
