internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("Channels")
struct ChannelTests {
    private static let phone = HoldOwner.phone("a-phone")
    private static let otherPhone = HoldOwner.phone("another-phone")
    /// All places may be taken on phones.
    private static let generous = {
        var phones = PhonePolicy()
        phones.sharePercent = 100
        return phones
    }()

    private func counter(capacity: Int = 50, phones: PhonePolicy = PhonePolicy()) -> Counter {
        var counter = Counter(capacity: capacity)
        var phones = phones
        phones.hasPlaces = true
        counter.shop.policy.phones = phones
        counter.state = QueueState(policy: counter.shop.policy)
        return counter
    }

    @Test(
        "A phone has one hold, which neither a machine nor another phone can confirm or give back")
    func owners() throws {
        var counter = counter()
        let older = try counter.hold(owner: Self.phone)
        let hold = try counter.hold(owner: Self.phone)
        let machines = try counter.hold()
        #expect(counter.stored[older.id]?.cause == .replaced)
        #expect(counter.state.holds.map(\.id) == [hold.id, machines.id])
        for stranger in [Self.otherPhone, .machine(Counter.machine)] {
            #expect(counter.ask(.held(hold.id, owner: stranger, .extend)) == .refused(.notFound))
            #expect(counter.ask(.held(hold.id, owner: stranger, .release)) == .refused(.notFound))
            #expect(throws: Refused(.notFound)) { try counter.confirm(hold.id, owner: stranger) }
        }
        #expect(try counter.confirm(hold.id, owner: Self.phone).number.rawValue == 1)
    }

    @Test("Who comes and who does not is learned for each channel, and survives a restart")
    func learned() throws {
        var counter = counter()
        let before = counter.state.attendance
        let atMachine = try counter.ticket()
        for number in 1...3 {
            let owner = HoldOwner.phone(HolderID("phone-\(number)"))
            try counter.confirm(try counter.hold(owner: owner).id, owner: owner)
        }
        counter.ask(.reservation(atMachine.id, .enter))
        counter.pass(.minutes(11))
        counter.ask(.tick)
        let after = counter.state.attendance
        #expect(after.turnout.machine == Attendance.Turnout(came: 1, missed: 0))
        #expect(after.turnout.phone == Attendance.Turnout(came: 0, missed: 3))
        #expect(before.turnout == ByChannel(all: Attendance.Turnout()))
        #expect(counter.restored == counter.state)
    }

    @Test(
        "A queue of phones, whose customers often do not come, is called sooner than one of machines"
    )
    func forecast() throws {
        func wait(on channel: Channel) throws -> Duration {
            var counter = counter(capacity: 2, phones: Self.generous)
            counter.attendance = Attendance(
                turnout: ByChannel(
                    machine: Attendance.Turnout(came: 900, missed: 100),
                    phone: Attendance.Turnout(came: 400, missed: 600), remote: Attendance.Turnout())
            )
            for _ in 1...12 { try counter.ticket() }
            if channel == .phone { counter.stored = counter.stored.mapValues(Self.onPhone) }
            counter.state = counter.restored
            return try counter.hold(owner: .machine(Counter.other)).wait.expected.moment
                - counter.now
        }
        let machines = try wait(on: .machine)
        let phones = try wait(on: .phone)
        // A no-show keeps a place for 10 minutes, and a customer for 20 and the way.
        #expect(phones < machines * 0.85)
        #expect(phones > machines * 0.5)
    }

    /// The same reservation as if a phone had taken it; phones do not come all at once (rules 35).
    private static func onPhone(_ record: ReservationRecord) -> ReservationRecord {
        let hold = record.hold
        return ReservationRecord(
            hold: Hold(
                id: hold.id, owner: .phone(HolderID("phone-of-\(hold.id)")), kind: hold.kind,
                day: hold.day, taken: hold.taken, expires: hold.expires,
                extensions: hold.extensions, wait: hold.wait),
            state: record.state, since: record.since, cause: record.cause,
            confirmation: record.confirmation)
    }

