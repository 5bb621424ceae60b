import BackendAPI
import Reservations
import Testing

@Suite("The service over HTTP")
final class ServiceTests: OpenShop {
    @Test("A customer's ticket: held, extended, confirmed, seen in the queue, deleted")
    func ticket() throws {
        let shop = try machine.profile()
        #expect(shop.shopName == "Città" && shop.machine == MachineID("north"))
        #expect(shop.languages == ["it", "en"])
        #expect(shop.now.description == "2026-11-20T10:00:00.000+01:00")

        let answer = try machine.hold()
        #expect(answer.status == 201)
        let hold = try answer.decoded(HeldPlace.self)
        #expect(hold.kind == .ticket && hold.now.moment == TestBackend.morning)
        #expect(hold.expires.moment - hold.now.moment == .seconds(210))
        #expect(hold.wait.peopleAhead == 0)
        backend.time.advance(by: .seconds(60))
        let extended = try machine.call(.holdExtension(hold.id))
        #expect(extended.status == 200)
        #expect(try extended.decoded(HeldPlace.self).expires.moment > hold.expires.moment)

        let confirmed = try machine.call(.holdConfirmation(hold.id))
        #expect(confirmed.status == 201)
        let reservation = try confirmed.decoded(Reservation.self)
        #expect(reservation.number.rawValue == 1 && reservation.code.tag.rawValue == "ROM1")
        #expect(reservation.shopName == "Città")

        let queue = try machine.queue()
        #expect(queue.isOpen && queue.ticketAvailable && queue.opens == nil)
        #expect(queue.closes?.description == "2026-11-20T20:00:00.000+01:00")

        let body = "{\"code\":\"\(reservation.code.rawValue)\"}"
        let deleted = try machine.call(.reservation(reservation.id), body)
        #expect(deleted.status == 204 && deleted.body.isEmpty)
        #expect(try machine.call(.reservation(reservation.id), body).problem == .alreadyDeleted)
    }

    @Test("A place that is given back is free, twice without an error")
    func release() throws {
        let hold = try machine.held()
        for _ in 0..<2 { #expect(try machine.call(.hold(hold.id)).status == 204) }
        #expect(try machine.call(.holdConfirmation(hold.id)).problem == .holdExpired)
    }

    @Test("The shop is closed until it opens again")
    func closed() throws {
        let backend = try TestBackend(hours: "Mon-Thu 08:00-20:00; Sat 09:00-13:00")
        let machine = try backend.enrol()
        let opens = "2026-11-21T09:00:00.000+01:00"
        for refused in [try machine.hold(), try machine.call(.help)] {
            #expect(refused.problem == .shopClosed)
            #expect(try refused.decoded(Problem.self).opens?.description == opens)
        }
        let queue = try machine.queue()
        #expect(!queue.isOpen && !queue.ticketAvailable && queue.closes == nil && queue.wait == nil)
        #expect(queue.opens?.description == opens)
    }

    @Test("A request that breaks the contract's form is refused, and changes nothing")
    func malformed() throws {
        for body in [
            "", "{", "[]", "null", "{}", "{\"kind\":1}", "{\"kind\":null}", "kind=ticket",
            "{\"kind\":\"ticket\"", String(repeating: "[", count: 4_000),
        ] {
            #expect(try machine.call(.holds, body).problem == .malformed, "\(body.prefix(20))")
        }
        #expect(try machine.call(.holds, "{\"kind\":\"\"}").problem == .unsupportedKind)
        #expect(try machine.call(.holds, "{\"kind\":\"VIP\"}").problem == .unsupportedKind)
        #expect(
            try machine.call(.holds, String(repeating: " ", count: 4_097)).problem == .tooLarge)
        for code in ["", "x", "CLUP:1:ROM1", "CLUP:1:ROM10000000000000000000000000U"] {
            #expect(
                try machine.call(.reservation(ReservationID("x")), "{\"code\":\"\(code)\"}").problem
                    == .unreadableCode)
        }
        var request = machine.request(.holds, "{\"kind\":\"ticket\"}")
        for key in [nil, "", "a b", "é", String(repeating: "k", count: 65)] {
            request.fields["idempotency-key"] = key
            #expect(try machine.send(request).problem == .malformed)
        }
        let queue = try machine.queue()
        #expect(queue.wait?.peopleAhead == 0)
    }

    @Test("Unknown paths are 404, other methods 405 with the allowed one")
    func routes() throws {
        for path in ["/", "/v1", "/v1/", "/v2/queue", "/v1/queue/", "/v1/holds/A", "/v1/holds/a/b"]
        {
            var request = machine.request(.queue)
            request.path = path
            #expect(try machine.send(machine.sign(request)).problem == .unknownRoute, "\(path)")
        }
        for (route, method) in [(Route.queue, "POST"), (.holds, "GET"), (.hold(.init("a")), "PUT")]
        {
            var request = machine.request(route)
            request.method = method
            request.fields["idempotency-key"] = "k"
            let response = try machine.send(machine.sign(request))
            #expect(response.problem == .methodNotAllowed)
            #expect(response.fields["allow"] == route.endpoint.method.rawValue)
        }
        let health = try RawClient(backend.address).get("/healthz")
        #expect(health?.status == 200 && health?.text == "ok\n")
    }

    @Test("The same key gives the same answer, byte for byte, and another request is refused")
    func idempotency() throws {
        let first = try machine.hold(key: "k1")
        backend.time.advance(by: .seconds(5))
        let second = try machine.hold(key: "k1")
        #expect(first.status == 201 && first.body == second.body && second.status == 201)
        #expect(try machine.call(.holds, "{\"kind\": \"ticket\"}", key: "k1").problem == .keyReused)
        let hold = try first.decoded(HeldPlace.self)
        #expect(try machine.call(.holdExtension(hold.id), key: "k1").problem == .keyReused)
        let one = try machine.call(.holdConfirmation(hold.id), key: "k2")
        try backend.restart()
        let two = try machine.call(.holdConfirmation(hold.id), key: "k2")
        #expect(one.status == 201 && one.body == two.body, "another process gives the same")
        let south = try backend.enrol("south")
        #expect(try south.hold(key: "k1").body != first.body, "another machine's key is its own")
    }
}
