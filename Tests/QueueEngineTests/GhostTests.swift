internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("Exits that are not scanned [fault 57]")
struct GhostTests {
    /// A full shop's morning in which one exit in `part` is not scanned; returns the people let in, and the ghosts.
    private func morning(oneIn part: Int) throws -> (came: Int, ghosts: Int, counter: Counter) {
        var counter = Counter(capacity: 10, stay: 20, at: "08:00")
        // Quoted waits do not matter here, and cost the most time.
        counter.forecast = WaitForecast(
            counter.state, at: counter.now, in: Counter.opening("08:00", "13:00"))
        var inside: [(id: ReservationID, leaves: Moment)] = []
        var (came, exits, ghosts) = (0, 0, 0)
        while counter.now < Counter.at("10:45") {
            counter.pass(.minutes(1))
            for person in inside where person.leaves <= counter.now {
                exits += 1
                if exits.isMultiple(of: part) {
                    ghosts += 1
                } else {
                    _ = try counter.leave(person.id).get()
                }
            }
            inside.removeAll { $0.leaves <= counter.now }
            // A customer waits at every moment, and every called customer comes in.
            while counter.numbers(.planned).count < 3 { try counter.ticket() }
            for record in counter.stored.values where record.state == .called {
                _ = try counter.enter(record.hold.id).get()
                came += 1
                inside.append((record.hold.id, counter.now + .minutes(20)))
            }
            let active = counter.numbers(.active).count
            #expect((0...10).contains(active + counter.numbers(.called).count))
            #expect(active >= inside.count, "every person inside is counted")
        }
        // The last customers leave, and no more wait.
        for person in inside {
            _ = try counter.leave(person.id).get()
        }
        for record in counter.stored.values {
            guard [.planned, .called].contains(record.state),
                let typed = record.confirmation?.typedCode
            else { continue }
            _ = try counter.ask(record.hold.id, .delete(proof: .typed(typed))).get()
        }
        return (came, ghosts, counter)
    }

    @Test("The rule closes them, customers keep coming in, and the learned stays are true")
    func heals() throws {
        let all = try morning(oneIn: 1_000_000)
        for part in [33, 10] {
            var (came, ghosts, counter) = try morning(oneIn: part)
            #expect(ghosts > 1, "one exit in \(part)")
            #expect(counter.attendance.inferred > 0)
            // A ghost takes a place for the 99th percentile of stays, not for the day.
            #expect(came > all.came * 2 / 3, "\(came) of \(all.came)")
            let stays = counter.cells.values.reduce(0) { $0 + $1.count }
            #expect(Int(stays) <= came - ghosts, "no inferred stay is learned")
            // Every place is free again, and no count is below zero.
            counter.tick(at: "12:20")
            for _ in 0..<10 {
                let id = try counter.ticket().id
                #expect(counter.state(of: id) == .called)
            }
            let last = try counter.ticket().id
            #expect(counter.state(of: last) == .planned)
            #expect(counter.attendance.inferred >= Int64(ghosts))
        }
    }
}
