internal import Reservations
internal import Testing

@testable import QueueEngine

/// Departments that the customers of visits name (rules 39) [R22, R24].
@Suite("Departments of a shop")
struct DepartmentTests {
    private static let ada = HolderID("ada")
    private static let bob = HolderID("bob")
    private static let eve = HolderID("eve")
    private static let tomorrow = Counter.day.advanced(by: 1)

    /// A shop with ten places for visits and three departments, of which two have capacities of their own.
    private func shop(capacity: Int = 20) -> Counter {
        var counter = Counter(capacity: capacity, stay: 20)
        counter.openDays = 40
        counter.shop.policy.phones.hasPlaces = true
        counter.shop.policy.phones.hasVisits = true
        counter.shop.policy.departments = [
            Department(name: "Fish", capacity: 1), Department(name: "Bakery", capacity: 2),
            Department(name: "Wine"),
        ]
        counter.state = QueueState(policy: counter.shop.policy)
        return counter
    }

    /// The slots of tomorrow that are free for these departments.
    private func free(_ counter: Counter, _ departments: [String]) -> [Int] {
        counter.state.freeSlots(minutes: 30, departments: departments, in: counter.context)
            .filter { $0.first.day == Self.tomorrow }.flatMap(\.free)
    }

    @Test("A slot is full for those who name a full department, and free for others")
    func slots() throws {
        var counter = shop()
        let all = free(counter, [])
        #expect(
            Set(free(counter, ["Fish"])) == [1] && Set(free(counter, ["Bakery", "Wine"])) == [2])
        let hold = try counter.holdVisit(
            Self.ada, at: "10:00", on: Self.tomorrow, minutes: 30, departments: ["Wine", "Fish"])
        // In the shop's order.
        #expect(hold.visit?.departments == ["Fish", "Wine"])
        for time in ["09:45", "10:00", "10:15"] {
            let refusal = counter.refusal(
                Self.bob, at: time, on: Self.tomorrow, minutes: 30, departments: ["Fish"])
            #expect(refusal == .slotTaken, "\(time)")
        }
        for time in ["09:30", "10:30"] {
            let refusal = counter.refusal(
                Self.bob, at: time, on: Self.tomorrow, minutes: 30, departments: ["Fish"])
            #expect(refusal == nil, "\(time)")
        }
        for departments in [nil, [], ["Wine"], ["Bakery"]] {
            let refusal = counter.refusal(
                Self.bob, at: "10:00", on: Self.tomorrow, departments: departments)
            #expect(refusal == nil)
        }
        #expect(free(counter, []).reduce(0, +) < all.reduce(0, +))
        #expect(free(counter, ["Fish"]).count { $0 == 0 } == 3)
        let wanted = ChosenSlot(
            start: LocalMoment(Counter.at("10:00", day: Self.tomorrow), offsetMinutes: 60),
            minutes: 30, departments: ["Fish"])
        let suggested = counter.state.suggestions(for: wanted, in: counter.context)
        #expect(suggested.wanted?.free == 0)
        #expect(suggested.sameDay.prefix(2).map(\.start.time.description) == ["09:30", "10:30"])
        #expect(counter.restored.days == counter.state.days)
        // What was not confirmed frees its department.
        counter.pass(.seconds(211))
        counter.ask(.tick)
        #expect(free(counter, ["Fish"]).allSatisfy { $0 == 1 })
        #expect(counter.state.days[Self.tomorrow]?.departmentVisits == [:])
    }

    @Test("A department that the shop does not have is left out of a visit")
    func unknown() throws {
        var counter = shop()
        let hold = try counter.holdVisit(
            Self.ada, at: "10:00", on: Self.tomorrow, departments: ["Cheese", "Fish", "Fish"])
        #expect(hold.visit?.departments == ["Fish"])
        let other = try counter.holdVisit(
            Self.bob, at: "10:00", on: Self.tomorrow, departments: ["Cheese"])
        #expect(other.visit?.departments == nil)
    }

    @Test("A visit gets other departments, or none, with its slot or with another one [3.A.1.1]")
    func moves() throws {
        var counter = shop()
        let visit = try counter.bookVisit(
            Self.ada, at: "10:00", on: Self.tomorrow, departments: ["Fish"])
        let other = try counter.bookVisit(
            Self.bob, at: "11:00", on: Self.tomorrow, departments: ["Fish"])
        // Its own department is no obstacle to itself.
        guard
            case .confirmed = try counter.move(
                visit, to: "10:15", on: Self.tomorrow, departments: ["Fish"]
            ).get()
        else { throw Unexpected() }
        let before = counter.state
        guard
            case .failure(let refused) = counter.move(
                visit, to: "11:00", on: Self.tomorrow, departments: ["Fish"])
        else { throw Unexpected() }
        #expect(refused.refusal == .slotTaken && counter.state.days == before.days)
        guard
            case .confirmed = try counter.move(
                visit, to: "11:00", on: Self.tomorrow, departments: ["Bakery"]
            ).get()
        else { throw Unexpected() }
        #expect(counter.stored[visit.id]?.hold.visit?.departments == ["Bakery"])
        #expect(
            counter.state.days[Self.tomorrow]?.departmentVisits.keys.sorted() == ["Bakery", "Fish"])
        guard case .confirmed = try counter.move(other, to: "11:00", on: Self.tomorrow).get()
        else { throw Unexpected() }
        #expect(counter.stored[other.id]?.hold.visit?.departments == nil)
        #expect(counter.state.days[Self.tomorrow]?.departmentVisits.keys.sorted() == ["Bakery"])
        #expect(counter.restored.days == counter.state.days)
        #expect(counter.restored.visits == counter.state.visits)
    }

    @Test("A visit waits while its department is full, keeps no place, and is first when it is not")
    func calling() throws {
        var counter = shop(capacity: 4)
        // Two places for visits, of which phones may book one: the second visit comes when the first should be out.
        let first = try counter.bookVisit(
            Self.ada, at: "16:00", on: Counter.day, minutes: 15, departments: ["Fish"])
        let second = try counter.bookVisit(
            Self.bob, at: "16:15", on: Counter.day, minutes: 15, departments: ["Fish"])
        let third = try counter.bookVisit(
            Self.eve, at: "16:30", on: Counter.day, minutes: 15, departments: ["Wine"])
        counter.now = Counter.at("16:00")
        counter.ask(.tick)
        #expect(counter.state(of: first.id) == .called)
        counter.ask(.reservation(first.id, .enter))
        counter.now = Counter.at("16:16")
        counter.ask(.tick)
        // Ada is still at the fish counter: Bob waits, and the places are for the others.
        #expect(counter.state(of: second.id) == .planned && counter.state.freePlaces == 3)
        let ticket = try counter.ticket()
        #expect(counter.state(of: ticket.id) == .called)
        guard case .failure(let refused) = counter.ask(.reservation(second.id, .enter))
        else { throw Unexpected() }
        #expect(refused.refusal == .notYetCalled)
        counter.now = Counter.at("16:30")
        counter.ask(.tick)
        #expect(counter.state(of: third.id) == .called)
        #expect(counter.state(of: second.id) == .planned)
        // Ada leaves, and Bob is called before the ticket that waits.
        for _ in 0..<3 { try counter.ticket(MachineID("m-\(counter.state.taken)")) }
        counter.ask(.reservation(first.id, .exit(at: .turnstile)))
        #expect(counter.state(of: second.id) == .called)
        #expect(counter.restored.called == counter.state.called)
    }

    @Test(
        "A department without a capacity, or one that the shop has no more, keeps no visit waiting")
    func open() throws {
        var counter = shop()
        let visits = try [Self.ada, Self.bob, Self.eve].map {
            try counter.bookVisit($0, at: "16:00", on: Counter.day, departments: ["Wine"])
        }
        counter.now = Counter.at("16:00")
        counter.ask(.tick)
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
