@testable import BackendService
import Reservations
import TestSupport
import Testing

@Suite("What customers answer by SMS [rules: sms-answers]")
final class CustomerAnswerTests: SMSWorld {
    /// The customer with SMS waits before some others.
    init() async throws {
        try super.init { $0.allowsDelays = true }
        _ = try machine.reservations(6)
        try await owner.confirm()
    }

    private func status() throws -> ReservationStatus { try phone.look().reservation.status }

    @Test("NO is answered by a question, and only NO with its word gives the place back")
    func no() async throws {
        await backend.answer("No")
        #expect(gateway.sent.count == 2)
        let word = try gateway.digits(4)
        #expect(try status() == .planned)
        // A sender can be forged; the word cannot be known.
        let wrong = word == "0000" ? "0001" : "0000"
        await backend.answer("NO \(wrong)")
        #expect(try status() == .planned)
        await backend.answer("NO \(word)", from: "393330000000")
        #expect(try status() == .planned)
        await backend.answer("no \(word)", from: "+39 333 123 4567".replacing(" ", with: ""))
        #expect(try status() == .deleted)
        // The notice that it was given back.
        #expect(await eventually { gateway.sent.count == 3 })
        #expect(backend.metrics.contains("clup_sms_answers_total{answer=\"no\"} 4"))
    }

    @Test("LATER is answered by later times, and done with the word, once if the SMS comes twice")
    func later() async throws {
        let before = try #require(try phone.look().reservation.wait)
        await backend.answer("LATER")
        #expect(gateway.sent.count == 2)
        let word = try gateway.digits(4)
        #expect(try phone.look().reservation.wait?.peopleAhead == before.peopleAhead)
        for _ in 0..<2 {
            await backend.answer("DOPO \(word)", from: "00393331234567", id: "7")
        }
        let after = try #require(try phone.look().reservation.wait)
        #expect(after.peopleAhead == before.peopleAhead + 5)
        #expect(gateway.sent.count == 3, "what comes twice is answered once")
        // The word is that of five people, however many are behind now.
        for _ in 0..<10 { _ = try machine.reservation() }
        await backend.answer("LATER \(word)", id: "8")
        let twice = try #require(try phone.look().reservation.wait)
        #expect(twice.peopleAhead == before.peopleAhead + 10)
        // What is refused is answered too.
        await backend.answer("LATER \(word)", id: "9")
        #expect(gateway.sent.count == 5)
    }

    @Test("A word is that of its place, whichever of a number's places is newer")
    func words() async throws {
        await backend.answer("NO")
        let word = try gateway.digits(4)
        let other = try TestPhone(backend, machine.reservation())
        try await NumberOwner(TestDevice(backend), gateway, for: other).confirm()
        await backend.answer("NO \(word)")
        #expect(try status() == .deleted)
        #expect(try other.look().reservation.status == .planned)
    }

    @Test("What the store cannot do now, the gateway is to send once more")
    func again() async throws {
        try backend.run("ALTER TABLE sms_number RENAME TO away")
        for text in ["STOP", "START", "NO"] {
            #expect(await !backend.answer(text), "\(text)")
        }
        try backend.run("ALTER TABLE away RENAME TO sms_number")
        #expect(await backend.answer("STOP"))
        #expect(try phone.look().sms?.isOn == false)
        #expect(await backend.answer("hello"))
    }

    @Test("STOP ends all SMS to the number, of every place, until START comes")
    func stop() async throws {
        let second = try other()
        try await second.confirm()
        #expect(try backend.count("subscription") == 2)
        await backend.answer("Stop!")
        #expect(try backend.count("subscription") == 0)
        #expect(try phone.look().sms?.isOn == false)
        #expect(try await second.give().problem == .numberStopped)
        #expect(try await second.give(code: "123456").problem == .numberStopped)
        let sent = gateway.sent.count
        await backend.answer("NO")
        backend.callNext()
        #expect(try await eventually { try backend.count("notice") == 0 })
        #expect(gateway.sent.count == sent)
        await backend.answer("START")
        #expect(try await second.give().status == 200)
    }

    @Test("YES answers the question whether the customer of a visit is coming")
    func yes() async throws {
        let world = try LinkedPlace(at: "2026-11-20T12:30:00+01:00") {
            $0.capacity = 20
            $0.phones.asksWhoComes = true
        }
        let (gateway, backend, phone) = (world.gateway, world.backend, world.phone)
        // The question takes the place of no SMS that waits.
        try await NumberOwner(world.owner, gateway, for: phone).confirmBooked()
        func answerBy() throws -> LocalMoment? { try phone.look().reservation.answerBy }
        #expect(try answerBy() == nil)
        backend.pass(.minutes(31))
        #expect(try answerBy()?.time.description == "12:30")
        #expect(await eventually { gateway.sent.count == 2 })
        await backend.answer("Sì")
        #expect(try answerBy() == nil)
        #expect(try phone.look().reservation.status == .planned)
        #expect(try backend.count("reservation WHERE answered_ms IS NOT NULL") == 1)
    }

    @Test("An SMS that is not understood is answered once within a day by what to write")
    func explained() async throws {
        for text in ["no problem, I am coming", "hello", "", "NO 12", "LATER maybe", "יש"] {
            #expect(await backend.answer(text), "\(text)")
        }
        #expect(gateway.sent.count == 2)
        let words = try #require(gateway.sent.last?.text)
        for word in [" SI ", " NO ", " DOPO ", " STOP "] {
            #expect(words.contains(word), "\(words)")
        }
        #expect(backend.metrics.contains(#"clup_sms_answers_total{answer="unknown"} 6"#))
        // Who only has the link gets no reply, and neither does a number without a place.
        await backend.answer("hello", from: "393339999999")
        #expect(gateway.sent.count == 2)
        backend.pass(.seconds(86_401))
        await backend.answer("hello")
        #expect(gateway.sent.count <= 3)
    }

    @Test("Texts that say more, are of no use or of unknown senders are not answered, however many")
    func ignored() async throws {
        // Numbers of no mobile phone, which get no SMS, are not kept.
        let known = try backend.count("sms_number")
        for sender in ["390669812345", "39899123456", "881631234567"] {
            #expect(await backend.answer("STOP", from: sender), "\(sender)")
        }
        #expect(try backend.count("sms_number") == known)
        #expect(backend.metrics.contains(#"clup_sms_answers_total{answer="refused"} 3"#))
        for text in [
            "no problem, I am coming", "", "hello", "NO 12", "LATER maybe", "1234",
            String(repeating: "NO ", count: 5_000), "\u{0}\u{1}", "יש",
        ] {
            await backend.answer(text)
        }
        #expect(gateway.sent.count == 2, "the code, and what to answer")
        for sender in ["", "+", "393331234", "KANNEL", "0", "+390000000000000000"] {
            await backend.answer("NO", from: sender)
        }
        #expect(gateway.sent.count == 2)
        for number in 0..<30 { await backend.answer("NO", id: "\(number)") }
        #expect(gateway.sent.count == 12, "a number is answered ten times a day")
        #expect(try status() == .planned)
    }
}
