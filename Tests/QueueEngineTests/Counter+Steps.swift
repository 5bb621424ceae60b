internal import QueueEngine
internal import Reservations
internal import Testing

typealias Answer = Result<QueueOutcome, Refused>

/// What customers, doors and staff do, and how time passes, each in a word.
extension Counter {
    /// Sets the time, and looks at the queue as the store does by itself.
    mutating func tick(at moment: Moment) {
        now = moment
        ask(.tick)
    }

    mutating func tick(at time: String) { tick(at: Counter.at(time)) }

    mutating func tick(after duration: Duration) { tick(at: now + duration) }

    @discardableResult
    mutating func ask(_ id: ReservationID, _ command: ReservationCommand) -> Answer {
        ask(.reservation(.id(id), command), by: stored[id]?.hold.owner)
    }

    @discardableResult
    mutating func enter(_ id: ReservationID) -> Answer { ask(id, .enter) }

    @discardableResult
    mutating func leave(_ id: ReservationID, at point: ExitPoint = .turnstile) -> Answer {
        ask(id, .exit(at: point))
    }

    /// Gives a place back with the code of its paper.
    @discardableResult
    mutating func giveBack(_ ticket: Reservation) -> Answer {
        ask(ticket.id, .delete(proof: .entry(ticket.code)))
    }

    @discardableResult
    mutating func undo(_ ticket: Reservation) -> Answer {
        ask(ticket.id, .undo(proof: .typed(ticket.typedCode)))
    }

    /// A command about a place that a machine holds.
    @discardableResult
    mutating func held(
        _ id: ReservationID, _ command: HoldCommand, at machine: MachineID = machine
    ) -> Answer { ask(.held(id, command), by: .machine(machine)) }

    /// Changes the shop's policy as the store does: the queue is loaded again.
    mutating func decide(_ change: (inout ShopPolicy) -> Void) {
        change(&shop.policy)
        state = restored
    }

    /// Waits are quoted from now on as they are at this moment.
    mutating func makeForecast() { forecast = WaitForecast(state, at: now, in: openings[0]) }

    mutating func tickets(_ count: Int) throws -> [Reservation] {
        try (0..<count).map { _ in try ticket() }
    }

    /// Lets the customer inside out, and the next one, who is called, in; the number of that one.
    @discardableResult
    mutating func next() throws -> Int {
        leave(try #require(stored.values.first { $0.state == .active }).hold.id)
        let called = try #require(stored.values.first { $0.state == .called })
        enter(called.hold.id)
        return try #require(called.confirmation).number.rawValue
    }

    /// Two tickets, one after the other.
    mutating func twoTickets() throws -> (Reservation, Reservation) { (try ticket(), try ticket()) }

    mutating func threeTickets() throws -> (Reservation, Reservation, Reservation) {
        (try ticket(), try ticket(), try ticket())
    }

    /// A ticket whose customer is inside.
    @discardableResult
    mutating func inside() throws -> Reservation {
        let ticket = try ticket()
        enter(ticket.id)
        return ticket
    }

    /// Takes a whole ticket at a machine or on a phone.
    @discardableResult
    mutating func ticket(owner: HoldOwner, isRemote: Bool = false) throws -> Reservation {
        try confirm(try hold(owner: owner, isRemote: isRemote).id, owner: owner)
    }

    /// Makes all places as if phones had taken them, which would not come all at once (rules: joining).
    mutating func moveToPhones(
        isRemote: Bool = false, _ question: ComingQuestion = ComingQuestion()
    ) {
        stored = stored.mapValues { record in
            let hold = record.hold
            return ReservationRecord(
                hold: Hold(
                    id: hold.id, owner: .phone(HolderID("phone-of-\(hold.id)")),
                    isRemote: isRemote, kind: hold.kind, day: hold.day, taken: hold.taken,
                    expires: hold.expires, extensions: hold.extensions, wait: hold.wait),
                state: record.state, since: record.since, cause: record.cause,
                confirmation: record.confirmation, question: question)
        }
        state = restored
    }
}

extension Answer {
    /// What an outcome of a certain case says, such as `QueueOutcome.left`; a test with another one ends here.
    @discardableResult
    func content<Content>(of embed: (Content) -> QueueOutcome) throws -> Content {
        let outcome = try get()
        guard let content = Mirror(reflecting: outcome).children.first?.value as? Content,
            embed(content) == outcome
        else { throw Unexpected() }
        return content
    }

    /// The reservation that a confirmation, a move or another code makes; a test with another outcome ends here.
    var reservation: Reservation {
        get throws {
            guard case .confirmed(let reservation, _) = try get() else { throw Unexpected() }
            return reservation
        }
    }

    var refused: Refused? { if case .failure(let refused) = self { refused } else { nil } }

    var refusal: Refusal? { refused?.refusal }
}

extension CalendarDay {
    /// The day of the tests.
    static let today = Counter.day
    static let tomorrow = Counter.day.advanced(by: 1)
}
