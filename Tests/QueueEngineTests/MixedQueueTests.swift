internal import QueueEngine
internal import Reservations
internal import Testing

/// Tickets and visits of one day, asked for, given back and deleted at random.
@Suite("Tickets and visits together")
struct MixedQueueTests {
    /// Someone who is presumed to be inside from `from` to `until`.
    private struct Stay {
        var from: Moment
        var until: Moment
    }

    private static func peak(_ stays: [Stay], from now: Moment) -> Int {
        stays.map { max($0.from, now) }.map { time in
            stays.count { $0.from <= time && time < $0.until }
        }.max() ?? 0
    }

    /// The first moment from `earliest` on with room for a stay, found by trying.
    private static func admission(
        _ stays: [Stay], from earliest: Moment, capacity: Int, stay: Duration
    ) -> Moment? {
        ([earliest] + stays.map(\.until).filter { $0 > earliest }.sorted()).first { call in
            let mine = Stay(from: call, until: call + stay)
            let others = stays.filter { $0.from < mine.until && mine.from < $0.until }
            return peak(others, from: call) < capacity
        }
    }

    @Test(
        "Presumed calls and visits are never above the capacity, and each call is the first that fits",
        arguments: 1...6)
    func random(seed: Int) throws {
        let capacity = 1 + seed % 4
        let stay = Duration.minutes(7 + 4 * seed)
        var counter = Counter(capacity: capacity, stay: 7 + 4 * seed, visitShare: 60)
        var random = Seeded(state: UInt64(seed))
        // A day of two openings, the second with visits that were booked at noon.
        counter.now = Counter.at("12:59")
        var visits: [Reservation] = []
        while visits.count < 8 * capacity, let visit = try? counter.visit() { visits.append(visit) }
        for id in 1...3 { _ = try? counter.holdVisit(MachineID("waiting-\(id)")) }
        visits.removeAll { $0.visit?.start.day != Counter.day }
        counter.now = Counter.at("15:00")
        var tickets: [ReservationID: Stay] = [:]
        var reservations: [Reservation] = []
        var last = Moment(milliseconds: .min)
        for _ in 1...220 {
            counter.pass(.milliseconds(Int(1 + random.next() % UInt64(300_000 / capacity))))
            guard counter.now < Counter.at("19:59") else { break }
            let now = counter.now
            if random.next() % 5 == 0, let visit = visits.randomElement(using: &random) {
                let answer = counter.ask(.delete(visit.id, proof: .typed(visit.typedCode)))
                if case .success = answer { visits.removeAll { $0.id == visit.id } }
            } else if random.next() % 4 == 0,
                let ticket = reservations.randomElement(using: &random)
            {
                let answer = counter.ask(.delete(ticket.id, proof: .entry(ticket.code)))
                if case .success = answer { tickets[ticket.id]?.until = now }
            } else if let ticket = try? counter.ticket() {
                let inside = Array(tickets.values) + visits.compactMap(Self.stay)
                let earliest = max(now, last)
                #expect(
                    ticket.wait.expected.moment
                        == Self.admission(
                            inside, from: earliest, capacity: capacity, stay: stay))
                let call = ticket.wait.expected.moment
                tickets[ticket.id] = Stay(from: call, until: call + stay)
                reservations.append(ticket)
            }
            // Who still waits may have moved up.
            for ticket in reservations where tickets[ticket.id]!.from > now {
                guard let report = counter.report(ticket.id), report.standing == .planned else {
                    tickets[ticket.id] = nil
                    continue
                }
                let call = report.reservation.wait.expected.moment
                tickets[ticket.id] = Stay(from: call, until: call + stay)
            }
            reservations.removeAll { tickets[$0.id] == nil }
            last = tickets.values.map(\.from).max() ?? now
            let inside = Array(tickets.values) + visits.compactMap(Self.stay)
            #expect(Self.peak(inside, from: now) <= capacity)
        }
        #expect(tickets.count > 5)
    }

    private static func stay(_ visit: Reservation) -> Stay? {
        visit.visit.map { Stay(from: $0.start.moment, until: $0.end.moment) }
    }

    @Test("What is rebuilt from stored tickets and visits equals what was known", arguments: 1...6)
    func restored(seed: Int) throws {
        var counter = Counter(capacity: 2, stay: 17)
        counter.periods = [("08:00", "13:00"), ("13:00", "20:00")]
        counter.now = Counter.at("12:44")
        var random = Seeded(state: UInt64(50 + seed))
        var all: [Reservation] = []
        for _ in 1...240 {
            counter.pass(.milliseconds(Int(1 + random.next() % 120_000)))
            guard counter.now < Counter.at("19:55") else { break }
            let machine = MachineID("m\(random.next() % 5)")
            switch random.next() % 6 {
            case 0:
                if let one = all.randomElement(using: &random) {
                    counter.ask(.delete(one.id, proof: .entry(one.code)))
                }
            case 1: _ = try? counter.holdVisit(machine)
            case 2: if let visit = try? counter.visit(machine) { all.append(visit) }
            default: if let ticket = try? counter.ticket(machine) { all.append(ticket) }
            }
        }
        counter.ask(.tick)
        var rebuilt = QueueState(policy: counter.shop.policy)
        let records = counter.stored.values.filter { $0.hold.day == Counter.day }
        let tomorrow = counter.stored.values.filter { $0.hold.day > Counter.day }
        for record in counter.stored.values.filter({ $0.state == .pending }).sorted(by: {
            $0.hold.expires.moment < $1.hold.expires.moment
        }) { rebuilt.restore(hold: record.hold) }
        func deleted(_ record: ReservationRecord) -> Moment? {
            record.state == .deleted ? record.since : nil
        }
        func visit(_ record: ReservationRecord) -> DayVisit? {
            record.hold.visit.map {
                DayVisit(slot: $0, taken: record.hold.taken.moment, deleted: deleted(record))
            }
        }
        rebuilt.restore(
            day: Counter.day, counter: counter.state.lastNumber(of: Counter.day),
            tickets: records.filter { $0.hold.kind == .ticket && $0.confirmation != nil }
                .map {
                    DayTicket(
                        number: $0.confirmation!.number.rawValue,
                        confirmed: $0.confirmation!.issued.moment, deleted: deleted($0))
                }.sorted { $0.number < $1.number },
            visits: records.compactMap(visit))
        if !tomorrow.isEmpty {
            let day = Counter.day.advanced(by: 1)
            rebuilt.restore(day: day, counter: counter.state.lastNumber(of: day))
            for record in tomorrow where deleted(record) == nil {
                if let visit = visit(record) { rebuilt.restore(visit: visit, on: day) }
            }
        }
        #expect(rebuilt == counter.state)
        #expect(all.contains { $0.kind == .visit && $0.visit?.start.day == Counter.day })
        #expect(all.count { $0.kind == .ticket } > 20)
    }
}