    @Test("A holder who waits or is inside gets no second place; one who has given it back does")
    func oneAtATime() throws {
        var counter = counter(capacity: 1, phones: Self.generous)
        try counter.ticket()
        let first = try counter.confirm(try counter.hold(owner: Self.phone).id, owner: Self.phone)
        let again = counter.ask(.hold(.ticket, owner: Self.phone, id: "again"))
        let place = PlaceOfHolder(
            shop: counter.shop.id, day: Counter.day, number: first.number)
        #expect(again == .failure(Refused(.alreadyWaiting, place: place)))
        let other = try counter.confirm(
            try counter.hold(owner: Self.otherPhone).id, owner: Self.otherPhone)
        counter.ask(.reservation(first.id, .delete(proof: .entry(first.code))))
        _ = try counter.hold(owner: Self.phone)
        counter.shop.policy.capacity = 2
        counter.raiseCapacity()
        counter.ask(.tick)
        counter.ask(.reservation(other.id, .enter))
        #expect(counter.state(of: other.id) == .active)
        #expect(throws: Refused.self) { try counter.hold(owner: Self.otherPhone) }
    }

    @Test("Phones get no place where the shop wants none, and none while it is closed")
    func switchedOff() throws {
        var counter = Counter(capacity: 50)
        #expect(
            counter.ask(.hold(.ticket, owner: Self.phone, id: "p")) == .refused(.noPlacesOnPhones))
        counter = self.counter()
        counter.now = Counter.at("14:00")
        #expect(throws: Refused(.shopClosed, opens: counter.openings[0].opens)) {
            try counter.hold(owner: Self.phone)
        }
    }

    @Test("Phones take their share of an hour's admissions; what they leave is the machines'")
    func share() throws {
        // Ten places and stays of 20 minutes are 30 admissions in an hour, of which phones get half.
        var counter = counter(capacity: 10)
        func take(_ number: Int) throws {
            let owner = HoldOwner.phone(HolderID("phone-\(number)"))
            // Five in ten minutes, who come in while there is room (rules 35).
            counter.pass(.seconds(121))
            let ticket = try counter.confirm(try counter.hold(owner: owner).id, owner: owner)
            counter.ask(.reservation(ticket.id, .enter))
        }
        for number in 1...15 { try take(number) }
        #expect(throws: Refused(.phonePlacesTaken)) { try take(16) }
        for _ in 1...15 { try counter.ticket() }
        #expect(throws: Refused(.phonePlacesTaken)) { try take(16) }
        // The first phone is an hour ahead now.
        try counter.ticket()
        try take(16)
    }

    @Test("Within ten minutes phones take as many places as the shop admits in them")
    func joins() throws {
        // Ten places and stays of 20 minutes are 5 admissions in ten minutes.
        var counter = counter(capacity: 10, phones: Self.generous)
        func owner(_ number: Int) -> HoldOwner { .phone(HolderID("phone-\(number)")) }
        func take(_ number: Int) throws {
            try counter.confirm(try counter.hold(owner: owner(number)).id, owner: owner(number))
        }
        func invites() -> Bool { counter.state.hasPhonePlace(in: counter.context) }
        for number in 1...4 { try take(number) }
        // A hold counts as well, until it is given back or replaced; so do customers who are inside.
        let hold = try counter.hold(owner: owner(5))
        #expect(!invites())
        #expect(throws: Refused(.phonePlacesTaken)) { try take(6) }
        counter.ask(.held(hold.id, owner: owner(5), .release))
        #expect(invites())
        counter.pass(.seconds(60))
        try take(6)
        #expect(throws: Refused(.phonePlacesTaken)) { try take(7) }
        try counter.ticket()
        // Ten minutes after the first ones there is room for four.
        counter.pass(.seconds(539))
        #expect(!invites())
        counter.pass(.seconds(1))
        for number in 7...10 { try take(number) }
        #expect(!invites() && counter.restored == counter.state)
        // Of a small shop three may always join together.
        var small = self.counter(capacity: 1, phones: Self.generous)
        for number in 1...3 { _ = try small.hold(owner: owner(number)) }
        #expect(throws: Refused(.phonePlacesTaken)) { try small.hold(owner: owner(4)) }
    }

    /// Takes a ticket with this phone, whose customer is called and does not come.
    private func miss(_ counter: inout Counter) throws -> Reservation {
        let ticket = try counter.confirm(try counter.hold(owner: Self.phone).id, owner: Self.phone)
        counter.pass(.minutes(11))
        counter.ask(.tick)
        #expect(counter.stored[ticket.id]?.cause == .missed)
        return ticket
    }

    @Test("Who misses three calls is blocked, loses the other places, and gets places again later")
    func blocked() throws {
        var counter = counter(capacity: 1, phones: Self.generous)
        counter.openDays = 20
        let first = try miss(&counter)
        _ = try miss(&counter)
        #expect(counter.state.blockEnd(of: "a-phone") == nil)
        try counter.confirm(try counter.hold(owner: Self.phone).id, owner: Self.phone)
        let last = counter.now
        let machines = try counter.ticket()
        // The staff gives the first place back, which waits while the third one is called.
        counter.ask(.reservation(first.id, .restore))
        #expect(counter.state(of: first.id) == .planned)
        counter.pass(.minutes(11))
        counter.ask(.tick)
        #expect(counter.stored[first.id]?.cause == .blocked)
        #expect(counter.state(of: machines.id) == .called)
        let end = last + .seconds(7 * 86_400)
        #expect(counter.state.blockEnd(of: "a-phone") == end)
        #expect(throws: Refused(.blocked, until: LocalMoment(end, offsetMinutes: 60))) {
            try counter.hold(owner: Self.phone)
        }
        _ = try counter.hold(owner: Self.otherPhone)
        #expect(counter.restored == counter.state)
        counter.now = end
        _ = try counter.hold(owner: Self.phone)
    }

    @Test("The staff lift a block, after which the missed calls count no longer")
    func unblocked() throws {
        var counter = counter(capacity: 4, phones: Self.generous)
        _ = try miss(&counter)
        _ = try miss(&counter)
        // There is no block yet, and none of another phone.
        #expect(counter.ask(.unblock("a-phone")) == .refused(.notBlocked))
        _ = try miss(&counter)
        #expect(counter.state.blockedHolders(at: counter.now) == ["a-phone"])
        #expect(counter.ask(.unblock("another")) == .refused(.notBlocked))
        #expect(counter.ask(.unblock(nil)) == .refused(.notBlocked))
        #expect(counter.ask(.unblock("a-phone")) == .success(.unblocked))
        #expect(counter.ask(.unblock("a-phone")) == .refused(.notBlocked))
        #expect(counter.restored == counter.state && counter.state.noShows.isEmpty)
        _ = try miss(&counter)
        _ = try miss(&counter)
        _ = try counter.hold(owner: Self.phone)
    }

    @Test("Two restored places that are called and missed together are one missed call")
    func together() throws {
        var counter = counter(capacity: 2, phones: Self.generous)
        let missed = [try miss(&counter), try miss(&counter)]
        for ticket in missed { counter.ask(.reservation(ticket.id, .restore)) }
        #expect(missed.allSatisfy { counter.state(of: $0.id) == .called })
        counter.pass(.minutes(11))
        counter.ask(.tick)
        #expect(missed.allSatisfy { counter.stored[$0.id]?.cause == .missed })
        #expect(counter.noShows["a-phone"]?.count == 3)
        #expect(counter.restored == counter.state)
    }

    @Test("Missed calls count for the shop's days only, and a shop may block nobody")
    func periods() {
        let day = Duration.seconds(86_400)
        let start = Counter.at("10:00")
        var policy = PhonePolicy()
        let missed = [start, start + day * 20, start + day * 30]
        #expect(QueueState.blockEnd(after: missed, policy) == missed[2] + day * 7)
        #expect(QueueState.blockEnd(after: Array(missed.dropFirst()), policy) == nil)
        policy.noShowDays = 29
        #expect(QueueState.blockEnd(after: missed, policy) == nil)
        policy.noShowDays = 30
        policy.blockDays = 0
        #expect(QueueState.blockEnd(after: missed, policy) == nil)
    }
}
