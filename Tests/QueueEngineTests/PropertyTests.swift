internal import Reservations
internal import Testing

@testable import QueueEngine

/// Days of random commands; after each command the guarantees of the queue are checked.
@Suite("Properties of the queue")
struct PropertyTests {
    private struct Day {
        var counter: Counter
        var random: SplitMix
        var known: [Reservation] = []
        /// Whether the shop never closes, and midnight is near.
        var isOvernight = false

        init(counter: Counter, seed: Int) {
            self.counter = counter
            random = SplitMix(seed: UInt64(seed))
            self.counter.now = Counter.at("11:30")
        }

        /// A shop with few places and with visits, whose queue has played some time.
        init(seed: Int, isOvernight: Bool = false) {
            let counter = Counter(
                capacity: 1 + seed % 4, stay: 6 + 5 * (seed % 3), visitShare: 60,
                leaveDelay: seed % 2 * 120
            ) {
                $0.allowsDelays = true
                $0.allowsReclaims = true
                $0.phones.hasPlaces = true
                $0.phones.hasVisits = true
                $0.phones.visitPercent = seed % 2 == 0 ? 70 : 100
                $0.departments = Department.list("Fish=1, Bakery=2, Wine") ?? []
            }
            self.init(counter: counter, seed: seed)
            self.isOvernight = isOvernight
            if isOvernight {
                self.counter.periods = [("00:00", "24:00")]
                self.counter.openDays = 4
                self.counter.now = Counter.at("23:00")
            }
            self.counter.makeForecast()
        }

        mutating func pick() -> Reservation? { known.randomElement(using: &random) }

        /// Plays one command, or lets time pass or, now and then, go back a little.
        mutating func step() throws {
            let machine = MachineID("door-\(random.next() % 2)")
            switch random.next() % 21 {
            case 0...3: counter.pass(.seconds(Int(random.next() % 150)))
            case 4: counter.pass(.seconds(-Int(random.next() % 20)))
            case 5...7: if let ticket = try? counter.ticket(machine) { known.append(ticket) }
            case 8: if let visit = try? counter.visit(machine) { known.append(visit) }
            case 9: _ = try? counter.hold(machine)
            case 10:
                if let pick = pick() {
                    counter.giveBack(pick)
                    // A second in two returns, as a rule at once.
                    if random.next() % 2 == 0 {
                        counter.undo(pick)
                    }
                }
            case 11, 12: if let called = called() { counter.enter(called) }
            case 13:
                if let pick = pick() {
                    let point: ExitPoint = random.next() % 2 == 0 ? .checkout : .turnstile
                    counter.leave(pick.id, at: point)
                }
            case 14:
                if let pick = pick() {
                    counter.delay(pick, by: [1, 2, 5, 10][Int(random.next() % 4)])
                    if random.next() % 3 == 0 {
                        counter.undo(pick)
                    }
                }
            case 15: if let pick = pick() { counter.reclaim(pick) }
            case 16, 17: book()
            case 18:
                if let pick = known.last(where: { $0.kind == .visit }) {
                    let (time, day) = slot()
                    _ = counter.move(pick, to: time, on: day, departments: departments())
                }
            case 19: if let pick = pick() { counter.enter(pick.id) }
            default: try staff()
            }
        }

        /// A time that may be a slot, of today or tomorrow.
        private mutating func slot() -> (time: String, day: CalendarDay) {
            if isOvernight {
                let quarter = 92 + Int(random.next() % 16)
                let time = "\((quarter % 96 / 4).padded(2)):\((quarter % 4 * 15).padded(2))"
                return (time, quarter < 96 ? Counter.day : .tomorrow)
            }
            let quarter = 46 + Int(random.next() % 34)
            let time = "\((quarter / 4).padded(2)):\((quarter % 4 * 15).padded(2))"
            return (time, Counter.day.advanced(by: random.next() % 3 == 0 ? 1 : 0))
        }

