import BackendAPI
import QRCode
import Testing

@Suite("A place whose page is opened with the code of its paper [rules: paper-symbol]")
final class PaperOpeningTests: FullShop {
    private func open(
        _ code: String, from address: String? = nil, at backend: TestBackend? = nil
    ) throws -> WireResponse {
        try (backend ?? self.backend).post(.opening, #"{"code":"\#(code)"}"#, from: address)
    }

    @Test("The code opens its place and shows the symbol, and there are no digits in the answer")
    func opens() throws {
        for code in [mine.code.bare, mine.code.bare.lowercased()] {
            let answer = try open(code)
            let text = answer.text
            #expect(!text.contains(mine.digits) && !text.contains(mine.code.bare))
            #expect(answer.fields["cache-control"] == "no-store")
            let opening = try answer.decoded(PlaceOpening.self)
            #expect(opening.capability == phone.capability.rawValue)
            let symbol = try QRCode.matrix(of: mine.code.rawValue).rows
            #expect(opening.symbol == symbol)
        }
    }

    @Test("The code is none of a capability: it shows, and gives up, delays or answers nothing")
    func changesNothing() throws {
        let shop = try FullShop { $0.allowsDelays = true }
        let (mine, phone) = (shop.mine, shop.phone)
        _ = try shop.machine.reservation()
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

    @Test("Every code that opens nothing gets the same answer, and no log has a code")
    func guesses() throws {
        let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let last = digits[(digits.firstIndex(of: mine.code.bare.last!)! + 4) % 32]
        let guesses = [
            "\(mine.code.bare.dropLast())\(last)", "XXXX\(mine.code.bare.dropFirst(4))", "",
            mine.digits, mine.code.rawValue, mine.code.bare + "0",
            phone.capability.rawValue,
        ]
        let answers = try Set(guesses.map { try open($0).body })
        #expect(answers.count == 1)
        #expect(try open("guess").problem == .notFound)
        #expect(try backend.post(.opening, "{}").problem == .malformed)
        _ = try open(mine.code.bare)
        #expect(!backend.lines.value.contains { $0.contains(mine.code.bare.dropLast()) })
    }

    @Test("A quarter of an hour after its place has ended a code opens nothing; none without pages")
    func over() throws {
        #expect(try machine.delete(mine).status == 204)
        #expect(try open(mine.code.bare).decoded(PlaceOpening.self).symbol == nil)
        backend.pass(.seconds(901))
        #expect(try open(mine.code.bare).problem == .notFound)
        let (without, other) = try TestBackend.full { $0.phones.hasPages = false }
        let paper = try other.reservation()
        #expect(paper.link == nil)
        #expect(try open(paper.code.bare, at: without).problem == .notFound)
    }

    @Test("Guesses are limited by address, and keep no customer with a right code from its place")
    func limits() throws {
        let shop = try FullShop([.capabilities: .only(3), .pages: .only(4)])
        let (backend, mine) = (shop.backend, shop.mine)
        for _ in 0..<3 { #expect(try open("guess", from: "192.0.2.1", at: backend).status == 404) }
        #expect(try open("guess", from: "192.0.2.1", at: backend).status == 429)
        // The Wi-Fi of a shop is one address.
        #expect(try open(mine.code.bare, from: "192.0.2.1", at: backend).status == 200)
        let look = #"{"capability":"\#(shop.phone.capability.rawValue)"}"#
        for number in 0..<5 {
            let answer = try backend.post(.place, look, from: "192.0.2.4")
            #expect(answer.status == (number < 4 ? 200 : 429))
        }
        _ = try TestPhone(backend, shop.machine.reservation()).look()
        #expect(try open(mine.code.bare, from: "192.0.2.4", at: backend).status == 200)
        for _ in 0..<4 {
            #expect(try open(mine.code.bare, from: "192.0.2.2", at: backend).status == 200)
        }
        #expect(try open(mine.code.bare, from: "192.0.2.2", at: backend).status == 429)
        #expect(try open(mine.code.bare, from: "192.0.2.3", at: backend).status == 200)
    }
}
