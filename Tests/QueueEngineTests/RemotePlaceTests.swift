internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("Places that are taken elsewhere [rules: elsewhere, coming-question]")
struct RemotePlaceTests {
    /// A shop of so many places, for customers who stay 20 minutes, which gives all places to phones and half of them to those
    /// who are elsewhere.
    private func counter(capacity: Int = 4) -> Counter {
        Counter(capacity: capacity) {
            $0.phones.hasPlaces = true
            $0.phones.hasRemotePlaces = true
            $0.phones.asksWhoComes = true
            $0.phones.sharePercent = 100
        }
    }

    /// Takes a ticket elsewhere.
    private func take(_ name: String, _ counter: inout Counter) throws -> Reservation {
        try counter.ticket(owner: .phone(HolderID(name)), isRemote: true)
    }

    /// Time passes in steps, with a forecast of each moment, as at a server.
    private func pass(_ minutes: Int, _ counter: inout Counter) {
        for _ in 0..<minutes {
            counter.pass(.minutes(1))
            counter.makeForecast()
            counter.ask(.tick)
        }
        counter.forecast = nil
    }

    /// Machines' customers take and enter every place, so that those who come then have to wait.
    private func fill(_ counter: inout Counter) throws -> [Reservation] {
        try (0..<counter.shop.policy.capacity).map { _ in try counter.inside() }
    }

    private func leave(_ tickets: [Reservation], _ counter: inout Counter) {
        for ticket in tickets { counter.leave(ticket.id) }
    }

    @Test("They are given where the shop wants it, and are half of the share of phones at most")
    func share() throws {
        var counter = counter(capacity: 4)
        counter.decide { $0.phones.hasRemotePlaces = false }
        #expect(throws: Refused(.noRemotePlaces)) { try take("far", &counter) }
        counter.decide { $0.phones.hasRemotePlaces = true }
        // Four places and stays of 20 minutes are 12 admissions in an hour.
        #expect(counter.state.remotePlacesAnHour(in: counter.context) == 6)
        for number in 1...6 { _ = try take("far-\(number)", &counter) }
        #expect(throws: Refused(.remotePlacesTaken)) { try take("far-7", &counter) }
        #expect(!counter.state.hasRemotePlace(in: counter.context))
        // Those at the door still get places.
        let owner = HoldOwner.phone("near")
        try counter.ticket(owner: owner)
        #expect(counter.restored == counter.state)
        // Where phones get one place in an hour, it is the door's.
        var small = self.counter(capacity: 1)
        small.decide { $0.phones.sharePercent = 1 }
        #expect(small.state.remotePlacesAnHour(in: small.context) == 0)
    }