        /// One of some phones books a visit.
        private mutating func book() {
            let (time, day) = slot()
            let minutes = [nil, 15, 30, 120][Int(random.next() % 4)]
            let holder = HolderID("phone-\(random.next() % 12)")
            let visit = try? counter.bookVisit(
                holder, at: time, on: day, minutes: minutes, departments: departments())
            if let visit { known.append(visit) }
        }

        private mutating func departments() -> [String]? {
            [nil, ["Fish"], ["Fish"], ["Fish", "Bakery"], ["Wine"]][Int(random.next() % 5)]
        }

        private mutating func called() -> ReservationID? {
            known.filter { counter.state(of: $0.id) == .called }
                .randomElement(using: &random)?.id
        }

        private mutating func staff() throws {
            guard let pick = pick() else { return }
            switch random.next() % 6 {
            case 0: counter.ask(pick.id, .callAgain)
            case 1: counter.ask(pick.id, .restore)
            case 2: counter.ask(pick.id, .letIn(at: nil))
            case 3: counter.ask(pick.id, .deleteForCustomer)
            case 4:
                counter.ask(
                    .correctOccupancy(
                        people: Int(random.next() % UInt64(counter.shop.policy.capacity + 1))))
            default: counter.ask(.tick)
            }
        }

        /// Visits keep to their share and phones to theirs at every moment, and a holder has one place a day.
        private func checkVisits(_ records: [ReservationRecord]) {
            let policy = counter.shop.policy
            let live = records.filter { [.pending, .planned].contains($0.state) }
            let visits = live.filter { $0.hold.kind == .visit }
            for visit in visits {
                let start = visit.hold.visit!.start.moment
                let inside = visits.filter { $0.hold.visit!.range.contains(start) }
                #expect(inside.count <= policy.visitPlaces)
                #expect(inside.count { $0.hold.channel.isPhone } <= policy.phoneVisitPlaces)
            }
            checkDepartments(visits, records)
            let places = records.filter {
                [.pending, .planned, .called, .active].contains($0.state)
                    && $0.cause != .restored && $0.cause != .undone
            }.compactMap { record in
                record.hold.owner.holder.map { "\($0) \(record.hold.day)" }
            }
            #expect(Set(places).count == places.count)
        }

        /// Departments keep to their capacity in the slots, and among those who were called.
        private func checkDepartments(_ booked: [ReservationRecord], _ records: [ReservationRecord])
        {
            func count(_ visits: [ReservationRecord], in name: String) -> Int {
                visits.count { $0.hold.visit?.departments?.contains(name) == true }
            }
            // The staff may let in more.
            let inside = records.filter {
                [.called, .active].contains($0.state) && $0.cause != .letIn
            }
            for department in counter.shop.policy.departments {
                guard let capacity = department.capacity else { continue }
                #expect(count(inside, in: department.name) <= capacity)
                for visit in booked {
                    let start = visit.hold.visit!.start.moment
                    let present = booked.filter { $0.hold.visit!.range.contains(start) }
                    #expect(count(present, in: department.name) <= capacity)
                }
            }
        }

