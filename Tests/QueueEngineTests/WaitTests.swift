internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("Waits")
struct WaitTests {
    @Test("With a place free the wait is nothing, and exactly nothing")
    func free() throws {
        var counter = Counter(capacity: 2)
        let wait = try counter.hold().wait
        #expect(wait.expected.moment == counter.now)
        #expect(wait.earliest.moment == counter.now && wait.latest.moment == counter.now)
        #expect(wait.peopleAhead == 0)
        #expect(wait.expected.offsetMinutes == 60)
    }

    @Test("With the shop full a ticket waits for the first to leave, and holds count as ahead")
    func full() throws {
        var counter = Counter(capacity: 2, stay: 20)
        try counter.ticket()
        counter.pass(.minutes(5))
        try counter.ticket()
        counter.pass(.minutes(1))
        let first = try counter.hold()
        #expect(counter.time(first.wait) == "10:20")
        #expect(first.wait.peopleAhead == 0)
        let second = try counter.hold(Counter.other)
        #expect(counter.time(second.wait) == "10:25")
        #expect(second.wait.peopleAhead == 1)
        let third = try counter.hold("door-3")
        #expect(counter.time(third.wait) == "10:40")
        // Confirmed first, it is called first (rules 1).
        #expect(counter.time(try counter.confirm(third.id, "door-3").wait) == "10:20")
    }

    @Test("The range is that of k departures of a Poisson process of rate C/S")
    func spread() throws {
        var counter = Counter(capacity: 4, stay: 20)
        for _ in 1...12 { try counter.ticket() }
        let wait = try counter.hold().wait
        // Nine must leave: sd = sqrt(9) * 20 min / 4 = 15 min.
        #expect(wait.expected.moment == counter.now + .minutes(60))
        #expect(wait.peopleAhead == 8)
        let minutes = { (moment: LocalMoment) in
            Double((moment.moment - counter.now).wholeMilliseconds) / 60_000
        }
        #expect(abs(minutes(wait.earliest) - (60 - 1.2816 * 15)) < 0.001)
        #expect(abs(minutes(wait.latest) - (60 + 0.8416 * 15)) < 0.001)
    }

    @Test("The earliest time is never before now")
    func earliest() throws {
        var counter = Counter(capacity: 1, stay: 20)
        try counter.ticket()
        counter.pass(.minutes(19))
        let wait = try counter.hold().wait
        #expect(wait.earliest.moment == counter.now)
        #expect(wait.expected.moment == counter.now + .minutes(1))
    }

    @Test("A deleted ticket lets those behind it move up")
    func movesUp() throws {
        var counter = Counter(capacity: 1, stay: 20)
        try counter.ticket()
        let second = try counter.ticket()
        try counter.ticket()
        #expect(counter.time(try counter.hold().wait) == "11:00")
        counter.ask(.delete(second.id, proof: .entry(second.code)))
        let wait = try counter.hold().wait
        #expect(counter.time(wait) == "10:40")
        #expect(wait.peopleAhead == 1)
    }

    @Test("One who deletes after his presumed call frees his place at that moment, not before")
    func freesNow() throws {
        var counter = Counter(capacity: 2, stay: 20)
        let first = try counter.ticket()
        counter.pass(.minutes(1))
        let second = try counter.ticket()
        counter.pass(.minutes(9))
        #expect(counter.time(try counter.hold().wait) == "10:20")
        counter.ask(.delete(second.id, proof: .entry(second.code)))
        #expect(counter.time(try counter.hold().wait) == "10:10")
        try counter.ticket()
        #expect(counter.time(try counter.hold().wait) == "10:20")
        // One who has left by then frees nothing more.
        counter.now = Counter.at("10:21")
        let before = try counter.hold().wait
        counter.ask(.delete(first.id, proof: .entry(first.code)))
        #expect(try counter.hold().wait == before)
    }