    @Test("A phone has one place, wherever it asked for it, and keeps it if another one is refused")
    func oneHolder() throws {
        var counter = counter()
        let owner = HoldOwner.phone("a-phone")
        let near = try counter.hold(owner: owner)
        let far = try counter.hold(owner: owner, isRemote: true)
        #expect(counter.stored[near.id]?.cause == .replaced)
        #expect(far.channel == .remote && near.channel == .phone)
        let ticket = try counter.confirm(far.id, owner: owner)
        #expect(throws: (any Error).self) { try counter.hold(owner: owner) }
        #expect(counter.state(of: ticket.id) == .called)
        counter.decide { $0.phones.hasRemotePlaces = false }
        let other = HoldOwner.phone("another-phone")
        let hold = try counter.hold(owner: other)
        #expect(throws: Refused(.noRemotePlaces)) {
            try counter.hold(owner: other, isRemote: true)
        }
        try counter.confirm(hold.id, owner: other)
        #expect(counter.restored == counter.state)
    }

    @Test("A customer who could be called within a quarter of an hour has said to be coming")
    func soon() throws {
        var counter = counter()
        let ticket = try take("near-by", &counter)
        #expect(counter.state(of: ticket.id) == .called)
        #expect(counter.stored[ticket.id]?.question.answered == counter.now)
    }

    @Test("The customer is asked a quarter of an hour before, and called in turn after the answer")
    func answered() throws {
        var counter = counter()
        let inside = try fill(&counter)
        for _ in 1...12 { try counter.ticket() }
        let ticket = try take("far", &counter)
        let next = try counter.ticket()
        #expect(counter.stored[ticket.id]?.question == ComingQuestion())
        #expect(counter.report(ticket.id)?.answerBy == nil)
        var asked: Moment?
        var all = inside.map(\.id)
        for _ in 0..<12 where asked == nil {
            for id in all { counter.leave(id) }
            all = counter.stored.values.filter { $0.state == .called }.map(\.hold.id)
            for id in all { counter.enter(id) }
            pass(5, &counter)
            asked = counter.stored[ticket.id]?.question.asked
        }
        let moment = try #require(asked)
        #expect(counter.state(of: ticket.id) == .planned)
        let wait = try #require(counter.report(ticket.id)?.wait)
        #expect(wait.earliest.moment - moment < .minutes(16))
        #expect(counter.report(ticket.id)?.answerBy?.moment == moment + .minutes(15))
        #expect(counter.restored == counter.state)
        let found = try counter.ask(ticket.id, .comes).content(of: QueueOutcome.changed)
        #expect(found.answerBy == nil)
        #expect(counter.stored[ticket.id]?.question.answered == counter.now)
        // It is called before the one behind it.
        for _ in 0..<20 where counter.state(of: next.id) == .planned {
            let people = counter.stored.values.filter { $0.state == .active || $0.state == .called }
            for one in people where counter.state(of: next.id) == .planned {
                counter.pass(.seconds(1))
                counter.enter(one.hold.id)
                counter.leave(one.hold.id)
            }
        }
        func call(_ ticket: Reservation) -> Moment? {
            counter.events.first { $0.0 == ticket.id && $0.2 == .turn }?.3
        }
        #expect(try #require(call(ticket)) < #require(call(next)))
        #expect(counter.restored == counter.state)
    }

    /// A remote ticket whose customer was asked and has not answered, next but for the customer inside, and a machine's behind
    /// it.
    private func silent(
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws -> (Counter, inside: [Reservation], far: Reservation, next: Reservation) {
        var counter = counter(capacity: 1)
        counter.decide(decide)
        var inside = try fill(&counter)
        let other = try counter.ticket()
        let far = try take("far", &counter)
        let next = try counter.ticket()
        #expect(counter.stored[far.id]?.question == ComingQuestion())
        leave(inside, &counter)
        counter.enter(other.id)
        inside = [other]
        pass(16, &counter)
        return (counter, inside, far, next)
    }

    @Test(
        "At its turn a place without an answer is called, before the one behind it, and told two minutes before; a missed call counts, and the staff may restore the place"
    )
    func silentCall() throws {
        var (counter, inside, far, next) = try silent()
        #expect(counter.stored[far.id]?.isAsked == true)
        #expect(counter.report(far.id)?.answerBy != nil)
        #expect(counter.state.callForecasts(of: [far.id], in: counter.context)[far.id] != nil)
        let shown = counter.state.turns(in: counter.context).next.map(\.number)
        #expect(shown == [far.number, next.number])
        leave(inside, &counter)
        #expect(counter.state(of: far.id) == .called && counter.state(of: next.id) == .planned)
        #expect(counter.restored == counter.state)
        pass(10, &counter)
        #expect(counter.stored[far.id]?.cause == .missed)
        #expect(counter.report(far.id)?.status == .missed)
        #expect(counter.noShows[HolderID("far")]?.count == 1)
        #expect(counter.state.attendance.silent == Attendance.Turnout(missed: 1))
        #expect(counter.state.attendance.unanswered == 1)
        #expect(counter.state.attendance.turnout.remote == Attendance.Turnout())
        #expect(counter.state(of: next.id) == .called)
        #expect(counter.restored == counter.state)
        counter.ask(far.id, .restore)
        #expect(counter.state(of: far.id) == .planned)
        #expect(counter.report(far.id)?.answerBy == nil, "its customer is with the staff")
        #expect(counter.restored == counter.state)
    }

    @Test("A place that its turn reaches before it was asked is called too")
    func unasked() throws {
        var counter = counter(capacity: 1)
        let inside = try fill(&counter)
        let ticket = try counter.ticket()
        let far = try take("far", &counter)
        leave(inside, &counter)
        counter.enter(ticket.id)
        leave([ticket], &counter)
        #expect(counter.stored[far.id]?.question == ComingQuestion())
        #expect(counter.state(of: far.id) == .called)
    }

    @Test(
        "A row that ended without an answer in an earlier schema is shown as missed, and may be restored"
    )
    func formerRow() throws {
        var (counter, _, far, _) = try silent()
        let record = try #require(counter.stored[far.id])
        counter.stored[far.id] = ReservationRecord(
            hold: record.hold, state: .expired, since: counter.now, cause: .unanswered,
            confirmation: record.confirmation, question: record.question)
        counter.state = counter.restored
        #expect(counter.report(far.id)?.status == .missed)
        counter.pass(.seconds(1))
        counter.ask(far.id, .restore)
        #expect(counter.state(of: far.id) == .planned)
        #expect(counter.restored == counter.state)
    }

    @Test("A customer who lets others go ahead is coming, and is asked no more")
    func delayed() throws {
        var (counter, inside, far, next) = try silent { $0.allowsDelays = true }
        let behind = try counter.tickets(3)
        #expect(counter.report(far.id)?.answerBy != nil)
        let delay = ReservationCommand.delay(people: 2, proof: .entry(far.code))
        let found = try counter.ask(far.id, delay).content(of: QueueOutcome.changed)
        #expect(found.answerBy == nil)
        leave(inside, &counter)
        for one in [next, behind[0]] {
            #expect(counter.state(of: one.id) == .called)
            counter.enter(one.id)
            leave([one], &counter)
        }
        #expect(counter.state(of: far.id) == .called)
        #expect(counter.restored == counter.state)
    }

    @Test("A customer who was sent home without an answer is called when the shop opens again")
    func openAgain() throws {
        var (counter, inside, far, _) = try silent()
        counter.ask(.sendHome)
        #expect(counter.report(far.id)?.status == .closed)
        leave(inside, &counter)
        counter.pass(.minutes(20))
        counter.ask(.openAgain)
        #expect(counter.state(of: far.id) == .called)
        #expect(counter.restored == counter.state)
    }

    @Test("A shop that does not ask calls those who are elsewhere as all others")
    func notAsked() throws {
        var (counter, inside, far, _) = try silent { $0.phones.asksWhoComes = false }
        #expect(counter.stored[far.id]?.question == ComingQuestion())
        #expect(counter.report(far.id)?.answerBy == nil)
        leave(inside, &counter)
        #expect(counter.state(of: far.id) == .called)
        pass(10, &counter)
        #expect(counter.state.attendance.turnout.remote == Attendance.Turnout(missed: 1))
        #expect(counter.state.attendance.silent == Attendance.Turnout())
    }

    @Test("A customer who shows the code at the door before the call has answered")
    func atTheDoor() throws {
        var (counter, inside, far, _) = try silent()
        #expect(throws: Refused.self, performing: { try counter.enter(far.id).get() })
        #expect(counter.stored[far.id]?.question.answered == counter.now)
        #expect(counter.state.attendance.answered == 1)
        leave(inside, &counter)
        #expect(counter.state(of: far.id) == .called)
        #expect(counter.restored == counter.state)
    }

    @Test(
        "If those who are elsewhere do not come, they get fewer places, and all of them again when they do"
    )
    func trust() throws {
        // Of 240 admissions in an hour they get 60.
        var counter = counter(capacity: 80)
        counter.decide { $0.phones.sharePercent = 50 }
        (counter.periods, counter.openDays) = ([("00:00", "23:59")], 5)
        func places() -> Int { counter.state.remotePlacesAnHour(in: counter.context) }
        #expect(places() == 60)
        var number = 0
        /// So many take a place; after the call they come or do not.
        func call(_ count: Int, comes: Bool) throws {
            for _ in 0..<count {
                number += 1
                let ticket = try take("far-\(number)", &counter)
                if comes {
                    counter.enter(ticket.id)
                    counter.leave(ticket.id)
                }
            }
            counter.tick(after: .minutes(11))
        }
        try call(20, comes: true)
        #expect(places() == 60)
        for _ in 1...20 where places() > 7 {
            try call(5, comes: false)
            // The calls that were missed count for an hour.
            counter.pass(.minutes(61))
        }
        #expect(places() == 7)
        try call(7, comes: false)
        #expect(throws: Refused(.remotePlacesTaken)) { try call(1, comes: false) }
        #expect(counter.restored == counter.state)
        counter.pass(.minutes(50))
        for _ in 1...40 where places() < 60 { try call(1, comes: true) }
        #expect(places() == 60)
    }

    /// The wait behind twelve customers elsewhere, whose question is as it is given.
    private func wait(
        behind question: ComingQuestion, silentMissed: Int64 = 0, unanswered: Int64 = 0
    ) throws -> Duration {
        var counter = counter(capacity: 2)
        for _ in 1...12 { try counter.ticket() }
        counter.attendance.unanswered = unanswered
        counter.attendance.silent = Attendance.Turnout(came: 100, missed: silentMissed)
        counter.attendance.turnout.remote = Attendance.Turnout(came: 400, missed: 100)
        counter.moveToPhones(isRemote: true, question)
        return try counter.hold(owner: .machine(Counter.other)).wait.expected.moment - counter.now
    }

    @Test(
        "Behind customers who have not answered, and then rarely come, the wait is shorter; it is one of all calls"
    )
    func forecast() throws {
        let now = Counter.at("10:00")
        let answered = try wait(behind: ComingQuestion(asked: now, answered: now))
        let silent = try wait(behind: ComingQuestion(asked: now), silentMissed: 1_500)
        // Of those who do not come each has the place for ten minutes, and not for twenty.
        #expect(silent < answered * 0.8 && silent > answered * 0.45)
        let rarely = try wait(
            behind: ComingQuestion(), silentMissed: 1_500, unanswered: 1_500)
        let often = try wait(behind: ComingQuestion(), silentMissed: 1_500)
        #expect(silent < often && rarely < often)
    }
}
