import BackendAPI
import BackendService
import Reservations
import Testing

@Suite("More time, and a missed call, at machines and on phones [rules 34]")
struct TurnChangeServiceTests {
    /// A full shop that allows both, its machine, and so many waiting tickets.
    private static func shop(
        _ waiting: Int, _ limits: [LimitedAction: RateLimit] = [:], isStepped: Bool = false
    ) throws -> (TestBackend, TestMachine, [Reservation]) {
        let (backend, machine) = try TestBackend.full(limits, isStepped: isStepped) {
            $0.allowsDelays = true
            $0.allowsReclaims = true
        }
        return (backend, machine, try machine.reservations(waiting))
    }

    @Test("A paper at the machine: the price is shown before, and is what is promised then")
    func machine() throws {
        // Two waits are compared: no forecast may be made between them.
        let (_, machine, waiting) = try Self.shop(6, isStepped: true)
        let mine = waiting[0]
        let found = try machine.found(mine)
        let offers = try #require(found.delayOffers)
        #expect(offers.map(\.people) == [2, 5])
        let delayed = try machine.delay(mine, by: 5, key: "once")
        let now = try delayed.decoded(FoundReservation.self)
        #expect(delayed.status == 200 && now.number == mine.number && now.wait == offers[1].wait)
        #expect(now.wait?.peopleAhead == 5 && now.delayOffers == nil)
        // A lost answer is asked for again.
        #expect(try machine.delay(mine, by: 5, key: "once").body == delayed.body)
        let ahead = try waiting.map {
            try machine.lookUp($0.code.rawValue).decoded(FoundReservation.self).wait?.peopleAhead
        }
        #expect(ahead == [5, 0, 1, 2, 3, 4])
        #expect(try machine.delay(waiting[1], by: 10).problem == .noDelay)
        #expect(try machine.delay(waiting[1], by: 2, code: "0000000000").problem == .notFound)
        for body in [
            "{}", #"{"code":"\#(mine.code)"}"#, #"{"code":"\#(mine.code)","people":"2"}"#,
            #"{"code":"\#(mine.code)","people":0}"#, #"{"code":"\#(mine.code)","people":101}"#,
        ] {
            #expect(try machine.call(.delay(mine.id), body).problem == .malformed, "\(body)")
        }
    }

    @Test("A page of the place: with the ten digits, on every page, undone within two minutes")
    func phone() throws {
        // Two waits are compared: no forecast may be made between them.
        let (backend, _, waiting) = try Self.shop(4, isStepped: true)
        let mine = waiting[0]
        let (phone, other) = (try TestPhone(backend, mine), try TestPhone(backend, mine))
        let digits = mine.digits
        let offers = try #require(try phone.look().reservation.delayOffers)
        #expect(offers.map(\.people) == [2])
        #expect(try phone.call(.delay, people: 2).problem == .wrongDigits)
        #expect(try phone.call(.delay, code: "0000000000", people: 2).problem == .wrongDigits)
        #expect(try phone.call(.delay, code: digits).problem == .malformed)
        #expect(try phone.call(.delay, code: digits, people: 0).problem == .malformed)
        #expect(try phone.call(.delay, code: digits, people: 5).problem == .noDelay)
        for _ in 0..<2 {
            #expect(try phone.call(.delay, code: digits, key: "once", people: 2).status == 204)
        }
        for page in [phone, other] {
            let shown = try page.look().reservation
            #expect(shown.wait == offers[0].wait && shown.wait?.peopleAhead == 2)
            // The ticket was taken in the same millisecond: it changes in the next one.
            #expect(shown.undoBy?.moment == backend.time.now + .milliseconds(120_001))
        }
        #expect(try other.call(.undo, code: digits).status == 204)
        #expect(try phone.look().reservation.wait?.peopleAhead == 0)
        #expect(try phone.look().reservation.undoBy == nil)
        #expect(try phone.call(.delay, code: digits, people: 2).status == 204)
        backend.time.advance(by: .seconds(121))
        #expect(try phone.look().reservation.undoBy == nil)
        #expect(try phone.call(.undo, code: digits).problem == .stillValid)
    }

