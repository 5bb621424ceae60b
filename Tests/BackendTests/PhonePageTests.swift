import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The page of a place on a phone [rules: place-page, capabilities, giving-back]")
final class PhonePageTests: FullShop {
    @Test("A confirmed reservation has a link, which opens its place and shows no code")
    func look() throws {
        let second = try machine.reservation()
        let link = try #require(second.link)
        #expect(link.hasPrefix("https://queue.example.it/t#ROM1"))
        #expect(!link.contains(second.code.rawValue.suffix(26)))
        let phone = try TestPhone(backend, second)
        let answer = try phone.call(.place)
        let text = answer.text
        #expect(!text.contains(second.code.rawValue) && !text.contains(second.digits))
        let place = try answer.decoded(FollowedPlace.self)
        #expect(place.reservation.number == second.number)
        #expect(place.reservation.status == .planned && place.reservation.wait?.peopleAhead == 1)
        #expect(
            place.languages == ["it", "en"] && place.address == nil
                && place.reservation.undoBy == nil)
        #expect(answer.fields["cache-control"] == "no-store")
        #expect(answer.fields["access-control-allow-origin"] == nil)
    }

    @Test("Every capability that opens nothing gets the same answer")
    func guesses() throws {
        let others = try TestPhone(backend, machine.reservation()).capability
        let text = phone.capability.rawValue
        let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let last = digits[(digits.firstIndex(of: text.last!)! + 1) % 32]
        let guesses: [String] = [
            // The other reservation's number with this proof, one bit more, another shop, another form.
            "\(others.rawValue.prefix(12))\(text.suffix(26))", "\(text.dropLast())\(last)",
            "XXXX\(text.dropFirst(4))", text.lowercased(), "", mine.digits,
            mine.code.rawValue, text + "0",
        ]
        for guess in guesses {
            let answer = try phone.call(.place, capability: guess)
            #expect(answer.status == 404, "\(guess)")
            #expect(answer.body == (try phone.call(.place, capability: "nothing")).body, "\(guess)")
            for call in [PublicCall.sessions, .withdrawal, .undo] {
                let answer = try phone.call(call, code: mine.digits, capability: guess)
                #expect(answer.status == 404, "\(call) \(guess)")
            }
        }
        #expect(try phone.look().reservation.status == .planned)
    }

    @Test("With the ten digits a place is given back, which is undone where it was for two minutes")
    func giveBack() throws {
        #expect(try phone.call(.withdrawal, code: "0000000000").status == 403)
        let digits = mine.digits
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
        backend.time.advance(by: .seconds(119))
        #expect(try phone.call(.undo, code: "0000000000").status == 403)
        #expect(try phone.call(.undo, code: digits).status == 204)
        let returned = try phone.look()
        #expect(returned.reservation.status == .planned && returned.reservation.undoBy == nil)
        #expect(returned.reservation.number == mine.number)
    }

    @Test("A phone undoes what was given back at the machine")
    func undoOfMachine() throws {
        #expect(try machine.delete(mine).status == 204)
        #expect(try phone.call(.undo, code: mine.digits).status == 204)
        #expect(try phone.look().reservation.status == .planned)
    }

    @Test("A capability ends fifteen minutes after its reservation")
    func end() throws {
        let entrance = try backend.enrol("in", role: .entrance)
        let exit = try backend.enrol("out", role: .turnstile)
        // The called customers miss their turn, and this one is called.
        backend.pass(.seconds(601))
        #expect(try entrance.enter(mine).status == 200)
        #expect(try phone.look().reservation.status == .inside)
        #expect(try exit.leave(mine).status == 200)
        #expect(try phone.look().reservation.status == .used)
        backend.time.advance(by: .seconds(15 * 60 - 1))
        #expect(try phone.look().reservation.status == .used)
        backend.time.advance(by: .seconds(1))
        for call in [PublicCall.place, .sessions, .withdrawal, .undo] {
            for code in [mine.digits, "0000000000"] {
                #expect(try phone.call(call, code: code).status == 404, "\(call)")
            }
        }
    }

    @Test("A shop that switches pages off prints no link, and its links open nothing")
    func switchedOff() async throws {
        try backend.changeShop { $0.policy.phones.hasPages = false }
        #expect(try await eventually { try phone.call(.place).status == 404 })
        #expect(try machine.reservation().link == nil)
    }

    @Test("A page's socket has the place at once, and hears of a call and of its end")
    func socket() throws {
        let socket = try phone.open()
        #expect(try socket.place().reservation.status == .planned)
        // The called customers do not come, so that this one is called.
        backend.pass(.seconds(601))
        let called = try socket.place { $0.reservation.status == .called }
        #expect(called.reservation.enterBy != nil)
        #expect(try phone.call(.withdrawal, code: mine.digits).status == 204)
        _ = try socket.place { $0.reservation.status == .deleted }
    }

    @Test("A ticket for a page's socket opens that alone, and for half a minute")
    func tickets() throws {
        let display = try backend.enrol("display", role: .display)
        let ticket = try phone.call(.sessions).decoded(SessionReply.self).ticket
        #expect(try SocketClient.handshake(display, ticket: ticket)?.status == 401)
        let forged = "place.ROM1.\(phone.capability.rawValue).9999999999.AAAA"
        for wrong in [try display.ticket(), forged] {
            #expect(try phone.opened(wrong).answer?.status == 401)
        }
        #expect(try phone.opened(ticket).answer?.status == 101)
        backend.time.advance(by: .seconds(30))
        #expect(try phone.opened(ticket).answer?.status == 401)
    }

    @Test("A reader that is shown the symbol for phones asks for the other one")
    func wrongSymbol() throws {
        let link = try #require(mine.link)
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
