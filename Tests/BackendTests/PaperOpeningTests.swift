import BackendAPI
import BackendService
import Foundation
import HTTPServer
import QRCode
import Reservations
import TestSupport
import Testing

@Suite("A place whose page is opened with the code of its paper [rules 33]")
struct PaperOpeningTests {
    private static func open(
        _ code: String, from address: String? = nil, _ backend: TestBackend
    ) throws -> WireResponse {
        var request = try TestPhone.request(
            .opening, "{\"code\":\"\(code)\"}", key: nil, to: backend)
        if let address { request.fields["x-real-ip"] = address }
        return try TestPhone.send(request, to: backend)
    }

    @Test("The code opens its place and shows the symbol, and there are no digits in the answer")
    func opens() throws {
        let (backend, machine) = try TestBackend.full()
        let mine = try machine.reservation()
        let phone = try TestPhone(backend, mine)
        for code in [mine.code.bare, mine.code.bare.lowercased()] {
            let answer = try Self.open(code, backend)
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(!text.contains(mine.typedCode.rawValue) && !text.contains(mine.code.bare))
            #expect(answer.fields["cache-control"] == "no-store")
            let opening = try answer.decoded(PlaceOpening.self)
            #expect(opening.capability == phone.capability.rawValue)
            let symbol = try QRCode.matrix(of: mine.code.rawValue).rows
            #expect(opening.symbol == symbol)
        }
    }

    @Test("The code is none of a capability: it shows, and gives up, delays or answers nothing")
    func changesNothing() throws {
        let (backend, machine) = try TestBackend.full {
            $0.allowsDelays = true
        }
        let mine = try machine.reservation()
        _ = try machine.reservation()
        let phone = try TestPhone(backend, mine)
        for call in PublicCall.allCases where call.carriesKey || call == .number || call == .place {
            for capability in [mine.code.bare, mine.code.rawValue] {
                #expect(try phone.call(call, capability: capability).status != 200)
            }
            // Nor does the code count as the digits.
            for code in [mine.code.bare, mine.code.rawValue] where call != .place && call != .coming
            {
                let status = try phone.call(call, code: code, people: 2).status
                #expect([400, 403, 404].contains(status), "\(call) \(status)")
            }
        }
        #expect(try phone.look().reservation.status == .planned)
        #expect(try phone.look().reservation.undoBy == nil)
    }

    @Test("Every code that opens nothing gets the same answer")
    func guesses() throws {
        let (backend, machine) = try TestBackend.full()
        let mine = try machine.reservation()
        let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let last = digits[(digits.firstIndex(of: mine.code.bare.last!)! + 4) % 32]
        let guesses = [
            "\(mine.code.bare.dropLast())\(last)", "XXXX\(mine.code.bare.dropFirst(4))", "",
            mine.typedCode.rawValue, mine.code.rawValue, mine.code.bare + "0",
            try TestPhone(backend, mine).capability.rawValue,
        ]
        let answers = try Set(guesses.map { try Self.open($0, backend).body })
        #expect(answers.count == 1)
        #expect(try Self.open("guess", backend).problem == .notFound)
        #expect(
            try TestPhone.send(
                TestPhone.request(.opening, "{}", key: nil, to: backend), to: backend
            ).problem
                == .malformed)
    }

    @Test("A quarter of an hour after its place has ended the code opens nothing")
    func over() throws {
        let (backend, machine) = try TestBackend.full()
        let mine = try machine.reservation()
        #expect(try machine.delete(mine.id, mine.code.rawValue).status == 204)
        let ended = try Self.open(mine.code.bare, backend).decoded(PlaceOpening.self)
        #expect(ended.symbol == nil)
        backend.time.advance(by: .seconds(901))
        backend.store.tick()
        #expect(try Self.open(mine.code.bare, backend).problem == .notFound)
    }

    @Test("Papers of a shop without pages open none")
    func switchedOff() throws {
        let (backend, machine) = try TestBackend.full { $0.phones.hasPages = false }
        let mine = try machine.reservation()
        #expect(mine.link == nil)
        #expect(try Self.open(mine.code.bare, backend).problem == .notFound)
    }

    @Test("Guesses are limited by address, and keep no customer with a right code from its place")
    func limits() throws {
        let (backend, machine) = try TestBackend.full([
            .capabilities: RateLimit(perSecond: 0.001, burst: 3),
            .pages: RateLimit(perSecond: 0.001, burst: 4),
        ])
        let mine = try machine.reservation()
        for _ in 0..<3 { #expect(try Self.open("guess", from: "192.0.2.1", backend).status == 404) }
        #expect(try Self.open("guess", from: "192.0.2.1", backend).status == 429)
        // The Wi-Fi of a shop is one address.
        #expect(try Self.open(mine.code.bare, from: "192.0.2.1", backend).status == 200)
        let phone = try TestPhone(backend, mine)
        for number in 0..<5 {
            var look = try phone.request(
                .place, "{\"capability\":\"\(phone.capability.rawValue)\"}")
            look.fields["x-real-ip"] = "192.0.2.4"
            #expect(try TestPhone.send(look, to: backend).status == (number < 4 ? 200 : 429))
        }
        #expect(try Self.open(mine.code.bare, from: "192.0.2.4", backend).status == 200)
        for _ in 0..<4 {
            #expect(try Self.open(mine.code.bare, from: "192.0.2.2", backend).status == 200)
        }
        #expect(try Self.open(mine.code.bare, from: "192.0.2.2", backend).status == 429)
        #expect(try Self.open(mine.code.bare, from: "192.0.2.3", backend).status == 200)
    }

    @Test("The page of a symbol's link is that of a place, and no log has the code")
    func page() throws {
        let (backend, machine) = try TestBackend.full()
        let mine = try machine.reservation()
        _ = try Self.open(mine.code.bare, backend)
        _ = try Self.open("\(mine.code.bare.dropLast())0", backend)
        _ = try Self.open(mine.code.rawValue, backend)
        #expect(!backend.lines.all.contains { $0.contains(mine.code.bare.dropLast()) })
    }
}