    @Test("A page hears at once that another one, or the machine, has let people ahead")
    func socket() throws {
        let (backend, machine, waiting) = try Self.shop(4)
        let socket = try TestPhone(backend, waiting[0]).open()
        #expect(try socket.place().reservation.undoBy == nil)
        #expect(try machine.delay(waiting[0], by: 2).status == 200)
        let place = try socket.place { $0.reservation.undoBy != nil }
        #expect(place.reservation.wait?.peopleAhead == 2)
    }

    @Test("A missed place is taken back once, at the machine or on the page")
    func missed() throws {
        let (backend, machine, waiting) = try Self.shop(2)
        backend.pass(.seconds(601))
        // Those who were first have missed their calls; these two are called, and miss theirs.
        let phone = try TestPhone(backend, waiting[1])
        #expect(try phone.look().reservation.status == .called)
        #expect(try phone.call(.reclaim, code: waiting[1].digits).problem == .stillValid)
        backend.time.advance(by: .seconds(601))
        let found = try machine.found(waiting[0])
        #expect(found.status == .missed && !found.isDeletable)
        #expect(found.reclaimBy.map { $0.moment > found.now.moment } == true)
        let back = try machine.reclaim(waiting[0]).decoded(FoundReservation.self)
        #expect(back.status == .called && back.enterBy != nil && back.number == waiting[0].number)
        #expect(try machine.reclaim(waiting[0]).problem == .stillValid)

        #expect(try phone.look().reservation.reclaimBy != nil)
        #expect(try phone.call(.reclaim).problem == .wrongDigits)
        for _ in 0..<2 {
            #expect(try phone.call(.reclaim, code: waiting[1].digits, key: "once").status == 204)
        }
        #expect(try phone.look().reservation.status == .called)
        backend.pass(.seconds(601))
        #expect(try phone.look().reservation.reclaimBy == nil)
        #expect(try phone.call(.reclaim, code: waiting[1].digits).problem == .missed)
        #expect(try machine.reclaim(waiting[0]).problem == .missed)
    }

    @Test("Who guesses the ten digits is limited in these calls as in all others")
    func guesses() throws {
        let (backend, machine, waiting) = try Self.shop(4, [.codes: .only(3)])
        for code in ["0000000000", "0000000002"] {
            #expect(try machine.delay(waiting[0], by: 2, code: code).problem == .notFound)
        }
        #expect(try machine.reclaim(waiting[0], code: "0000000001").problem == .notFound)
        #expect(try machine.delay(waiting[0], by: 2, code: "0000000009").status == 429)
        #expect(try machine.reclaim(waiting[0], code: "0000000009").status == 429)
        // The code of the symbol cannot be guessed, and is not limited.
        #expect(try machine.delay(waiting[0], by: 2).status == 200)
        let phone = try TestPhone(backend, waiting[1])
        for call in [PublicCall.delay, .reclaim, .withdrawal] {
            #expect(try phone.call(call, code: "0000000000", people: 2).status == 403)
        }
        #expect(try phone.call(.delay, code: "0000000000", people: 2).status == 429)
    }

    @Test("A shop that has not switched them on offers neither")
    func off() throws {
        let (backend, machine) = try TestBackend.full()
        let waiting = try machine.reservations(4)
        let found = try machine.found(waiting[0])
        #expect(found.delayOffers == nil)
        #expect(try machine.delay(waiting[0], by: 2).problem == .noDelay)
        backend.pass(.seconds(601))
        backend.time.advance(by: .seconds(601))
        let missed = try machine.found(waiting[0])
        #expect(missed.status == .missed && missed.reclaimBy == nil)
        #expect(try machine.reclaim(waiting[0]).problem == .missed)
    }
}

extension TestMachine {
    fileprivate func delay(
        _ ticket: Reservation, by people: Int, code: String? = nil, key: String? = nil
    ) throws -> WireResponse {
        let code = code ?? ticket.code.rawValue
        return try call(.delay(ticket.id), #"{"code":"\#(code)","people":\#(people)}"#, key: key)
    }

    fileprivate func reclaim(_ ticket: Reservation, code: String? = nil) throws -> WireResponse {
        try call(.reclaim(ticket.id), #"{"code":"\#(code ?? ticket.digits)"}"#)
    }
}
