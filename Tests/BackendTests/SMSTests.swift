import BackendAPI
import Reservations
import TestSupport
import Testing

@Suite("SMS about a place [rules: sms]")
final class SMSTests: SMSWorld {
    @Test("A customer gives a number, types the code that comes, and hears of the call")
    func called() async throws {
        #expect(try phone.look().sms == SMSOfPlace(prefixes: ["+39", "+41"], isOn: false))
        let answer = try await owner.confirm()
        #expect(try answer.decoded(NumberReply.self).number == "+393331234567")
        #expect(try isOn() == true)
        #expect(try phone.open().place().sms == nil, "the messages of the socket have none")
        #expect(gateway.sent.map(\.number) == ["+393331234567"])
        #expect(await eventually { gateway.bookings.count == 1 })
        backend.callNext()
        #expect(await eventually { gateway.sent.count == 2 })
        #expect(gateway.texts[1].contains(mine.number.text))
        #expect(gateway.sent.allSatisfy { $0.number == "+393331234567" })
        #expect(try await eventually { try backend.count("notice") == 0 })
        #expect(try backend.count("notice_day WHERE kind = 'called' AND sent = 1") == 1)
        #expect(try backend.count("sms_day WHERE sent = 3") == 1)
        #expect(backend.metrics.contains("clup_sms_total{purpose=\"code\",fate=\"sent\"} 1"))
        #expect(backend.metrics.contains("clup_sms_total{purpose=\"notice\",fate=\"sent\"} 2"))
    }

    @Test("No SMS but the code goes to a number before its owner has typed the code")
    func unconfirmed() async throws {
        #expect(try await !owner.give().decoded(NumberReply.self).isConfirmed)
        #expect(try isOn() == false)
        let code = try gateway.digits(6)
        let wrong = code == "000000" ? "000001" : "000000"
        for digits in [wrong, "", "1234567", " \(code)"] {
            #expect(try await owner.give(code: digits).problem == .wrongCode, "\(digits)")
        }
        // A code for one place is of no use for another.
        let thief = try other()
        #expect(try await thief.give(code: code).problem == .wrongCode)
        backend.callNext()
        backend.time.advance(by: .minutes(20))
        #expect(try await owner.give(code: code).problem == .notFound, "its place has ended")
        #expect(gateway.sent.count == 1)
        #expect(try backend.count("subscription") == 0)
    }

