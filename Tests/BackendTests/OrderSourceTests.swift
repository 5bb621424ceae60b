import BackendAPI
import Cryptography
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("A shop's own system announces orders by signed calls (rules 41)")
final class OrderSourceTests: OpenShop {
    private let source: TestMachine

    override init() throws {
        let backend = try TestBackend { $0.orders.desks = 2 }
        source = try backend.enrol("web-shop", role: .orderSource)
        super.init((backend, try backend.enrol("door-1")))
    }

    private func body(in minutes: Int = 60, _ parcels: String...) throws -> String {
        let promised = LocalMoment(TestBackend.morning + .minutes(minutes), offsetMinutes: 60)
        let known = parcels.compactMap { Parcel(text: $0) }
        // A key is good for one text only.
        return try sortedJSON(OrderAnnouncement(promised: promised, parcels: known))
    }

    // [Click-And-Collect TC3]
    @Test("An order gets its codes once, is changed until its customer is here, and called off")
    func announces() throws {
        let route = Route.orderAnnouncement("A-1.b_2")
        let answer = try source.call(route, body("small"), key: "a")
        #expect(answer.status == 201)
        let receipt = try answer.decoded(OrderReceipt.self)
        #expect(receipt.reference == "A-1.b_2" && receipt.state == .promised)
        #expect(receipt.code.tag.rawValue == "ROM1")
        #expect(try source.call(route, body("small"), key: "a").body == answer.body, "the same key")
        let again = try source.call(route, body("small"))
        #expect(again.status == 200 && again.body == answer.body)
        let shelved = try source.call(route, body("small@A3", "large@B1"))
        #expect(shelved.status == 200)
        let ready = try shelved.decoded(OrderReceipt.self)
        #expect(ready.state == .onShelf && ready.code == receipt.code)
        let code = "{\"code\":\"\(receipt.code.rawValue)\"}"
        let found = try machine.call(.orderLookup, code).decoded(PickupOrder.self)
        #expect(found.reference == "A-1.b_2" && found.parcels == 2 && found.isReady)

        #expect(try machine.call(.orderArrival(found.id), code).status == 201)
        let late = try source.call(route, body("small"))
        #expect(late.status == 409 && late.problem == .orderUnderWay)
        let cancelled = try source.call(.orderCancellation("A-1.b_2"))
        #expect(try cancelled.decoded(OrderReceipt.self).state == .cancelled)
        #expect(try source.call(.orderCancellation("A-1.b_2")).status == 200, "once more")
        #expect(try source.call(.orderCancellation("none")).problem == .notFound)
        #expect(
            try backend.count("pickup_event WHERE actor = 'web-shop'") == 3,
            "promised, on the shelf and cancelled")
    }

    @Test("A reference may be like the name of a call, and each path answers its methods")
    func paths() throws {
        #expect(try source.call(.orderAnnouncement("lookup"), body("small")).status == 201)
        #expect(try source.call(.orderCancellation("lookup")).status == 200)
        for reference in ["..", ".", "a b", "a%2Fb", String(repeating: "a", count: 41), ""] {
            let path = "/v1/orders/\(reference)"
            #expect(Route(path: path, method: "PUT")?.name != .orderAnnouncement, "\(reference)")
        }
        #expect(Route(path: "/v1/orders/lookup", method: "POST")?.name == .orderLookup)
        #expect(Route(path: "/v1/orders/lookup", method: "PUT")?.id == "lookup")
        #expect(Route(path: "/v1/orders/x", method: "DELETE")?.name == .orderCancellation)
        #expect(Route(path: "/v1/orders/x", method: "GET")?.id == "x")
        #expect(Route(path: "/v1/orders/x/arrival", method: "POST")?.name == .orderArrival)
        var wrong = source.request(.orderAnnouncement("1"), try body("small"))
        wrong.method = "PATCH"
        let answer = try source.send(source.sign(wrong))
        #expect(answer.status == 405 && answer.fields["allow"] == "PUT, DELETE")
    }

    @Test("What cannot be is refused, and nothing is stored")
    func refused() throws {
        let promised = "\"promised\":\"2026-11-20T17:00:00+01:00\""
        for text in [
            "", "{}", "{\(promised)}", "{\(promised),\"parcels\":[]}",
            "{\(promised),\"parcels\":[{\"size\":\"huge\"}]}",
            "{\(promised),\"parcels\":[{\"size\":\"small\",\"shelf\":\"A 3\"}]}",
            "{\(promised),\"parcels\":[{\"size\":\"small\",\"shelf\":\"ABCDEFGHIJKLM\"}]}",
            "{\"promised\":\"tomorrow\",\"parcels\":[{\"size\":\"small\"}]}",
            "{\(promised),\"parcels\":[\(String(repeating: "{\"size\":\"small\"},", count: 20)){\"size\":\"small\"}]}",
        ] {
            #expect(
                try source.call(.orderAnnouncement("1"), text).problem == .malformed, "\(text)")
        }
        for minutes in [-8 * 1_440, 401 * 1_440] {
            let answer = try source.call(.orderAnnouncement("1"), body(in: minutes, "small"))
            #expect(answer.status == 422 && answer.problem == .implausible)
        }
        #expect(try backend.count("pickup_order") == 0)
        let without = try TestBackend()
        let other = try without.enrol("web-shop", role: .orderSource)
        #expect(try other.call(.orderAnnouncement("1"), body("small")).problem == .unsupportedKind)
    }

    @Test("A stolen key of a shop's system reaches no other shop")
    func attacked() throws {
        let neighbour = ShopID("shop-2")
        try backend.administration.addShop(
            TestBackend.shop(neighbour, "MIL1", "Altra") { $0.orders.desks = 1 })
        let thief = try backend.enrol("web-shop", role: .orderSource, of: neighbour)
        #expect(try source.call(.orderAnnouncement("1"), body("small")).status == 201)
        #expect(try thief.call(.orderCancellation("1")).problem == .notFound)
        let unknown = TestMachine(backend: backend, key: try SigningKey.generate())
        #expect(try unknown.call(.orderAnnouncement("2"), body("small")).problem == .notAuthentic)
    }

    @Test("The example of a shop's own system makes its key, announces an order and calls it off")
    func example() async throws {
        let script = Tool.repository.appending(path: "Kiosk/announce-order").path
        let file = backend.directory.path + "/key.pem"
        let key = try await Tool.succeed(script, ["key", file]).trimmingCharacters(
            in: .whitespacesAndNewlines)
        let publicKey = try #require(PublicKey(text: key))
        try backend.admit(publicKey, as: "example", role: .orderSource)
        // The program signs by the real time.
        backend.time.jump(
            by: Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) - backend.time.now
        )
        let promised = LocalMoment(backend.time.now + .minutes(60), offsetMinutes: 60)
        let address = "\(backend.address)"
        let announced = try await Tool.succeed(
            script, ["put", file, address, "4711", "\(promised)", "medium@A3,small"])
        #expect(announced.contains("\"reference\":\"4711\"") && announced.contains("CLUP:C:ROM1"))
        let cancelled = try await Tool.succeed(script, ["delete", file, address, "4711"])
        #expect(cancelled.contains("\"state\":\"cancelled\""))
        #expect(try backend.count("pickup_order") == 1)
    }
}
