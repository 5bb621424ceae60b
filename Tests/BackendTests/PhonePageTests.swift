import BackendAPI
import BackendService
import Foundation
import HTTPServer
import Reservations
import TestSupport
import Testing

@Suite("The page of a place on a phone [rules 33]")
struct PhonePageTests {
    private static let pages = PhonePages(
        page: "https://queue.example.it/t", host: "127.0.0.1", maxSocketsPerShop: 10)

    /// A phone that has opened a link.
    private struct Phone {
        let backend: TestBackend
        let capability: Capability

        init(_ backend: TestBackend, _ reservation: Reservation) throws {
            self.backend = backend
            capability = try #require(reservation.link.flatMap { Capability(link: $0) })
        }

        func request(
            _ call: PublicCall, _ body: String, key: String? = nil
        ) throws -> WireRequest {
            let address = try #require(backend.phones).description.dropFirst("http://".count)
            var request = WireRequest(
                method: call.method.rawValue, authority: String(address), path: call.path,
                fields: ["content-type": "application/json"], body: Array(body.utf8))
            if call.carriesKey { request.fields["idempotency-key"] = key ?? UUID().uuidString }
            return request
        }

        static func send(_ request: WireRequest, to backend: TestBackend) throws -> WireResponse {
            let address = try #require(backend.phones)
            return try #require(try RawClient(address).call(request))
        }

        func call(
            _ call: PublicCall, code: String? = nil, capability text: String? = nil,
            key: String? = nil
        ) throws -> WireResponse {
            let code = code.map { ",\"code\":\"\($0)\"" } ?? ""
            let body = "{\"capability\":\"\(text ?? capability.rawValue)\"\(code)}"
            return try Self.send(request(call, body, key: key), to: backend)
        }

        func look() throws -> FollowedPlace { try call(.place).decoded(FollowedPlace.self) }

        /// Opens the socket of the place.
        func open() throws -> SocketClient {
            let session = try call(.sessions).decoded(SessionReply.self)
            let raw = try RawClient(#require(backend.phones), timeout: 20)
            var request = try request(.updates, "")
            SocketClient.upgrade(&request, ticket: session.ticket)
            guard raw.call(request)?.status == 101 else {
                throw RawClient.Failure(operation: "no WebSocket")
            }
            return SocketClient(upgraded: raw)
        }
    }

    private func problem(_ response: WireResponse) throws -> String {
        String(try response.decoded(Problem.self).type.dropFirst("urn:clup:problem:".count))
    }

    /// A backend whose shop is full, so that further tickets wait; and its machine.
    private func full(
        _ limits: [LimitedAction: RateLimit] = [:]
    ) throws -> (TestBackend, TestMachine) {
        let backend = try TestBackend(phones: Self.pages, phoneLimits: limits)
        let machine = try backend.enrol()
        for _ in 0..<4 { _ = try machine.reservation() }
        return (backend, machine)
    }

    @Test("A confirmed reservation has a link, which opens its place and shows no code")
    func look() throws {
        let (backend, machine) = try full()
        let first = try machine.reservation()
        let second = try machine.reservation()
        let link = try #require(second.link)
        #expect(link.hasPrefix("https://queue.example.it/t#ROM1"))
        #expect(!link.contains(second.code.rawValue.suffix(26)))
        let phone = try Phone(backend, second)
        let answer = try phone.call(.place)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(!text.contains(second.code.rawValue) && !text.contains(second.typedCode.rawValue))
        let place = try answer.decoded(FollowedPlace.self)
        #expect(place.reservation.number == second.number)
        #expect(place.reservation.status == .planned && place.reservation.wait?.peopleAhead == 1)
        #expect(place.languages == ["it", "en"] && place.address == nil && place.undoBy == nil)
        #expect(answer.fields["cache-control"] == "no-store")
        #expect(answer.fields["access-control-allow-origin"] == nil)
        // The place moves up with the line.
        #expect(try machine.delete(first.id, first.typedCode.rawValue).status == 204)
        #expect(try phone.look().reservation.wait?.peopleAhead == 0)
    }