    @Test("A shop's SMS of the day are counted, codes too, and the staff sees them")
    func budget() async throws {
        let world = try SMSWorld(perDay: 4)
        func shows(_ sent: Int) async throws -> Bool {
            try await eventually {
                try world.machine.staffQueue().sms == SMSOfDay(sent: sent, most: 4)
            }
        }
        #expect(try await shows(0))
        try await world.owner.confirmBooked()
        var second = try world.other("+393330000000")
        #expect(try await second.give().status == 200)
        #expect(try await shows(3))
        // Codes are half of them at most.
        second.number = "+393330000001"
        #expect(try await second.give().problem == .smsUsedUp)
        world.backend.callNext()
        #expect(await eventually { world.gateway.sent.count == 3 })
        #expect(try await shows(4))
        world.backend.callNext()
        #expect(
            await eventually {
                world.backend.metrics.contains(
                    "clup_notices_total{kind=\"missed\",fate=\"used-up\"} 1")
            })
        // A customer who waits with SMS on sees that none come any more.
        let third = try TestPhone(world.backend, world.machine.reservation())
        let waiting = NumberOwner(world.owner.device, world.gateway, for: third)
        #expect(try await waiting.give().decoded(NumberReply.self).isConfirmed)
        #expect(try third.look().sms?.isOn == false)
        #expect(world.gateway.sent.count == 3)
    }

    @Test("The first SMS says how the place is booked, with its code")
    func booked() async throws {
        try await owner.confirmBooked()
        let text = try #require(gateway.bookings.first?.text)
        let wait = try #require(try phone.look().reservation.wait)
        #expect(text.hasPrefix("Città: Hai il numero \(mine.number.text): toccherà a te "))
        #expect(text.contains(wait.earliest.time.description))
        #expect(text.contains(mine.typedCode.grouped))
        // Given back, it says so.
        #expect(try phone.call(.withdrawal, code: phone.digits).status == 204)
        #expect(await eventually { gateway.sent.count == 2 })
        #expect(gateway.texts[1].contains("è stato disdetto"))
    }

    @Test("So does that of a visit ahead of its day, of a move, and of its end")
    func visitAhead() async throws {
        let world = try LinkedPlace(at: TestBackend.sunday)
        let (gateway, backend) = (world.gateway, world.backend)
        let (device, visit) = (world.owner, world.visit)
        #expect(try device.look(visit).sms?.isOn == false)
        try await NumberOwner(device, gateway, for: world.phone).confirmBooked()
        let code = visit.typedCode.grouped
        #expect(
            gateway.bookings[0].text
                == "Città: La tua visita: domenica 22/11 alle 16:15, numero \(visit.number.text). "
                + "Codice d'ingresso: \(code). Non darlo ad altri.")
        // It is kept until the visit has ended, and not for a day only.
        backend.pass(.seconds(25 * 3_600))
        let moved = try device.move(visit, to: "2026-11-23T09:00:00+01:00")
            .decoded(Reservation.self)
        #expect(await eventually { gateway.bookings.count == 2 })
        #expect(gateway.bookings[1].text.contains("lunedì 23/11 alle 09:00"))
        #expect(try await eventually { try backend.count("notice") == 0 })
        let sent = gateway.sent.count
        #expect(try device.call(.withdrawal, of: moved).status == 204)
        #expect(await eventually { gateway.sent.count == sent + 1 })
        #expect(gateway.texts.last?.contains("La tua visita di lunedì 23/11 alle 09:00") == true)
    }

    @Test("A shop without SMS and a backend without a gateway offer none")
    func offered() async throws {
        let none = try SMSWorld(perDay: 0)
        #expect(try none.phone.look().sms == nil)
        #expect(try await none.owner.give().problem == .notFound)
        #expect(try none.machine.staffQueue().sms == nil)
        let shop = try FullShop { $0.phones.smsPerDay = 10 }
        #expect(try shop.phone.look().sms == nil)
        let owner = NumberOwner(TestDevice(shop.backend), FakeGateway(), for: shop.phone)
        #expect(try await owner.give().problem == .unknownRoute)
    }

    @Test("A gateway that is out of reach is tried again for notices, and costs nothing")
    func unreached() async throws {
        try await callWaits(for: .unreached)
        #expect(try backend.count("sms_day WHERE sent = 3") == 1)
        // A customer who asks for a code is asked to try again.
        gateway.outcome = .busy
        var owner = owner
        owner.number = "+393339999999"
        #expect(try await owner.give().problem == .unavailable)
        gateway.outcome = .refused("no such number")
        #expect(try await owner.give().problem == .numberNotServed)
        #expect(try await eventually { try backend.count("sms_day WHERE sent = 3") == 1 })
    }

    @Test("An SMS that the gateway may have taken is not sent again, and counts")
    func uncertain() async throws {
        gateway.outcome = .uncertain
        try await owner.confirmBooked()
        backend.callNext()
        #expect(try await eventually { try backend.count("notice") == 0 })
        backend.time.advance(by: .seconds(60))
        #expect(gateway.sent.count == 2)
        #expect(try backend.count("sms_day WHERE sent = 3") == 1)
    }

    @Test("SMS wait for a gateway that is set up wrongly, and cost nothing until it is mended")
    func broken() async throws {
        try await callWaits(for: .broken("wrong-password-or-address"))
    }

    @Test("The customer ends the SMS on the page, and another number takes the place of the first")
    func ended() async throws {
        try await owner.confirm()
        var other = owner
        other.number = "+41 79 123 45 67"
        _ = try await other.give()
        #expect(try await other.give(code: gateway.digits(6)).status == 200)
        #expect(try backend.count("subscription") == 1)
        let end = try await owner.end()
        #expect(end.status == 204)
        #expect(try isOn() == false)
        backend.callNext()
        #expect(try await eventually { try backend.count("notice") == 0 })
        // Each number hears that no more SMS come to it.
        #expect(await eventually { gateway.sent.count == 4 })
        let last = gateway.sent.filter { $0.text.contains("Non riceverai più SMS sul") }
        #expect(last.map(\.number) == ["+393331234567", "+41791234567"])
        // The device remembers the first number, with which it may have places, and needs a code for the other one.
        let next = try TestPhone(backend, machine.reservation())
        var same = NumberOwner(owner.device, gateway, for: next)
        #expect(try await same.give().decoded(NumberReply.self).isConfirmed)
        same.number = other.number
        #expect(try await !same.give().decoded(NumberReply.self).isConfirmed)
    }
}
