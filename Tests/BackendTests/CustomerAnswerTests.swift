import BackendAPI
@testable import BackendService
import Foundation
import Reservations
import Testing

import func TestSupport.eventually

@Suite("What customers answer by SMS [rules 38]")
struct CustomerAnswerTests {
    /// A full shop in which a customer with SMS waits before some others.
    private struct World {
        let gateway = FakeGateway()
        let backend: TestBackend
        let machine: TestMachine
        let mine: Reservation
        let phone: TestPhone

        init() async throws {
            (backend, machine) = try TestBackend.full(sms: gateway.sms()) {
                $0.phones.smsPerDay = 100
                $0.allowsDelays = true
            }
            mine = try machine.reservation()
            for _ in 0..<6 { _ = try machine.reservation() }
            phone = try TestPhone(backend, mine)
            try await NumberOwner(TestDevice(backend), gateway, for: phone).confirm()
        }

        func status() throws -> ReservationStatus { try phone.look().reservation.status }
    }

    @Test("NO is answered by a question, and only NO with its word gives the place back")
    func no() async throws {
        let world = try await World()
        await world.backend.answer("No")
        #expect(world.gateway.sent.count == 2)
        let word = try world.gateway.digits(4)
        #expect(try world.status() == .planned)
        // A sender can be forged; the word cannot be known.
        let wrong = word == "0000" ? "0001" : "0000"
        await world.backend.answer("NO \(wrong)")
        #expect(try world.status() == .planned)
        await world.backend.answer("NO \(word)", from: "393330000000")
        #expect(try world.status() == .planned)
        await world.backend.answer("no \(word)", from: "+39 333 123 4567".replacing(" ", with: ""))
        #expect(try world.status() == .deleted)
        // The notice that it was given back.
        #expect(await eventually { world.gateway.sent.count == 3 })
        #expect(
            world.backend.metrics.contains("clup_sms_answers_total{answer=\"no\"} 4"))
    }

    @Test(
        "LATER is answered by the later times, and done with the word, once for an SMS that comes twice"
    )
    func later() async throws {
        let world = try await World()
        let before = try #require(try world.phone.look().reservation.wait)
        await world.backend.answer("LATER")
        #expect(world.gateway.sent.count == 2)
        let word = try world.gateway.digits(4)
        #expect(try world.phone.look().reservation.wait?.peopleAhead == before.peopleAhead)
        for _ in 0..<2 {
            await world.backend.answer("DOPO \(word)", from: "00393331234567", id: "7")
        }
        let after = try #require(try world.phone.look().reservation.wait)
        #expect(after.peopleAhead == before.peopleAhead + 5)
        #expect(world.gateway.sent.count == 3, "what comes twice is answered once")
        // The word is that of five people, however many are behind now.
        for _ in 0..<10 { _ = try world.machine.reservation() }
        await world.backend.answer("LATER \(word)", id: "8")
        let twice = try #require(try world.phone.look().reservation.wait)
        #expect(twice.peopleAhead == before.peopleAhead + 10)
        #expect(world.gateway.sent.count == 4)
        // No more than twice.
        await world.backend.answer("LATER \(word)", id: "9")
        #expect(try world.phone.look().reservation.wait?.peopleAhead == twice.peopleAhead)
        #expect(world.gateway.sent.count == 5)
    }

    @Test("A word is that of its place, whichever of a number's places is newer")
    func words() async throws {
        let world = try await World()
        await world.backend.answer("NO")
        let word = try world.gateway.digits(4)
        let other = try TestPhone(world.backend, world.machine.reservation())
        try await NumberOwner(TestDevice(world.backend), world.gateway, for: other)
            .confirm()
        await world.backend.answer("NO \(word)")
        #expect(try world.status() == .deleted)
        #expect(try other.look().reservation.status == .planned)
    }

    @Test("What the store cannot do now, the gateway is to send once more")
    func again() async throws {
        let world = try await World()
        try world.backend.run("ALTER TABLE sms_number RENAME TO away")
        for text in ["STOP", "START", "NO"] {
            #expect(await !world.backend.answer(text), "\(text)")
        }
        try world.backend.run("ALTER TABLE away RENAME TO sms_number")
        #expect(await world.backend.answer("STOP"))
        #expect(try world.phone.look().sms?.isOn == false)
        #expect(await world.backend.answer("hello"))
    }

    @Test("STOP ends all SMS to the number, of every place, until START comes")
    func stop() async throws {
        let world = try await World()
        let other = try TestPhone(world.backend, world.machine.reservation())
        let second = NumberOwner(TestDevice(world.backend), world.gateway, for: other)
        try await second.confirm()
        #expect(try world.backend.count("subscription") == 2)
        await world.backend.answer("Stop!")
        #expect(try world.backend.count("subscription") == 0)
        #expect(try world.phone.look().sms?.isOn == false)
        #expect(try await second.give().problem == .numberStopped)
        #expect(try await second.give(code: "123456").problem == .numberStopped)
        let sent = world.gateway.sent.count
        await world.backend.answer("NO")
        world.backend.callNext()
        #expect(try await eventually { try world.backend.count("notice") == 0 })
        #expect(world.gateway.sent.count == sent)
        await world.backend.answer("START")
        #expect(try await second.give().status == 200)
    }

    @Test("Answers from numbers of no mobile phone, which get no SMS, are not kept")
    func landline() async throws {
        let world = try await World()
        let known = try world.backend.count("sms_number")
        for sender in ["390669812345", "39899123456", "881631234567"] {
            #expect(await world.backend.answer("STOP", from: sender), "\(sender)")
        }
        #expect(try world.backend.count("sms_number") == known)
        let refused = #"clup_sms_answers_total{answer="refused"} 3"#
        #expect(world.backend.metrics.contains(refused))
    }

    @Test("YES answers the question whether the customer of a visit is coming")
    func yes() async throws {
        let gateway = FakeGateway()
        let (backend, _) = try TestBackend.joinable(sms: gateway.sms()) {
            $0.capacity = 20
            $0.phones.hasVisits = true
            $0.phones.asksWhoComes = true
            $0.phones.smsPerDay = 100
        }
        let device = TestDevice(backend)
        let place = try VisitBookingTests.book(device, "2026-11-20T12:30:00+01:00")
        let phone = try TestPhone(backend, place)
        try await NumberOwner(device, gateway, for: phone).confirm()
        // The question takes the place of no SMS that waits.
        #expect(await eventually { gateway.bookings.count == 1 })
        #expect(try await eventually { try backend.count("notice") == 0 })
        func answerBy() throws -> LocalMoment? { try phone.look().reservation.answerBy }
        #expect(try answerBy() == nil)
        backend.time.advance(by: .minutes(31))
        backend.store.tick()
        #expect(try answerBy()?.time.description == "12:30")
        #expect(await eventually { gateway.sent.count == 2 })
        await backend.answer("Sì")
        #expect(try answerBy() == nil)
        #expect(try phone.look().reservation.status == .planned)
        #expect(try backend.count("reservation WHERE answered_ms IS NOT NULL") == 1)
    }

    @Test(
        "Texts that say more, of unknown senders or of no use are not answered, however many come")
    func ignored() async throws {
        let world = try await World()
        for text in [
            "no problem, I am coming", "", "hello", "NO 12", "LATER please", "1234",
            String(repeating: "NO ", count: 5_000), "\u{0}\u{1}", "יש",
        ] {
            await world.backend.answer(text)
        }
        for sender in ["", "+", "393331234", "KANNEL", "0", "+390000000000000000"] {
            await world.backend.answer("NO", from: sender)
        }
        #expect(world.gateway.sent.count == 1, "the code")
        for number in 0..<30 { await world.backend.answer("NO", id: "\(number)") }
        #expect(world.gateway.sent.count == 11, "a number is answered ten times a day")
        #expect(try world.status() == .planned)
    }
}
