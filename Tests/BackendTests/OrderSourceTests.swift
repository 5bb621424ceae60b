import BackendAPI
import Cryptography
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("A shop's own system announces orders by signed calls (rules: announced-orders)")
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

    @Test("References with a number sign are taken without it; others are refused by name")
    func references() throws {
        func announce(_ path: String, key: String? = nil) throws -> WireResponse {
            var request = source.request(.orderAnnouncement("1"), try body("small"), key: key)
            request.path = "/v1/orders/\(path)"
            return try source.send(source.sign(request))
        }
        let taken = try announce("%231001", key: "\"a-1\"")
        #expect(taken.status == 201)
        #expect(try taken.decoded(OrderReceipt.self).reference == "1001")
        // The same key without the marks of a structured field.
        #expect(try announce("%231001", key: "a-1").body == taken.body)
        #expect(try announce("1001").status == 200)
        for (path, name) in [
            ("R%2F2026%2F17", "R%2F2026%2F17"), ("R/2026/17", "R/2026/17"), ("", ""),
            ("%23", "%23"),
            (String(repeating: "a", count: 90), String(repeating: "a", count: 60) + "…"),
        ] {
            let answer = try announce(path)
            #expect(answer.status == 400 && answer.problem == .malformed, "\(path)")
            let detail = try answer.decoded(Problem.self).detail
            #expect(detail == "\"\(name)\" is no reference: \(OrderReference.rule)")
        }
        for (key, found) in [
            ("a b", "it is \"a b\""), ("\"", "it is \"\"\""), ("", "there is none"),
        ] {
            let detail = try announce("1001", key: key).decoded(Problem.self).detail
            #expect(detail?.hasSuffix("is needed, \(found)") == true, "\(key): \(detail ?? "")")
        }
        #expect(try backend.count("pickup_order") == 1)
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

    @Test(
        "A time is taken as Java, .NET and other programs write it",
        arguments: [
            "2026-11-20T17:00:00.0000000+01:00", "2026-11-20T16:00:00.000000Z",
            "2026-11-20t16:00:00z", "2026-11-20T16:00:00.5Z",
        ])
    func times(promised: String) throws {
        let text = "{\"promised\":\"\(promised)\",\"parcels\":[{\"size\":\"small\"}]}"
        #expect(try source.call(.orderAnnouncement("1"), text).status == 201)
    }

    @Test("The refusal of a body names the value that is wrong, and its form")
    func sentences() throws {
        let parcels = "\"parcels\":[{\"size\":\"small\"}]"
        let promised = "\"promised\":\"2026-11-20T17:00:00+01:00\""
        let form = "a time with an offset as 2026-11-20T17:00:00+01:00 (RFC 3339)"
        for (text, reason) in [
            ("", "it is not JSON"), ("{", "it is not JSON"), ("[]", "the body is not an object"),
            ("{\(parcels)}", "there is no \"promised\""),
            ("{\"promised\":null,\(parcels)}", "\"promised\" is null"),
            ("{\"promised\":5,\(parcels)}", "\"promised\" is not a text"),
            (
                "{\"promised\":\"2026-11-20T17:00:00\",\(parcels)}",
                "\"promised\" is \"2026-11-20T17:00:00\", and not \(form)"
            ),
            (
                "{\"promised\":\"\(String(repeating: "9", count: 100))\",\(parcels)}",
                "\"promised\" is \"\(String(repeating: "9", count: 60))…\", and not \(form)"
            ),
            ("{\(promised),\"parcels\":[]}", "\"parcels\" has 0 entries"),
            ("{\(promised),\"parcels\":{}}", "\"parcels\" is not a list"),
            ("{\(promised),\"parcels\":[{}]}", "there is no \"parcels[0].size\""),
            (
                "{\(promised),\"parcels\":[{\"size\":\"small\"},{\"size\":\"huge\"}]}",
                "\"parcels[1].size\" is \"huge\""
            ),
            (
                "{\(promised),\"parcels\":[{\"size\":\"small\",\"shelf\":\"A 3\"}]}",
                "\"parcels[0].shelf\" is \"A 3\""
            ),
        ] {
            let detail = try source.call(.orderAnnouncement("1"), text).decoded(Problem.self).detail
            #expect(detail?.hasPrefix("the body must be {\"promised\": ") == true, "\(text)")
            #expect(detail?.hasSuffix("}: \(reason)") == true, "\(text): \(detail ?? "")")
        }
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
