internal import Reservations
internal import Testing

@testable import QueueEngine

/// Departments that the customers of visits name (rules: departments) [R22, R24].
@Suite("Departments of a shop")
struct DepartmentTests {
    /// A shop with ten places for visits and three departments, of which two have capacities of their own.
    private func shop(capacity: Int = 20) -> Counter {
        .givingVisits(capacity: capacity) {
            $0.departments = Department.list("Fish=1, Bakery=2, Wine")!
        }
    }

    /// The slots of tomorrow that are free for these departments.
    private func free(_ counter: Counter, _ departments: [String]) -> [Int] {
        counter.state.freeSlots(minutes: 30, departments: departments, in: counter.context)
            .filter { $0.first.day == .tomorrow }.flatMap(\.free)
    }

    @Test("A slot is full for those who name a full department, and free for others")
    func slots() throws {
        var counter = shop()
        let all = free(counter, [])
        #expect(
            Set(free(counter, ["Fish"])) == [1] && Set(free(counter, ["Bakery", "Wine"])) == [2])
        let hold = try counter.holdVisit(
            "ada", at: "10:00", on: .tomorrow, minutes: 30, departments: ["Wine", "Fish"])
        // In the shop's order.
        #expect(hold.visit?.departments == ["Fish", "Wine"])
        for time in ["09:30", "09:45", "10:00", "10:15", "10:30"] {
            let refusal = counter.refusal(
                "bob", at: time, on: .tomorrow, minutes: 30, departments: ["Fish"])
            #expect(refusal == (["09:30", "10:30"].contains(time) ? nil : .slotTaken), "\(time)")
        }
        for departments in [nil, [], ["Wine"], ["Bakery"]] {
            let refusal = counter.refusal(
                "bob", at: "10:00", on: .tomorrow, departments: departments)
            #expect(refusal == nil)
        }
        #expect(free(counter, []).reduce(0, +) < all.reduce(0, +))
        #expect(free(counter, ["Fish"]).count { $0 == 0 } == 3)
        let wanted = Counter.slot("10:00", on: .tomorrow, minutes: 30, departments: ["Fish"])
        let suggested = counter.state.suggestions(for: wanted, in: counter.context)
        #expect(suggested.wanted?.free == 0)
        #expect(suggested.sameDay.prefix(2).map(\.start.time.description) == ["09:30", "10:30"])
        #expect(counter.restored.days == counter.state.days)
        // What was not confirmed frees its department.
        counter.tick(after: .seconds(211))
        #expect(free(counter, ["Fish"]).allSatisfy { $0 == 1 })
        #expect(counter.state.days[.tomorrow]?.departmentVisits == [:])
        // A department that the shop does not have is left out.
        for (holder, named, known) in [
            ("ada", ["Cheese", "Fish", "Fish"], ["Fish"]), ("bob", ["Cheese"], nil),
        ] as [(HolderID, [String], [String]?)] {
            let visit = try counter.holdVisit(
                holder, at: "10:00", on: .tomorrow, departments: named)
            #expect(visit.visit?.departments == known)
        }
    }

    @Test("A visit gets other departments, or none, with its slot or with another one [3.A.1.1]")
    func moves() throws {
        var counter = shop()
        let visit = try counter.bookVisit("ada", at: "10:00", on: .tomorrow, departments: ["Fish"])
        let other = try counter.bookVisit("bob", at: "11:00", on: .tomorrow, departments: ["Fish"])
        func move(_ visit: Reservation, _ time: String, _ departments: [String]?) -> Refusal? {
            counter.move(visit, to: time, on: .tomorrow, departments: departments).refusal
        }
        // Its own department is no obstacle to itself.
        #expect(move(visit, "10:15", ["Fish"]) == nil)
        let before = counter.state
        #expect(move(visit, "11:00", ["Fish"]) == .slotTaken)
        #expect(counter.state.days == before.days)
        #expect(move(visit, "11:00", ["Bakery"]) == nil)
        #expect(counter.stored[visit.id]?.hold.visit?.departments == ["Bakery"])
        #expect(
            counter.state.days[.tomorrow]?.departmentVisits.keys.sorted() == ["Bakery", "Fish"])
        #expect(move(other, "11:00", nil) == nil)
        #expect(counter.stored[other.id]?.hold.visit?.departments == nil)
        #expect(counter.state.days[.tomorrow]?.departmentVisits.keys.sorted() == ["Bakery"])
        #expect(counter.restored.days == counter.state.days)
        #expect(counter.restored.visits == counter.state.visits)
    }

    @Test("A visit waits while its department is full, keeps no place, and is first when it is not")
    func calling() throws {
        var counter = shop(capacity: 4)
        // Two places for visits, of which phones may book one: the second visit comes when the first should be out.
        let first = try counter.bookVisit(
            "ada", at: "16:00", on: .today, minutes: 15, departments: ["Fish"])
        let second = try counter.bookVisit(
            "bob", at: "16:15", on: .today, minutes: 15, departments: ["Fish"])
        let third = try counter.bookVisit(
            "eve", at: "16:30", on: .today, minutes: 15, departments: ["Wine"])
        counter.tick(at: "16:00")
        #expect(counter.state(of: first.id) == .called)
        counter.enter(first.id)
        counter.tick(at: "16:16")
        // Ada is still at the fish counter: Bob waits, and the places are for the others.
        #expect(counter.state(of: second.id) == .planned && counter.state.freePlaces == 3)
        let ticket = try counter.ticket()
        #expect(counter.state(of: ticket.id) == .called)
        #expect(counter.enter(second.id).refusal == .notYetCalled)
        counter.tick(at: "16:30")
        #expect(counter.state(of: third.id) == .called)
        #expect(counter.state(of: second.id) == .planned)
        // Ada leaves, and Bob is called before the ticket that waits.
        for _ in 0..<3 { try counter.ticket(MachineID("m-\(counter.state.taken)")) }
        counter.leave(first.id)
        #expect(counter.state(of: second.id) == .called)
        #expect(counter.restored.called == counter.state.called)
    }

    @Test(
        "A department without a capacity, or one that the shop has no more, keeps no visit waiting")
    func open() throws {
        var counter = shop()
        let visits = try ["ada", "bob", "eve"].map {
            try counter.bookVisit($0, at: "16:00", on: .today, departments: ["Wine"])
        }
        counter.tick(at: "16:00")
        #expect(visits.allSatisfy { counter.state(of: $0.id) == .called })
    }

    @Test("The text of departments is read as it is written, and nothing else is")
    func texts() throws {
        let list = try #require(Department.list(" Fish=4 ,Bakery = 6, Wine"))
        #expect(
            list == [
                Department(name: "Fish", capacity: 4), Department(name: "Bakery", capacity: 6),
                Department(name: "Wine"),
            ])
        #expect(Department.text(list) == "Fish=4, Bakery=6, Wine")
        #expect(Department.list(Department.text(list)) == list && Department.list(" ") == [])
        let long = String(repeating: "a", count: 31)
        let many = (1...9).map { "D\($0)" }.joined(separator: ",")
        for text in [
            ",", "Fish,", "Fish,Fish", "Fish=0", "Fish=-1", "Fish=four", "Fish=", "Fish=1=2", "=4",
            long, many,
            "-Fish", "Fish\u{7}", "Fish\u{202E}", "Fish=1000001",
            "e" + String(repeating: "\u{301}", count: 40),
        ] { #expect(Department.list(text) == nil, "\(text)") }
    }
}
