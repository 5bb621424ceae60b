import BackendAPI
import BackendService
import Reservations
import Testing

@Suite("More time, and a missed call, at machines and on phones [rules: more-time]")
struct TurnChangeServiceTests {
    /// A full shop that allows both, its machine, and so many waiting tickets.
    private static func shop(
        _ waiting: Int, _ limits: [LimitedAction: RateLimit] = [:]
    ) throws -> (TestBackend, TestMachine, [Reservation]) {
        let (backend, machine) = try TestBackend.full(limits) {
            $0.allowsDelays = true
            $0.allowsReclaims = true
        }
        return (backend, machine, try machine.reservations(waiting))
    }

    @Test("A paper at the machine lets people go ahead once for each key; wrong bodies are refused")
    func machine() throws {
        let (_, machine, waiting) = try Self.shop(6)
        #expect(try machine.profile().allowsDelays == true, "paper and screen say so")
        let mine = waiting[0]
        let delayed = try machine.delay(mine, by: 5, key: "once")
        let now = try delayed.decoded(FoundReservation.self)
        #expect(delayed.status == 200 && now.number == mine.number && now.wait?.peopleAhead == 5)
        // A lost answer is asked for again.
        #expect(try machine.delay(mine, by: 5, key: "once").body == delayed.body)
        #expect(try machine.delay(waiting[1], by: 10).problem == .noDelay)
        #expect(try machine.delay(waiting[1], by: 2, code: "0000000000").problem == .notFound)
        for body in [
            "{}", #"{"code":"\#(mine.code)"}"#, #"{"code":"\#(mine.code)","people":"2"}"#,
            #"{"code":"\#(mine.code)","people":0}"#, #"{"code":"\#(mine.code)","people":101}"#,
        ] {
            #expect(try machine.call(.delay(mine.id), body).problem == .malformed, "\(body)")
        }
    }

    @Test("A page of the place does so with the ten digits, and takes it back")
    func phone() throws {
        let (backend, _, waiting) = try Self.shop(4)
        let phone = try TestPhone(backend, waiting[0])
        let digits = phone.digits
        #expect(try phone.look().reservation.delayOffers?.map(\.people) == [2])
        #expect(try phone.call(.delay, code: digits).problem == .malformed)
        #expect(try phone.call(.delay, code: digits, people: 0).problem == .malformed)
        #expect(try phone.call(.delay, code: digits, people: 5).problem == .noDelay)
        for _ in 0..<2 {
            #expect(try phone.call(.delay, code: digits, key: "once", people: 2).status == 204)
        }
        let shown = try phone.look().reservation
        #expect(shown.wait?.peopleAhead == 2 && shown.undoBy != nil)
        #expect(try phone.call(.undo, code: digits).status == 204)
        #expect(try phone.look().reservation.wait?.peopleAhead == 0)
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

    @Test("A missed place is taken back, at the machine or on the page")
    func missed() throws {
        let (backend, machine, waiting) = try Self.shop(2)
        backend.pass(.seconds(601))
        // Those who were first have missed their calls; these two are called, and miss theirs.
        let phone = try TestPhone(backend, waiting[1])
        backend.time.advance(by: .seconds(601))
        let found = try machine.found(waiting[0])
        #expect(found.status == .missed && !found.isDeletable && found.reclaimBy != nil)
        let back = try machine.reclaim(waiting[0]).decoded(FoundReservation.self)
        #expect(back.status == .called && back.enterBy != nil && back.number == waiting[0].number)

        #expect(try phone.look().reservation.reclaimBy != nil)
        for _ in 0..<2 {
            #expect(try phone.call(.reclaim, code: phone.digits, key: "once").status == 204)
        }
        #expect(try phone.look().reservation.status == .called)
    }

    @Test("Who guesses the ten digits on a phone is limited in these calls as in all others")
    func guesses() throws {
        let (backend, _, waiting) = try Self.shop(4, [.codes: .only(3)])
        let phone = try TestPhone(backend, waiting[1])
        for call in [PublicCall.delay, .reclaim, .withdrawal] {
            #expect(try phone.call(call, code: "0000000000", people: 2).status == 403)
        }
        #expect(try phone.call(.delay, code: "0000000000", people: 2).status == 429)
    }
}

extension TestMachine {
    fileprivate func delay(
        _ ticket: Reservation, by people: Int, code: String? = nil, key: String? = nil
    ) throws -> WireResponse {
        let code = code ?? ticket.code.rawValue
        return try call(.delay(ticket.id), #"{"code":"\#(code)","people":\#(people)}"#, key: key)
    }

    fileprivate func reclaim(_ ticket: Reservation) throws -> WireResponse {
        try call(.reclaim(ticket.id), code: ticket.digits)
    }
}
