import BackendAPI
@testable import BackendService
import Foundation
import Reservations
import SMSGateway
import Testing

import func TestSupport.eventually

@Suite("SMS about a place [rules 38]")
struct SMSTests {
    @Test("A customer gives a number, types the code that comes, and hears of the call")
    func called() async throws {
        let world = try SMSWorld()
        #expect(try world.phone.look().sms == SMSOfPlace(prefixes: ["+39", "+41"], isOn: false))
        let answer = try await world.owner.confirm()
        #expect(try answer.decoded(NumberReply.self).number == "+393331234567")
        #expect(try world.isOn() == true)
        #expect(try world.phone.open().place().sms == nil, "the messages of the socket have none")
        #expect(world.gateway.sent.map(\.number) == ["+393331234567"])
        #expect(await eventually { world.gateway.bookings.count == 1 })
        world.backend.callNext()
        #expect(await eventually { world.gateway.sent.count == 2 })
        #expect(world.gateway.texts[1].contains(world.mine.number.text))
        #expect(world.gateway.sent.allSatisfy { $0.number == "+393331234567" })
        #expect(try await eventually { try world.backend.count("notice") == 0 })
        #expect(try world.backend.count("notice_day WHERE kind = 'called' AND sent = 1") == 1)
        #expect(try world.backend.count("sms_day WHERE sent = 3") == 1)
        #expect(
            world.backend.metrics.contains("clup_sms_total{purpose=\"code\",fate=\"sent\"} 1"))
        #expect(
            world.backend.metrics.contains("clup_sms_total{purpose=\"notice\",fate=\"sent\"} 2"))
    }

    @Test("No SMS but the code goes to a number before its owner has typed the code")
    func unconfirmed() async throws {
        let world = try SMSWorld()
        #expect(try await !world.owner.give().decoded(NumberReply.self).isConfirmed)
        #expect(try world.isOn() == false)
        let code = try world.gateway.digits(6)
        let wrong = code == "000000" ? "000001" : "000000"
        for digits in [wrong, "", "1234567", " \(code)"] {
            #expect(try await world.owner.give(code: digits).problem == .wrongCode, "\(digits)")
        }
        // A code for one place is of no use for another.
        let other = try TestPhone(world.backend, world.machine.reservation())
        let thief = NumberOwner(TestDevice(world.backend), world.gateway, for: other)
        #expect(try await thief.give(code: code).problem == .wrongCode)
        world.backend.callNext()
        world.backend.time.advance(by: .minutes(20))
        #expect(try await world.owner.give(code: code).problem == .notFound, "its place has ended")
        #expect(world.gateway.sent.count == 1)
        #expect(try world.backend.count("subscription") == 0)
    }

    @Test("A shop's SMS of the day are counted, codes too, and the staff sees them")
    func budget() async throws {
        let world = try SMSWorld(perDay: 4)
        func shows(_ sent: Int) async throws -> Bool {
            try await eventually {
                try world.machine.call(.staffQueue).decoded(StaffQueue.self).sms
                    == SMSOfDay(sent: sent, most: 4)
            }
        }
        #expect(try await shows(0))
        try await world.owner.confirm()
        #expect(await eventually { world.gateway.bookings.count == 1 })
        let other = try TestPhone(world.backend, world.machine.reservation())
        var second = NumberOwner(TestDevice(world.backend), world.gateway, for: other)
        second.number = "+393330000000"
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
        // The next day begins with none.
        world.backend.time.advance(by: .seconds(86_400))
        #expect(try await shows(0))
    }

    @Test("The first SMS says how the place is booked, with its code")
    func booked() async throws {
        let world = try SMSWorld()
        try await world.owner.confirm()
        #expect(await eventually { world.gateway.bookings.count == 1 })
        let text = try #require(world.gateway.bookings.first?.text)
        let wait = try #require(try world.phone.look().reservation.wait)
        #expect(text.hasPrefix("Città: Hai il numero \(world.mine.number.text): toccherà a te "))
        #expect(text.contains(wait.earliest.time.description))
        #expect(text.contains(world.mine.typedCode.grouped))
        #expect(try await eventually { try world.backend.count("notice") == 0 })
        // Given back, it says so.
        #expect(try world.phone.call(.withdrawal, code: world.phone.digits).status == 204)
        #expect(await eventually { world.gateway.sent.count == 2 })
        #expect(world.gateway.texts[1].contains("è stato disdetto"))
    }

    @Test("So does that of a visit ahead of its day, of a move, and of its end")
    func visitAhead() async throws {
        let gateway = FakeGateway()
        let (backend, _) = try TestBackend.joinable(sms: gateway.sms()) {
            $0.phones.hasVisits = true
            $0.phones.smsPerDay = 100
        }
        let device = TestDevice(backend)
        let visit = try VisitBookingTests.book(device, VisitBookingTests.sunday)
        #expect(try device.look(visit).sms?.isOn == false)
        try await NumberOwner(device, gateway, for: try TestPhone(backend, visit)).confirm()
        #expect(await eventually { gateway.bookings.count == 1 })
        let code = visit.typedCode.grouped
        #expect(
            gateway.bookings[0].text
                == "Città: La tua visita: domenica 22/11 alle 16:15, numero \(visit.number.text). "
                + "Codice d'ingresso: \(code). Non darlo ad altri.")
        #expect(try await eventually { try backend.count("notice") == 0 })
        // It is kept until the visit has ended, and not for a day only.
        backend.time.advance(by: .seconds(25 * 3_600))
        backend.store.tick()
        let moved = try VisitBookingTests.move(device, visit, to: "2026-11-23T09:00:00+01:00")
            .decoded(Reservation.self)
        #expect(await eventually { gateway.bookings.count == 2 })
        #expect(gateway.bookings[1].text.contains("lunedì 23/11 alle 09:00"))
        #expect(try await eventually { try backend.count("notice") == 0 })
        let sent = gateway.sent.count
        let link = try #require(moved.link.flatMap { Capability(link: $0) }).rawValue
        let body = "{\"capability\":\"\(link)\"}"
        #expect(try device.call(.withdrawal, body).status == 204)
        #expect(await eventually { gateway.sent.count == sent + 1 })
        #expect(
            gateway.texts.last?.contains("La tua visita di lunedì 23/11 alle 09:00") == true)
    }

    @Test("A shop without SMS and a backend without a gateway offer none")
    func offered() async throws {
        let none = try SMSWorld(perDay: 0)
        #expect(try none.phone.look().sms == nil)
        #expect(try await none.owner.give().problem == .notFound)
        #expect(try none.machine.call(.staffQueue).decoded(StaffQueue.self).sms == nil)
        let (backend, machine) = try TestBackend.full { $0.phones.smsPerDay = 10 }
        let phone = try TestPhone(backend, try machine.reservation())
        #expect(try phone.look().sms == nil)
        let owner = NumberOwner(TestDevice(backend), FakeGateway(), for: phone)
        #expect(try await owner.give().problem == .unknownRoute)
    }

    @Test("A gateway that is out of reach is tried again for notices, and costs nothing")
    func unreached() async throws {
        let world = try SMSWorld()
        try await world.callWaits(for: .unreached)
        #expect(try world.backend.count("sms_day WHERE sent = 3") == 1)
        // A customer who asks for a code is asked to try again.
        world.gateway.outcome = .busy
        var owner = world.owner
        owner.number = "+393339999999"
        #expect(try await owner.give().problem == .unavailable)
        world.gateway.outcome = .refused("no such number")
        #expect(try await owner.give().problem == .numberNotServed)
        #expect(try await eventually { try world.backend.count("sms_day WHERE sent = 3") == 1 })
    }

    @Test("An SMS that the gateway may have taken is not sent again, and counts")
    func uncertain() async throws {
        let world = try SMSWorld()
        world.gateway.outcome = .uncertain
        try await world.owner.confirm()
        #expect(await eventually { world.gateway.bookings.count == 1 })
        world.backend.callNext()
        #expect(try await eventually { try world.backend.count("notice") == 0 })
        world.backend.time.advance(by: .seconds(60))
        #expect(world.gateway.sent.count == 2)
        #expect(try world.backend.count("sms_day WHERE sent = 3") == 1)
    }

    @Test("SMS wait for a gateway that is set up wrongly, and cost nothing until it is mended")
    func broken() async throws {
        let world = try SMSWorld()
        try await world.callWaits(for: .broken("wrong-password-or-address"))
    }

    @Test("The customer ends the SMS on the page, and another number takes the place of the first")
    func ended() async throws {
        let world = try SMSWorld()
        try await world.owner.confirm()
        var other = world.owner
        other.number = "+41 79 123 45 67"
        _ = try await other.give()
        #expect(try await other.give(code: world.gateway.digits(6)).status == 200)
        #expect(try world.backend.count("subscription") == 1)
        let end = try await world.owner.end()
        #expect(end.status == 204)
        #expect(try world.isOn() == false)
        world.backend.callNext()
        #expect(try await eventually { try world.backend.count("notice") == 0 })
        // Each number hears that no more SMS come to it.
        #expect(await eventually { world.gateway.sent.count == 4 })
        let last = world.gateway.sent.filter { $0.text.contains("Non riceverai più SMS sul") }
        #expect(last.map(\.number) == ["+393331234567", "+41791234567"])
        // The device remembers the first number, with which it may have places, and needs a code for the other one.
        let next = try TestPhone(world.backend, world.machine.reservation())
        var same = NumberOwner(world.owner.device, world.gateway, for: next)
        #expect(try await same.give().decoded(NumberReply.self).isConfirmed)
        same.number = other.number
        #expect(try await !same.give().decoded(NumberReply.self).isConfirmed)
    }
}
