import BackendAPI
import BackendService
import Testing

@Suite("What a stranger with a phone may use [rules: place-page, proofs, giving-back]")
final class PhoneLimitTests: FullShop {
    @Test("Guesses are limited by address; who has a place is not, nor pays for others' guesses")
    func guessLimit() throws {
        let phone = try FullShop([.capabilities: .only(3)]).phone
        _ = try phone.look()
        for _ in 0..<3 { #expect(try phone.call(.place, capability: "guess").status == 404) }
        let limited = try phone.call(.place, capability: "guess")
        #expect(limited.status == 429 && limited.fields["retry-after"] != nil)
        for _ in 0..<5 { #expect(try phone.call(.place).status == 200) }
    }

    @Test("At a place where many guess, each address has a few tries, and the right digits work")
    func digitLimit() throws {
        let shop = try FullShop(LimitedAction.standards(.codes, .digits, .guessedDigits))
        let (mine, phone) = (shop.mine, shop.phone)
        let wrong = altered(mine.digits)
        // Ten a minute from one address for seven minutes, and fifty at once from five others.
        for _ in 0..<70 { _ = try phone.withdraw(wrong, from: "192.0.2.1") }
        for number in 0..<50 { _ = try phone.withdraw(wrong, from: "192.0.2.\(2 + number % 5)") }
        // Guesses from further addresses are few.
        let guesses = try (0..<5).map { _ in try phone.withdraw(wrong, from: "192.0.2.8") }
        #expect(guesses == [403, 403, 403, 429, 429])
        #expect(try phone.look().reservation.status == .planned)
        // The customer mistypes twice, elsewhere.
        for _ in 0..<2 { #expect(try phone.withdraw(wrong, from: "203.0.113.1") == 403) }
        #expect(try phone.withdraw(mine.digits, from: "203.0.113.1") == 204)
    }

    @Test("Wrong digits keep the browser that took the place from nothing, even at their address")
    func digitsBesideBrowser() throws {
        let (backend, machine) = try TestBackend.joinable(
            LimitedAction.standards(.codes, .digits, .guessedDigits, .pages))
        let device = TestDevice(backend)
        let mine = try device.join(machine)
        let phone = try TestPhone(backend, mine)
        let wrong = altered(phone.digits)
        for _ in 0..<60 { _ = try phone.withdraw(wrong, from: "192.0.2.1") }
        #expect(try phone.withdraw(wrong, from: "192.0.2.1") == 429)
        let body = "{\"capability\":\"\(phone.capability.rawValue)\"}"
        let other = TestDevice(backend)
        #expect(try other.call(.withdrawal, body, from: "192.0.2.9").problem == .wrongDigits)
        #expect(try device.call(.withdrawal, body, from: "192.0.2.1").status == 204)
    }

    @Test("An address's wrong digits keep neither the holder nor another place from giving back")
    func digitLimitOfAddress() throws {
        let shop = try FullShop([.codes: .only(3), .digits: LimitedAction.digits.standard])
        let phone = shop.phone
        for _ in 0..<3 { #expect(try phone.withdraw("0000000000", from: "192.0.2.1") == 403) }
        // More tries do not use up what is left to the place.
        for _ in 0..<40 { #expect(try phone.withdraw("0000000000", from: "192.0.2.1") == 429) }
        let other = try TestPhone(shop.backend, shop.machine.reservation())
        #expect(try other.withdraw(other.digits, from: "192.0.2.1") == 204)
        #expect(try phone.withdraw(phone.digits, from: "192.0.2.2") == 204)
    }

    @Test("A place changes only so often; an answer that is given again does not count")
    func changeLimit() throws {
        let shop = try FullShop([.placeChanges: .only(3)])
        let (phone, digits) = (shop.phone, shop.mine.digits)
        for _ in 0..<5 {
            #expect(try phone.call(.withdrawal, code: digits, key: "one").status == 204)
        }
        // What a customer tries and undoes leaves the place its right to be given back.
        for _ in 0..<3 { _ = try phone.call(.undo, code: digits) }
        #expect(try phone.look().reservation.status == .planned)
        for call in [PublicCall.undo, .delay] {
            #expect(try phone.call(call, code: digits, people: 2).status == 429, "\(call)")
        }
        #expect(try phone.call(.withdrawal, code: digits).status == 204)
        #expect(try phone.call(.withdrawal, code: digits).problem == .alreadyDeleted)
        for call in [PublicCall.withdrawal, .reclaim] {
            #expect(try phone.call(call, code: digits).status == 429, "\(call)")
        }
        #expect(try shop.backend.count("idempotency WHERE machine LIKE 'phone/place/%'") == 6)
    }

    @Test("Guesses of one address do not keep its other customers from their links for long")
    func sharedAddress() throws {
        let shop = try FullShop([.capabilities: RateLimit(perSecond: 0.5, burst: 20)])
        let phone = shop.phone
        // The first character of the proof is another one.
        let text = Array(phone.capability.rawValue)
        let guess = String(text[..<12]) + (text[12] == "0" ? "1" : "0") + String(text[13...])
        var status = 0
        for _ in 0..<200 where status != 429 {
            status = try phone.call(.place, capability: guess).status
        }
        #expect(status == 429)
        // Tries come back as time passes.
        #expect(try phone.call(.place).status == 429)
        shop.backend.time.advance(by: .seconds(2))
        #expect(try phone.call(.place).status == 200)
    }

    @Test("A fourth page of a place closes the first, and the shop has so many pages")
    func socketLimit() throws {
        let phones = try (0..<4).map { _ in try TestPhone(backend, try machine.reservation()) }
        var open = try (0..<4).map { _ in try phones[0].open() }
        #expect(open[0].closed() == 4000)
        // Ten sockets at once: three of the first place, three of two more, and one.
        for phone in phones[1...2] { for _ in 0..<3 { open.append(try phone.open()) } }
        open.append(try phones[3].open())
        // A socket counts from its first message on.
        for socket in open.dropFirst() { #expect(socket.next() != nil) }
        #expect(throws: RawClient.Failure.self) { try phones[3].open() }
        #expect(open.count == 11, "they are held until here")
    }

    @Test("Phones and machines are answered at their own address, under its name, for its pages")
    func separation() throws {
        let body = #"{"capability":"\#(phone.capability.rawValue)"}"#
        for call in PublicCall.allCases {
            let answer = try machine.send(phone.request(call, body))
            #expect(answer.status == 404 || answer.status == 421, "\(call)")
        }
        func answer(
            _ call: PublicCall = .place, _ change: (inout WireRequest) -> Void
        ) throws -> WireResponse {
            var request = try phone.request(call, body)
            change(&request)
            return try TestPhone.send(request, to: backend)
        }
        for path in ["/v1/queue", "/v1/holds", "/healthz", "/v1/public/", "/v1/public/nothing"] {
            #expect(try answer { $0.path = path }.status == 404, "\(path)")
        }
        #expect(try answer { $0.authority = "queue.attacker.example" }.status == 421)
        // A form of another site has another type, and a browser asks before it sends this one.
        #expect(try answer { $0.fields["content-type"] = "text/plain" }.status == 400)
        let refused = try answer { $0.method = "OPTIONS" }
        #expect(refused.status == 405 && refused.fields["access-control-allow-origin"] == nil)
        for body in ["", "[]", "{}", #"{"capability":7}"#, String(repeating: "{", count: 1_000)] {
            #expect(try backend.post(.place, body).status == 400, "\(body)")
        }
        #expect(try phone.call(.place, code: "041938451").status == 400)
        let long = String(repeating: "A", count: 1_100)
        #expect(try phone.call(.place, capability: long).status == 413)
        #expect(try answer(.withdrawal) { $0.fields["idempotency-key"] = nil }.status == 400)
    }
}