    @Test("A confirmation that is sent again with another key brings the same link")
    func again() throws {
        let (_, machine) = try full()
        let hold = try machine.hold().decoded(HeldPlace.self)
        let links = try (0..<2).map { _ in
            try machine.call(.holdConfirmation(hold.id)).decoded(Reservation.self).link
        }
        #expect(links[0] != nil && links[0] == links[1])
    }

    @Test("Every capability that opens nothing gets the same answer")
    func guesses() throws {
        let (backend, machine) = try full()
        let mine = try machine.reservation()
        let other = try machine.reservation()
        let phone = try Phone(backend, mine)
        let others = try Phone(backend, other).capability
        let text = phone.capability.rawValue
        let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let last = digits[(digits.firstIndex(of: text.last!)! + 1) % 32]
        let guesses: [String] = [
            // The other reservation's number with this proof, one bit more, another shop, another form.
            "\(others.rawValue.prefix(12))\(text.suffix(26))", "\(text.dropLast())\(last)",
            "XXXX\(text.dropFirst(4))", text.lowercased(), "", mine.typedCode.rawValue,
            mine.code.rawValue, text + "0",
        ]
        for guess in guesses {
            let answer = try phone.call(.place, capability: guess)
            #expect(answer.status == 404, "\(guess)")
            #expect(answer.body == (try phone.call(.place, capability: "nothing")).body, "\(guess)")
            for call in [PublicCall.sessions, .withdrawal, .undo] {
                let answer = try phone.call(
                    call, code: mine.typedCode.rawValue, capability: guess)
                #expect(answer.status == 404, "\(call) \(guess)")
            }
        }
        #expect(try phone.look().reservation.status == .planned)
    }

    @Test(
        "Guesses are limited by address; those who have a place are not, nor do they pay for others' guesses"
    )
    func guessLimit() throws {
        let (backend, machine) = try full([
            .capabilities: RateLimit(perSecond: 0.001, burst: 3)
        ])
        let phone = try Phone(backend, try machine.reservation())
        _ = try phone.look()
        for _ in 0..<3 { #expect(try phone.call(.place, capability: "guess").status == 404) }
        let limited = try phone.call(.place, capability: "guess")
        #expect(limited.status == 429 && limited.fields["retry-after"] != nil)
        for _ in 0..<5 { #expect(try phone.call(.place).status == 200) }
    }

    @Test("One capability is answered only so often")
    func pageLimit() throws {
        let (backend, machine) = try full([.pages: RateLimit(perSecond: 0.001, burst: 2)])
        let phone = try Phone(backend, try machine.reservation())
        let neighbour = try Phone(backend, try machine.reservation())
        for _ in 0..<2 { _ = try phone.look() }
        #expect(try phone.call(.place).status == 429)
        _ = try neighbour.look()
    }

    @Test(
        "With the ten digits the place is given back, which is undone within two minutes where it was"
    )
    func giveBack() throws {
        let (backend, machine) = try full()
        let mine = try machine.reservation()
        let behind = try machine.reservation()
        let phone = try Phone(backend, mine)
        #expect(try phone.call(.withdrawal, code: "0000000000").status == 403)
        #expect(try problem(phone.call(.withdrawal)) == "wrong-digits")
        let digits = mine.typedCode.rawValue
        // A lost answer is asked for again.
        for _ in 0..<2 {
            #expect(try phone.call(.withdrawal, code: digits, key: "once").status == 204)
        }
        let given = try phone.look()
        #expect(given.reservation.status == .deleted)
        #expect(
            given.undoBy?.moment == backend.time.now + .seconds(120),
            "\(String(describing: given.undoBy))")
        #expect(try problem(phone.call(.withdrawal, code: digits)) == "already-deleted")
        let followed = try Phone(backend, behind)
        #expect(try followed.look().reservation.wait?.peopleAhead == 0)
        backend.time.advance(by: .seconds(119))
        #expect(try phone.call(.undo, code: "0000000000").status == 403)
        #expect(try phone.call(.undo, code: digits).status == 204)
        let returned = try phone.look()
        #expect(returned.reservation.status == .planned && returned.undoBy == nil)
        #expect(returned.reservation.number == mine.number)
        #expect(returned.reservation.wait?.peopleAhead == 0)
        #expect(try followed.look().reservation.wait?.peopleAhead == 1)
        #expect(try problem(phone.call(.undo, code: digits)) == "still-valid")
        #expect(try phone.call(.withdrawal, code: digits).status == 204)
        backend.time.advance(by: .seconds(120))
        #expect(try phone.look().undoBy == nil)
        #expect(try problem(phone.call(.undo, code: digits)) == "already-deleted")
    }

    @Test(
        "What a customer gave back at the machine by mistake is undone on the phone; a called place is not"
    )
    func undoOfMachine() throws {
        let (backend, machine) = try full()
        let mine = try machine.reservation()
        #expect(try machine.delete(mine.id, mine.code.rawValue).status == 204)
        let phone = try Phone(backend, mine)
        #expect(try phone.call(.undo, code: mine.typedCode.rawValue).status == 204)
        #expect(try phone.look().reservation.status == .planned)

        let other = try TestBackend(phones: Self.pages)
        let called = try other.enrol().reservation()
        let page = try Phone(other, called)
        #expect(try page.look().reservation.status == .called)
        #expect(try page.call(.withdrawal, code: called.typedCode.rawValue).status == 204)
        #expect(try page.look().undoBy == nil)
        #expect(
            try problem(page.call(.undo, code: called.typedCode.rawValue)) == "already-deleted")
    }