    @Test("Every estimate equals a simulation of people who come, stay and leave", arguments: 1...8)
    func simulation(capacity: Int) throws {
        var counter = Counter(capacity: capacity, stay: 7)
        counter.now = Counter.at("08:00")
        var random = Seeded(state: UInt64(capacity))
        var calls: [Moment] = []
        /// Lets one more come now: in when the one `capacity` places before him has left.
        func come(_ calls: inout [Moment]) -> Moment {
            let place = calls.count
            let leaves = place >= capacity ? calls[place - capacity] + .minutes(7) : counter.now
            calls.append(max(counter.now, leaves))
            return calls[place]
        }
        for _ in 1...150 {
            counter.pass(.seconds(Int(random.next() % UInt64(900 / capacity))))
            guard let hold = try? counter.hold() else { break }
            var alone = calls
            #expect(hold.wait.expected.moment == come(&alone))
            #expect(hold.wait.peopleAhead == calls.count { $0 > counter.now })
            // Others hold places too: one more ticket would come behind all of them.
            let others = (0..<Int(random.next() % 12)).map { MachineID("other-\($0)") }
            let holds = others.compactMap { machine in
                (try? counter.hold(machine)).map { (machine, $0.id) }
            }
            var behind = calls
            for _ in 0..<counter.state.openHolds { _ = come(&behind) }
            let overview = counter.state.overview(at: counter.now, openings: counter.openings)
            if let wait = overview.wait { #expect(wait.expected.moment == come(&behind)) }
            for (machine, id) in holds { counter.ask(.release(id, machine: machine)) }
            let reservation = try counter.confirm(hold.id)
            #expect(reservation.wait.expected.moment == come(&calls))
        }
        #expect(calls.count > 20)
    }

    @Test(
        "With deletions, too, the wait is that of people who are watched one by one",
        arguments: 1...6)
    func watched(capacity: Int) throws {
        var counter = Counter(capacity: capacity, stay: 7)
        counter.now = Counter.at("08:00")
        var random = Seeded(state: UInt64(100 + capacity))
        var crowd = Crowd(capacity: capacity, stay: .minutes(7), time: counter.now)
        var tickets: [Reservation] = []
        for _ in 1...300 {
            counter.pass(.milliseconds(Int(1 + random.next() % UInt64(600_000 / capacity))))
            crowd.watch(until: counter.now)
            if random.next() % 3 == 0, let ticket = tickets.suffix(8).randomElement(using: &random)
            {
                if case .success = counter.ask(.delete(ticket.id, proof: .entry(ticket.code))) {
                    crowd.leave(ticket.number)
                }
            } else if let ticket = try? counter.ticket() {
                tickets.append(ticket)
                crowd.come(ticket.number)
            }
            let overview = counter.state.overview(at: counter.now, openings: counter.openings)
            #expect(overview.waiting == crowd.waiting.count)
            if let wait = overview.wait { #expect(wait.expected.moment == crowd.nextCall()) }
        }
        #expect(tickets.count > 30)
    }

    @Test("What is rebuilt from the stored tickets equals what was known", arguments: 1...6)
    func restored(seed: Int) throws {
        var counter = Counter(capacity: 3, stay: 9)
        counter.now = Counter.at("08:00")
        var random = Seeded(state: UInt64(seed))
        var tickets: [Reservation] = []
        for _ in 1...200 {
            counter.pass(.milliseconds(Int(1 + random.next() % 120_000)))
            if random.next() % 3 == 0, !tickets.isEmpty {
                let ticket = tickets[Int(random.next() % UInt64(tickets.count))]
                counter.ask(.delete(ticket.id, proof: .entry(ticket.code)))
            } else if let ticket = try? counter.ticket() {
                tickets.append(ticket)
            }
        }
        var rebuilt = QueueState(policy: counter.shop.policy)
        rebuilt.restore(
            day: Counter.day, counter: tickets.count,
            tickets: tickets.map { ticket in
                let record = counter.stored[ticket.id]
                return DayTicket(
                    number: ticket.number.rawValue, confirmed: ticket.issued.moment,
                    deleted: record?.state == .deleted ? record?.since : nil)
            })
        #expect(rebuilt == counter.state)
        #expect(tickets.count > 30)
    }
}

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators").
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// People at a door, watched one by one: who is inside until when, and who waits in which order.
private struct Crowd {
    let capacity: Int
    let stay: Duration
    var time: Moment
    var inside: [(number: QueueNumber, until: Moment)] = []
    var waiting: [QueueNumber] = []

    mutating func come(_ number: QueueNumber) {
        waiting.append(number)
        watch(until: time)
    }

    mutating func leave(_ number: QueueNumber) {
        inside.removeAll { $0.number == number }
        waiting.removeAll { $0 == number }
        watch(until: time)
    }

    mutating func watch(until moment: Moment) {
        while true {
            while inside.count < capacity, !waiting.isEmpty {
                inside.append((waiting.removeFirst(), time + stay))
            }
            guard let next = inside.map(\.until).min(), next <= moment else { break }
            time = next
            inside.removeAll { $0.until <= next }
        }
        time = moment
    }

    /// When one more would be called.
    func nextCall() -> Moment {
        var copy = self
        while copy.inside.count >= copy.capacity || !copy.waiting.isEmpty {
            guard let next = copy.inside.map(\.until).min() else { break }
            copy.watch(until: next)
        }
        return copy.time
    }
}
