internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("Channels")
struct ChannelTests {
    private static let phone = HoldOwner.phone("a-phone")
    private static let otherPhone = HoldOwner.phone("another-phone")

    /// A shop of whose places so many in a hundred may be taken on phones.
    private func counter(capacity: Int = 50, share: Int = PhonePolicy().sharePercent) -> Counter {
        Counter(capacity: capacity) {
            $0.phones.hasPlaces = true
            $0.phones.sharePercent = share
        }
    }

    @Test("Who comes and who does not is learned for each channel, and survives a restart")
    func learned() throws {
        var counter = counter()
        let before = counter.state.attendance
        let atMachine = try counter.ticket()
        for number in 1...3 { try counter.ticket(owner: .phone(HolderID("phone-\(number)"))) }
        counter.enter(atMachine.id)
        counter.tick(after: .minutes(11))
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
            var counter = counter(capacity: 2, share: 100)
            counter.attendance = Attendance(
                turnout: ByChannel(
                    machine: Attendance.Turnout(came: 900, missed: 100),
                    phone: Attendance.Turnout(came: 400, missed: 600), remote: Attendance.Turnout())
            )
            for _ in 1...12 { try counter.ticket() }
            if channel == .phone { counter.moveToPhones() }
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

    @Test("A holder who waits or is inside gets no second place; one who has given it back does")
    func oneAtATime() throws {
        var counter = counter(capacity: 1, share: 100)
        try counter.ticket()
        let first = try counter.ticket(owner: Self.phone)
        let again = counter.ask(.hold(.ticket), by: Self.phone)
        let place = PlaceOfHolder(
            shop: counter.shop.id, day: Counter.day, number: first.number)
        #expect(again == .failure(Refused(.alreadyWaiting, place: place)))
        let other = try counter.ticket(owner: Self.otherPhone)
        counter.giveBack(first)
        _ = try counter.hold(owner: Self.phone)
        counter.decide { $0.capacity = 2 }
        counter.ask(.tick)
        counter.enter(other.id)
        #expect(counter.state(of: other.id) == .active)
        #expect(throws: Refused.self) { try counter.hold(owner: Self.otherPhone) }
    }

    @Test("Phones get no place where the shop wants none, and none while it is closed")
    func switchedOff() throws {
        var counter = Counter(capacity: 50)
        #expect(
            counter.ask(.hold(.ticket), by: Self.phone) == .refused(.noPlacesOnPhones))
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
            // Five in ten minutes, who come in while there is room (rules: joining).
            counter.pass(.seconds(121))
            counter.enter(try counter.ticket(owner: .phone(HolderID("phone-\(number)"))).id)
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
        var counter = counter(capacity: 10, share: 100)
        func owner(_ number: Int) -> HoldOwner { .phone(HolderID("phone-\(number)")) }
        func take(_ number: Int) throws { try counter.ticket(owner: owner(number)) }
        func invites() -> Bool { counter.state.hasPhonePlace(in: counter.context) }
        for number in 1...4 { try take(number) }
        // A hold counts as well, until it is given back or replaced; so do customers who are inside.
        let hold = try counter.hold(owner: owner(5))
        #expect(!invites())
        #expect(throws: Refused(.phonePlacesTaken)) { try take(6) }
        counter.ask(.held(hold.id, .release), by: owner(5))
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
        var small = self.counter(capacity: 1, share: 100)
        for number in 1...3 { _ = try small.hold(owner: owner(number)) }
        #expect(throws: Refused(.phonePlacesTaken)) { try small.hold(owner: owner(4)) }
    }

    /// Takes a ticket with this phone, whose customer is called and does not come.
    private func miss(_ counter: inout Counter) throws -> Reservation {
        let ticket = try counter.ticket(owner: Self.phone)
        counter.tick(after: .minutes(11))
        #expect(counter.stored[ticket.id]?.cause == .missed)
        return ticket
    }

    @Test("Who misses three calls is blocked, loses the other places, and gets places again later")
    func blocked() throws {
        var counter = counter(capacity: 1, share: 100)
        counter.openDays = 20
        let first = try miss(&counter)
        _ = try miss(&counter)
        #expect(counter.state.blockEnd(of: "a-phone") == nil)
        try counter.ticket(owner: Self.phone)
        let last = counter.now
        let machines = try counter.ticket()
        // The staff gives the first place back, which waits while the third one is called.
        counter.ask(first.id, .restore)
        #expect(counter.state(of: first.id) == .planned)
        counter.tick(after: .minutes(11))
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
        var counter = counter(capacity: 4, share: 100)
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
        var counter = counter(capacity: 2, share: 100)
        let missed = [try miss(&counter), try miss(&counter)]
        for ticket in missed { counter.ask(ticket.id, .restore) }
        #expect(missed.allSatisfy { counter.state(of: $0.id) == .called })
        counter.tick(after: .minutes(11))
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