    /// Tries to give a place back with digits, from an address.
    private func withdraw(
        _ phone: Phone, _ digits: String, from address: String
    ) throws -> Int {
        var request = try phone.request(
            .withdrawal,
            "{\"capability\":\"\(phone.capability.rawValue)\",\"code\":\"\(digits)\"}")
        request.fields["x-real-ip"] = address
        return try Phone.send(request, to: phone.backend).status
    }

    @Test("Wrong digits are limited by place, from whichever addresses they come")
    func digitLimit() throws {
        let (backend, machine) = try full([.digits: RateLimit(perSecond: 0.001, burst: 5)])
        let mine = try machine.reservation()
        let phone = try Phone(backend, mine)
        for from in 1...5 {
            #expect(try withdraw(phone, "000000000\(from)", from: "192.0.2.\(from)") == 403)
        }
        #expect(try withdraw(phone, mine.typedCode.rawValue, from: "192.0.2.9") == 429)
        #expect(try phone.look().reservation.status == .planned)
    }

    @Test(
        "Wrong digits of one address do not keep the place's holder, or another place, from giving back"
    )
    func digitLimitOfAddress() throws {
        let (backend, machine) = try full([
            .codes: RateLimit(perSecond: 0.001, burst: 3), .digits: LimitedAction.digits.standard,
        ])
        let (mine, neighbour) = (try machine.reservation(), try machine.reservation())
        let phone = try Phone(backend, mine)
        for _ in 0..<3 { #expect(try withdraw(phone, "0000000000", from: "192.0.2.1") == 403) }
        // More tries do not use up what is left to the place.
        for _ in 0..<40 { #expect(try withdraw(phone, "0000000000", from: "192.0.2.1") == 429) }
        #expect(
            try withdraw(
                try Phone(backend, neighbour), neighbour.typedCode.rawValue, from: "192.0.2.1")
                == 204)
        #expect(try withdraw(phone, mine.typedCode.rawValue, from: "192.0.2.2") == 204)
    }

    @Test("A place changes only so often; an answer that is given again does not count")
    func changeLimit() throws {
        let (backend, machine) = try full([
            .placeChanges: RateLimit(perSecond: 0.001, burst: 3)
        ])
        let mine = try machine.reservation()
        let phone = try Phone(backend, mine)
        let digits = mine.typedCode.rawValue
        for _ in 0..<5 {
            #expect(try phone.call(.withdrawal, code: digits, key: "one").status == 204)
        }
        #expect(try phone.call(.undo, code: digits).status == 204)
        #expect(try phone.call(.withdrawal, code: digits).status == 204)
        #expect(try phone.call(.undo, code: digits).status == 429)
        #expect(try backend.count("idempotency WHERE machine LIKE 'phone/place/%'") == 3)
    }

    @Test("Guesses of one address do not keep its other customers from their links for long")
    func sharedAddress() throws {
        let (backend, machine) = try full([.capabilities: LimitedAction.capabilities.standard])
        let phone = try Phone(backend, try machine.reservation())
        let stranger = "ROM1" + phone.capability.rawValue.dropFirst(4).dropLast() + "0"
        var status = 0
        for _ in 0..<200 where status != 429 {
            status = try phone.call(.place, capability: stranger).status
        }
        #expect(status == 429)
        // Five tries a second come back.
        #expect(try waits { try phone.call(.place).status == 200 })
    }

    /// Whether something is true within two seconds.
    private func waits(_ condition: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<20 {
            if try condition() { return true }
            usleep(100_000)
        }
        return false
    }

    @Test("A capability ends fifteen minutes after its reservation")
    func end() throws {
        let (backend, machine) = try full()
        let entrance = try backend.enrol("in", role: .entrance)
        let exit = try backend.enrol("out", role: .turnstile)
        let ticket = try TestBackend.firstCalled(of: machine, backend)
        let phone = try Phone(backend, ticket)
        #expect(try entrance.enter(ticket.code.rawValue).status == 200)
        #expect(try phone.look().reservation.status == .inside)
        #expect(
            try exit.call(.exits, "{\"code\":\"\(ticket.code.rawValue)\"}").status == 200)
        #expect(try phone.look().reservation.status == .used)
        backend.time.advance(by: .seconds(15 * 60 - 1))
        #expect(try phone.look().reservation.status == .used)
        backend.time.advance(by: .seconds(1))
        for call in [PublicCall.place, .sessions, .withdrawal, .undo] {
            for code in [ticket.typedCode.rawValue, "0000000000"] {
                #expect(try phone.call(call, code: code).status == 404, "\(call)")
            }
        }
    }

