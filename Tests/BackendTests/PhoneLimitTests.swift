import BackendAPI
import BackendService
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("What a stranger with a phone may use [rules 33]")
struct PhoneLimitTests {
    @Test(
        "Guesses are limited by address; those who have a place are not, nor do they pay for others' guesses"
    )
    func guessLimit() throws {
        let (backend, machine) = try TestBackend.full([
            .capabilities: RateLimit(perSecond: 0.001, burst: 3)
        ])
        let phone = try TestPhone(backend, try machine.reservation())
        _ = try phone.look()
        for _ in 0..<3 { #expect(try phone.call(.place, capability: "guess").status == 404) }
        let limited = try phone.call(.place, capability: "guess")
        #expect(limited.status == 429 && limited.fields["retry-after"] != nil)
        for _ in 0..<5 { #expect(try phone.call(.place).status == 200) }
    }

    @Test("One capability is answered only so often")
    func pageLimit() throws {
        let (backend, machine) = try TestBackend.full([
            .pages: RateLimit(perSecond: 0.001, burst: 2)
        ])
        let phone = try TestPhone(backend, try machine.reservation())
        let neighbour = try TestPhone(backend, try machine.reservation())
        for _ in 0..<2 { _ = try phone.look() }
        #expect(try phone.call(.place).status == 429)
        _ = try neighbour.look()
    }

    @Test(
        "Of a place at which many guess, each address has a few tries left, and the right digits work"
    )
    func digitLimit() throws {
        let (backend, machine) = try TestBackend.full([
            .codes: LimitedAction.codes.standard, .digits: LimitedAction.digits.standard,
            .guessedDigits: LimitedAction.guessedDigits.standard,
        ])
        let mine = try machine.reservation()
        let phone = try TestPhone(backend, mine)
        let wrong = mine.typedCode.rawValue == "0000000000" ? "0000000001" : "0000000000"
        // Ten a minute from one address for seven minutes, and fifty at once from five others.
        for _ in 0..<70 { _ = try phone.withdraw(wrong, from: "192.0.2.1") }
        for number in 0..<50 { _ = try phone.withdraw(wrong, from: "192.0.2.\(2 + number % 5)") }
        // Guesses from further addresses are few.
        let guesses = try (0..<5).map { _ in try phone.withdraw(wrong, from: "192.0.2.8") }
        #expect(guesses == [403, 403, 403, 429, 429])
        #expect(try phone.look().reservation.status == .planned)
        // The customer mistypes twice, elsewhere.
        for _ in 0..<2 { #expect(try phone.withdraw(wrong, from: "203.0.113.1") == 403) }
        #expect(try phone.withdraw(mine.typedCode.rawValue, from: "203.0.113.1") == 204)
    }

    @Test(
        "Wrong digits keep the browser that took the place from nothing, also at their own address")
    func digitsBesideBrowser() throws {
        let (backend, machine) = try TestBackend.joinable([
            .codes: LimitedAction.codes.standard, .digits: LimitedAction.digits.standard,
            .guessedDigits: LimitedAction.guessedDigits.standard,
            .pages: LimitedAction.pages.standard,
        ])
        let device = TestDevice(backend)
        let mine = try device.confirm(device.offer(machine.invitation()))
        let phone = try TestPhone(backend, mine)
        let wrong = phone.digits == "0000000000" ? "0000000001" : "0000000000"
        for _ in 0..<60 { _ = try phone.withdraw(wrong, from: "192.0.2.1") }
        #expect(try phone.withdraw(wrong, from: "192.0.2.1") == 429)
        let body = "{\"capability\":\"\(phone.capability.rawValue)\"}"
        let other = TestDevice(backend)
        #expect(try other.call(.withdrawal, body, from: "192.0.2.9").problem == .wrongDigits)
        #expect(try device.call(.withdrawal, body, from: "192.0.2.1").status == 204)
    }

    @Test(
        "Wrong digits of one address do not keep the place's holder, or another place, from giving back"
    )
    func digitLimitOfAddress() throws {
        let (backend, machine) = try TestBackend.full([
            .codes: RateLimit(perSecond: 0.001, burst: 3), .digits: LimitedAction.digits.standard,
        ])
        let (mine, neighbour) = (try machine.reservation(), try machine.reservation())
        let phone = try TestPhone(backend, mine)
        for _ in 0..<3 { #expect(try phone.withdraw("0000000000", from: "192.0.2.1") == 403) }
        // More tries do not use up what is left to the place.
        for _ in 0..<40 { #expect(try phone.withdraw("0000000000", from: "192.0.2.1") == 429) }
        #expect(
            try TestPhone(backend, neighbour).withdraw(
                neighbour.typedCode.rawValue, from: "192.0.2.1") == 204)
        #expect(try phone.withdraw(mine.typedCode.rawValue, from: "192.0.2.2") == 204)
    }

    @Test("A place changes only so often; an answer that is given again does not count")
    func changeLimit() throws {
        let (backend, machine) = try TestBackend.full([
            .placeChanges: RateLimit(perSecond: 0.001, burst: 3)
        ])
        let mine = try machine.reservation()
        let phone = try TestPhone(backend, mine)
        let digits = mine.typedCode.rawValue
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
        #expect(try backend.count("idempotency WHERE machine LIKE 'phone/place/%'") == 6)
    }

    @Test("Guesses of one address do not keep its other customers from their links for long")
    func sharedAddress() throws {
        let (backend, machine) = try TestBackend.full([
            .capabilities: RateLimit(perSecond: 0.5, burst: 20)
        ])
        let phone = try TestPhone(backend, try machine.reservation())
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
        backend.time.advance(by: .seconds(2))
        #expect(try phone.call(.place).status == 200)
    }

    @Test("A fourth page of a place closes the first, and the shop has so many pages")
    func socketLimit() throws {
        let (backend, machine) = try TestBackend.full()
        let phones = try (0..<4).map { _ in try TestPhone(backend, try machine.reservation()) }
        let sockets = try (0..<4).map { _ in try phones[0].open() }
        #expect(sockets[0].closed() == 4000)
        // Ten sockets at once: three of the first place, three of two more, and one.
        var more: [SocketClient] = []
        for phone in phones[1...2] { for _ in 0..<3 { more.append(try phone.open()) } }
        more.append(try phones[3].open())
        #expect(throws: RawClient.Failure.self) { try phones[3].open() }
    }

    @Test(
        "Phones and machines are answered at their own address only, under its name, and by its pages"
    )
    func separation() throws {
        let (backend, machine) = try TestBackend.full()
        let phone = try TestPhone(backend, try machine.reservation())
        let body = "{\"capability\":\"\(phone.capability.rawValue)\"}"
        for call in PublicCall.allCases {
            let answer = try machine.send(phone.request(call, body))
            #expect(answer.status == 404 || answer.status == 421, "\(call)")
        }
        for path in ["/v1/queue", "/v1/holds", "/healthz", "/v1/public/", "/v1/public/nothing"] {
            var request = try phone.request(.place, body)
            request.path = path
            #expect(try TestPhone.send(request, to: backend).status == 404, "\(path)")
        }
        var elsewhere = try phone.request(.place, body)
        elsewhere.authority = "queue.attacker.example"
        #expect(try TestPhone.send(elsewhere, to: backend).status == 421)
        // A form of another site has another type, and a browser asks before it sends this one.
        var form = try phone.request(.place, body)
        form.fields["content-type"] = "text/plain"
        #expect(try TestPhone.send(form, to: backend).status == 400)
        var asked = try phone.request(.place, body)
        asked.method = "OPTIONS"
        let refused = try TestPhone.send(asked, to: backend)
        #expect(refused.status == 405 && refused.fields["access-control-allow-origin"] == nil)
        for body in ["", "[]", "{}", "{\"capability\":7}", String(repeating: "{", count: 1_000)] {
            #expect(
                try TestPhone.send(phone.request(.place, body), to: backend).status == 400,
                "\(body)")
        }
        #expect(try phone.call(.place, code: "041938451").status == 400)
        let long = "{\"capability\":\"" + String(repeating: "A", count: 1_100) + "\"}"
        #expect(try TestPhone.send(phone.request(.place, long), to: backend).status == 413)
        var keyless = try phone.request(.withdrawal, body)
        keyless.fields["idempotency-key"] = nil
        #expect(try TestPhone.send(keyless, to: backend).status == 400)
    }
}
