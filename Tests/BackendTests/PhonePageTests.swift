import BackendAPI
import BackendService
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The page of a place on a phone [rules 33]")
struct PhonePageTests {
    @Test("A confirmed reservation has a link, which opens its place and shows no code")
    func look() throws {
        let (backend, machine) = try TestBackend.full()
        let first = try machine.reservation()
        let second = try machine.reservation()
        let link = try #require(second.link)
        #expect(link.hasPrefix("https://queue.example.it/t#ROM1"))
        #expect(!link.contains(second.code.rawValue.suffix(26)))
        let phone = try TestPhone(backend, second)
        let answer = try phone.call(.place)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(!text.contains(second.code.rawValue) && !text.contains(second.typedCode.rawValue))
        let place = try answer.decoded(FollowedPlace.self)
        #expect(place.reservation.number == second.number)
        #expect(place.reservation.status == .planned && place.reservation.wait?.peopleAhead == 1)
        #expect(
            place.languages == ["it", "en"] && place.address == nil
                && place.reservation.undoBy == nil)
        #expect(answer.fields["cache-control"] == "no-store")
        #expect(answer.fields["access-control-allow-origin"] == nil)
        // The place moves up with the line.
        #expect(try machine.delete(first.id, first.typedCode.rawValue).status == 204)
        #expect(try phone.look().reservation.wait?.peopleAhead == 0)
    }

    @Test("A confirmation that is sent again with another key brings the same link")
    func again() throws {
        let (_, machine) = try TestBackend.full()
        let hold = try machine.hold().decoded(HeldPlace.self)
        let links = try (0..<2).map { _ in
            try machine.call(.holdConfirmation(hold.id)).decoded(Reservation.self).link
        }
        #expect(links[0] != nil && links[0] == links[1])
    }

    @Test("Every capability that opens nothing gets the same answer")
    func guesses() throws {
        let (backend, machine) = try TestBackend.full()
        let mine = try machine.reservation()
        let other = try machine.reservation()
        let phone = try TestPhone(backend, mine)
        let others = try TestPhone(backend, other).capability
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
        "With the ten digits the place is given back, which is undone within two minutes where it was"
    )
    func giveBack() throws {
        let (backend, machine) = try TestBackend.full()
        let mine = try machine.reservation()
        let behind = try machine.reservation()
        let phone = try TestPhone(backend, mine)
        #expect(try phone.call(.withdrawal, code: "0000000000").status == 403)
        #expect(try phone.call(.withdrawal).problem == .wrongDigits)
        let digits = mine.typedCode.rawValue
        // A lost answer is asked for again.
        for _ in 0..<2 {
            #expect(try phone.call(.withdrawal, code: digits, key: "once").status == 204)
        }
        let given = try phone.look()
        #expect(given.reservation.status == .deleted)
        #expect(
            given.reservation.undoBy?.moment == backend.time.now + .seconds(120),
            "\(String(describing: given.reservation.undoBy))")
        #expect(try phone.call(.withdrawal, code: digits).problem == .alreadyDeleted)
        let followed = try TestPhone(backend, behind)
        #expect(try followed.look().reservation.wait?.peopleAhead == 0)
        backend.time.advance(by: .seconds(119))
        #expect(try phone.call(.undo, code: "0000000000").status == 403)
        #expect(try phone.call(.undo, code: digits).status == 204)
        let returned = try phone.look()
        #expect(returned.reservation.status == .planned && returned.reservation.undoBy == nil)
        #expect(returned.reservation.number == mine.number)
        #expect(returned.reservation.wait?.peopleAhead == 0)
        #expect(try followed.look().reservation.wait?.peopleAhead == 1)
        #expect(try phone.call(.undo, code: digits).problem == .stillValid)
        #expect(try phone.call(.withdrawal, code: digits).status == 204)
        backend.time.advance(by: .seconds(120))
        #expect(try phone.look().reservation.undoBy == nil)
        #expect(try phone.call(.undo, code: digits).problem == .alreadyDeleted)
    }

    @Test(
        "What a customer gave back at the machine by mistake is undone on the phone; a called place is not"
    )
    func undoOfMachine() throws {
        let (backend, machine) = try TestBackend.full()
        let mine = try machine.reservation()
        #expect(try machine.delete(mine.id, mine.code.rawValue).status == 204)
        let phone = try TestPhone(backend, mine)
        #expect(try phone.call(.undo, code: mine.typedCode.rawValue).status == 204)
        #expect(try phone.look().reservation.status == .planned)

        let other = try TestBackend(phones: TestBackend.phonePages)
        let called = try other.enrol().reservation()
        let page = try TestPhone(other, called)
        #expect(try page.look().reservation.status == .called)
        #expect(try page.call(.withdrawal, code: called.typedCode.rawValue).status == 204)
        #expect(try page.look().reservation.undoBy == nil)
        #expect(
            try page.call(.undo, code: called.typedCode.rawValue).problem == .alreadyDeleted)
    }

    @Test("A capability ends fifteen minutes after its reservation")
    func end() throws {
        let (backend, machine) = try TestBackend.full()
        let entrance = try backend.enrol("in", role: .entrance)
        let exit = try backend.enrol("out", role: .turnstile)
        let ticket = try TestBackend.firstCalled(of: machine, backend)
        let phone = try TestPhone(backend, ticket)
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
        let (backend, machine) = try TestBackend.full()
        let mine = try machine.reservation()
        let phone = try TestPhone(backend, mine)
        var shop = try #require(backend.store.shops().first)
        shop.policy.phones.hasPages = false
        try backend.administration.updateShop(shop, openings: [], cancelVisits: false)
        #expect(try await eventually { try phone.call(.place).status == 404 })
        #expect(try machine.reservation().link == nil)
    }

    @Test("A page's socket has the place at once, and hears of a call and of its end")
    func socket() throws {
        let (backend, machine) = try TestBackend.full()
        let mine = try machine.reservation()
        let phone = try TestPhone(backend, mine)
        let socket = try phone.open()
        #expect(try socket.place().reservation.status == .planned)
        // The called customers do not come, so that this one is called.
        backend.time.advance(by: .seconds(601))
        backend.store.tick()
        var place = try socket.place()
        while place.reservation.status != .called { place = try socket.place() }
        #expect(place.reservation.status == .called && place.reservation.enterBy != nil)
        #expect(try phone.call(.withdrawal, code: mine.typedCode.rawValue).status == 204)
        while place.reservation.status != .deleted { place = try socket.place() }
        #expect(place.reservation.status == .deleted)
    }

    @Test("A ticket for a page's socket opens that alone, and for half a minute")
    func tickets() throws {
        let (backend, machine) = try TestBackend.full()
        let phone = try TestPhone(backend, try machine.reservation())
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

    @Test("A reader that is shown the symbol for phones asks for the other one")
    func wrongSymbol() throws {
        let (backend, machine) = try TestBackend.full()
        let link = try #require(try machine.reservation().link)
        let entrance = try backend.enrol("in", role: .entrance)
        for text in [link, link.uppercased()] {
            #expect(try entrance.enter(text).problem == .symbolForPhones)
            #expect(try machine.lookUp(text).problem == .symbolForPhones)
        }
        // A reader takes each line of the symbol for calendars for a code; none counts as a wrong one.
        for text in ["BEGIN:VEVENT", "DTSTART:20261121T090000Z", "SUMMARY:042 Rossi", "END:VEVENT"]
        {
            for _ in 0..<50 {
                #expect(try entrance.enter(text).problem == .symbolForCalendars)
            }
            #expect(try machine.lookUp(text).problem == .symbolForCalendars)
        }
    }
}

extension SocketClient {
    /// The next view of a place that the socket brings.
    func place() throws -> FollowedPlace {
        let frame = try #require(next())
        return try JSONDecoder().decode(FollowedPlace.self, from: Data(frame.payload))
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