    @Test("A shop that switches pages off prints no link, and its links open nothing")
    func switchedOff() async throws {
        let (backend, machine) = try full()
        let mine = try machine.reservation()
        let phone = try Phone(backend, mine)
        var shop = try #require(backend.store.shops().first)
        shop.policy.phones.hasPages = false
        try backend.administration.updateShop(shop, openings: [], cancelVisits: false)
        #expect(try await eventually { try phone.call(.place).status == 404 })
        #expect(try machine.reservation().link == nil)
    }

    @Test("A page's socket has the place at once, and hears of a call and of its end")
    func socket() throws {
        let (backend, machine) = try full()
        let mine = try machine.reservation()
        let phone = try Phone(backend, mine)
        let socket = try phone.open()
        func next() throws -> FollowedPlace {
            let frame = try #require(socket.next())
            return try JSONDecoder().decode(FollowedPlace.self, from: Data(frame.payload))
        }
        #expect(try next().reservation.status == .planned)
        // The called customers do not come, so that this one is called.
        backend.time.advance(by: .seconds(601))
        backend.store.tick()
        var place = try next()
        for _ in 0..<5 where place.reservation.status != .called { place = try next() }
        #expect(place.reservation.status == .called && place.reservation.enterBy != nil)
        #expect(try phone.call(.withdrawal, code: mine.typedCode.rawValue).status == 204)
        for _ in 0..<5 where place.reservation.status != .deleted { place = try next() }
        #expect(place.reservation.status == .deleted)
    }

    @Test("A fourth page of a place closes the first, and the shop has so many pages")
    func socketLimit() throws {
        let (backend, machine) = try full()
        let phones = try (0..<4).map { _ in try Phone(backend, try machine.reservation()) }
        let sockets = try (0..<4).map { _ in try phones[0].open() }
        #expect(sockets[0].closed() == 4000)
        // Ten sockets at once: three of the first place, three of two more, and one.
        var more: [SocketClient] = []
        for phone in phones[1...2] { for _ in 0..<3 { more.append(try phone.open()) } }
        more.append(try phones[3].open())
        #expect(throws: RawClient.Failure.self) { try phones[3].open() }
    }