        func check(_ before: Counter) {
            let state = counter.state
            // The staff may report more people inside.
            let said = max(0, counter.unregistered.0 - before.unregistered.0)
            let before = before.state
            let capacity = counter.shop.policy.capacity
            let records = Array(counter.stored.values)
            let active = counter.numbers(.active).count
            let called = counter.numbers(.called).count
            #expect(active + called <= max(capacity, before.taken))
            #expect(state.taken <= max(capacity, before.taken + said))
            let numbers = records.compactMap { record in
                record.confirmation.map { "\(record.hold.day) \($0.number.rawValue)" }
            }
            #expect(Set(numbers).count == numbers.count)
            if isOvernight {
                let live = counter.numbers(.planned) + counter.numbers(.called)
                #expect(Set(live).count == live.count, "no two who wait have the same number")
            }
            checkVisits(records)
            // No waiting ticket is overtaken by one behind it: by number, unless it let others go ahead.
            let calling = records.filter {
                $0.state == .called && $0.cause == .turn && $0.hold.kind == .ticket
            }
            let waiting = records.filter {
                $0.state == .planned && [.confirmed, .delayed].contains($0.cause)
                    && $0.hold.kind == .ticket
            }
            func order(_ record: ReservationRecord) -> (Int64, QueueNumber) {
                (LiveReservation(record)!.position, record.confirmation!.number)
            }
            for late in calling {
                for early in waiting
                where early.hold.day == late.hold.day && early.since < late.since {
                    #expect(order(early) > order(late))
                }
            }
            // A place is free while customers wait only if a visit is nearly due.
            if state.freePlaces > 0, !waiting.isEmpty {
                let limit = counter.now + .minutes(10)
                #expect(
                    records.contains {
                        $0.state == .planned && $0.hold.kind == .visit
                            && $0.hold.visit!.start.moment <= limit
                    })
            }
        }
    }

    /// Expects that a queue that got the changes of another one equals the restored queue.
    private func expect(_ follower: QueueState, equals restored: QueueState, at now: Moment) {
        #expect(Set(follower.holds) == Set(restored.holds))
        #expect(follower.tickets == restored.tickets && follower.visits == restored.visits)
        #expect(follower.called == restored.called && follower.inside == restored.inside)
        // A queue in memory drops customers who have left when time passes the next time.
        #expect(leaving(follower, at: now) == leaving(restored, at: now))
        guard leaving(follower, at: now) == follower.leaving.entries else { return }
        for day in Set(follower.days.keys).union(restored.days.keys) {
            let books = [follower, restored].map { $0.days[day]?.visits ?? VisitBook() }
            #expect(books[0] == books[1])
        }
    }

    private func leaving(_ state: QueueState, at now: Moment) -> [ActiveQueue.Entry] {
        state.leaving.entries.filter { $0.key > now.milliseconds }
    }

    @Test(
        "Capacity, numbers and order hold at any command, and a restarted queue and one that gets the changes are the same",
        arguments: (1...8).map { ($0, false) } + (1...6).map { ($0, true) })
    func random(seed: Int, isOvernight: Bool) throws {
        var day = Day(seed: seed, isOvernight: isOvernight)
        var follower = day.counter.restored
        // Counts the comparisons with visits, and the people whose place is not free yet.
        var (visits, gone) = (0, 0)
        for step in 1...500 {
            let before = day.counter
            try day.step()
            day.check(before)
            if step % 20 == 0 { day.counter.ask(.tick) }
            let (now, state, restored) = (day.counter.now, day.counter.state, day.counter.restored)
            follower.update(
                day.counter.stored.values.filter { before.stored[$0.hold.id] != $0 }, at: now)
            expect(follower, equals: restored, at: now)
            visits += restored.days.values.count { $0.visits != VisitBook() }
            gone += leaving(restored, at: now).count
            if step % 20 == 0 {
                #expect(restored.taken == state.taken)
                #expect(restored.tickets == state.tickets && restored.visits == state.visits)
                #expect(restored.called == state.called && restored.inside == state.inside)
                let context = day.counter.context
                let (reported, known) = (restored.status(in: context), state.status(in: context))
                #expect(reported.calling == known.calling && reported.waiting == known.waiting)
                #expect(reported.ticketAvailable == known.ticketAvailable)
            }
        }
        let hasPhoneVisits = day.counter.shop.policy.phoneVisitPlaces > 0
        // A machine books visits only while there is no ticket.
        #expect(visits > 100 || isOvernight && !hasPhoneVisits)
        // With these seeds people leave through the check-out.
        #expect(gone > 0 || ![3, 7].contains(seed))
        if isOvernight {
            #expect(day.counter.now > Counter.at("00:30", day: .tomorrow))
            let days = Set(day.known.compactMap { day.counter.stored[$0.id]?.hold.day })
            #expect(days.count == 2)
        }
        // The transitions of each reservation fit together, and their times never go back.
        for id in Set(day.counter.events.map(\.0)) {
            let events = day.counter.events.filter { $0.0 == id }
            #expect(events.map(\.3) == events.map(\.3).sorted())
            // The store keeps one event of a state for each millisecond.
            #expect(Set(events.map { "\($0.1) \($0.3)" }).count == events.count)
            for (former, next) in zip(events, events.dropFirst()) {
                #expect(Self.allowed[former.1]?.contains(next.1) == true)
            }
        }
        #expect(day.known.count > 10)
        // Where phones have places for visits, some are moved.
        let moved = day.counter.stored.values.contains { $0.turn.moveCount > 0 }
        #expect(moved == hasPhoneVisits)
    }

    @Test("Two engines that get the same commands decide the same", arguments: 1...3)
    func same(seed: Int) throws {
        func play() throws -> Counter {
            var day = Day(counter: Counter(capacity: 2, stay: 9, visitShare: 60), seed: seed)
            for _ in 1...80 { try day.step() }
            return day.counter
        }
        let (first, second) = (try play(), try play())
        #expect(first.state == second.state && first.stored == second.stored)
        #expect(first.events.map(\.3) == second.events.map(\.3))
    }

    /// A day of tickets whose customers come at once and stay as long as all others, so that what decides when a customer is
    /// called is the position alone.
    private struct EvenDay {
        var counter: Counter
        var tickets: [Reservation] = []
        var called: [ReservationID: Moment] = [:]
        /// The tickets that let others go ahead.
        var delayed: Set<ReservationID> = []
        private let stay = 7

        init(capacity: Int) {
            counter = Counter(capacity: capacity, stay: stay)
            counter.decide { $0.allowsDelays = true }
            counter.now = Counter.at("08:00")
        }

        /// One minute: customers leave, come in, and take so many tickets; then one lets people ahead, if any does.
        mutating func minute(arrivals: Int, delay: (index: Int, people: Int, isUndone: Bool)?)
            throws
        {
            counter.makeForecast()
            for record in counter.stored.values
            where record.state == .active && record.since + .minutes(stay) <= counter.now {
                counter.leave(record.hold.id)
            }
            for _ in 0..<arrivals {
                if let ticket = try? counter.ticket() { tickets.append(ticket) }
            }
            let waiting = tickets.filter { counter.state(of: $0.id) == .planned }
            if let delay, !waiting.isEmpty {
                let ticket = waiting[delay.index % waiting.count]
                if case .success = counter.delay(ticket, by: delay.people) {
                    delayed.insert(ticket.id)
                    if delay.isUndone {
                        counter.undo(ticket)
                    }
                }
            }
            for record in counter.stored.values where record.state == .called {
                called[record.hold.id] = record.since
                counter.enter(record.hold.id)
            }
            counter.pass(.minutes(1))
        }
    }

    @Test(
        "Nobody else is called later because some let people go ahead [rules: more-time]",
        arguments: 1...6)
    func othersLoseNothing(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        var (with, without) = (EvenDay(capacity: 1 + seed % 3), EvenDay(capacity: 1 + seed % 3))
        for minute in 0..<250 {
            let arrivals = minute < 150 ? Int(random.next() % 4) / 3 * (1 + seed % 3) : 0
            let index = Int(random.next() % 1_000)
            let people = [1, 2, 5, 10][Int(random.next() % 4)]
            let isUndone = random.next() % 4 == 0
            try with.minute(arrivals: arrivals, delay: (index, people, isUndone))
            try without.minute(arrivals: arrivals, delay: nil)
        }
        #expect(with.delayed.count > 10 && with.tickets.count > 20)
        #expect(with.tickets.map(\.id) == without.tickets.map(\.id))
        for ticket in without.tickets where !with.delayed.contains(ticket.id) {
            guard let expected = without.called[ticket.id] else { continue }
            let call = try #require(with.called[ticket.id])
            #expect(call <= expected, "\(ticket.number)")
        }
    }

    /// The states of requirements.md, and the staff's corrections.
    private static let allowed: [ReservationState: Set<ReservationState>] = [
        .pending: [.planned, .deleted], .planned: [.planned, .called, .active, .expired, .deleted],
        .called: [.called, .active, .expired, .deleted], .active: [.expired],
        .expired: [.planned, .active, .expired], .deleted: [.planned],
    ]
}