    @Test("A ticket for a page's socket opens that alone, and for half a minute")
    func tickets() throws {
        let (backend, machine) = try full()
        let phone = try Phone(backend, try machine.reservation())
        let display = try backend.enrol("display", role: .display)
        let ticket = try phone.call(.sessions).decoded(SessionReply.self).ticket
        let raw = try RawClient(backend.address)
        #expect(try SocketClient.handshake(raw, display, ticket: ticket)?.status == 401)
        func status(_ ticket: String) throws -> Int? {
            var request = try phone.request(.updates, "")
            SocketClient.upgrade(&request, ticket: ticket)
            return try RawClient(#require(backend.phones)).call(request)?.status
        }
        #expect(try status(display.ticket()) == 401)
        #expect(try status("place.ROM1.\(phone.capability.rawValue).9999999999.AAAA") == 401)
        #expect(try status(ticket) == 101)
        backend.time.advance(by: .seconds(30))
        #expect(try status(ticket) == 401)
    }

    @Test(
        "Phones and machines are answered at their own address only, under its name, and by its pages"
    )
    func separation() throws {
        let (backend, machine) = try full()
        let phone = try Phone(backend, try machine.reservation())
        let body = "{\"capability\":\"\(phone.capability.rawValue)\"}"
        for call in PublicCall.allCases {
            let answer = try machine.send(phone.request(call, body))
            #expect(answer.status == 404 || answer.status == 421, "\(call)")
        }
        for path in ["/v1/queue", "/v1/holds", "/healthz", "/v1/public/", "/v1/public/nothing"] {
            var request = try phone.request(.place, body)
            request.path = path
            #expect(try Phone.send(request, to: backend).status == 404, "\(path)")
        }
        var elsewhere = try phone.request(.place, body)
        elsewhere.authority = "queue.attacker.example"
        #expect(try Phone.send(elsewhere, to: backend).status == 421)
        // A form of another site has another type, and a browser asks before it sends this one.
        var form = try phone.request(.place, body)
        form.fields["content-type"] = "text/plain"
        #expect(try Phone.send(form, to: backend).status == 400)
        var asked = try phone.request(.place, body)
        asked.method = "OPTIONS"
        let refused = try Phone.send(asked, to: backend)
        #expect(refused.status == 405 && refused.fields["access-control-allow-origin"] == nil)
        for body in ["", "[]", "{}", "{\"capability\":7}", String(repeating: "{", count: 1_000)] {
            #expect(
                try Phone.send(phone.request(.place, body), to: backend).status == 400, "\(body)")
        }
        #expect(try phone.call(.place, code: "041938451").status == 400)
        let long = "{\"capability\":\"" + String(repeating: "A", count: 1_100) + "\"}"
        #expect(try Phone.send(phone.request(.place, long), to: backend).status == 413)
        var keyless = try phone.request(.withdrawal, body)
        keyless.fields["idempotency-key"] = nil
        #expect(try Phone.send(keyless, to: backend).status == 400)
    }

    @Test("A reader that is shown the symbol for phones asks for the other one")
    func wrongSymbol() throws {
        let (backend, machine) = try full()
        let link = try #require(try machine.reservation().link)
        let entrance = try backend.enrol("in", role: .entrance)
        for text in [link, link.uppercased()] {
            #expect(try problem(entrance.enter(text)) == "symbol-for-phones")
            #expect(try problem(machine.lookUp(text)) == "symbol-for-phones")
        }
    }
}

extension TestBackend {
    /// A new ticket that is called, after the called customers have missed their turn.
    fileprivate static func firstCalled(
        of machine: TestMachine, _ backend: TestBackend
    ) throws -> Reservation {
        backend.time.advance(by: .seconds(601))
        backend.store.tick()
        return try machine.reservation()
    }
}
