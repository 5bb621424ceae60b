internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

/// A place that was confirmed.
typealias TakenPlace = (id: ReservationID, number: Int, code: EntryCode)

/// Places that machines and phones take.
extension QueueStore {
    /// What a call of the store completes with.
    func answer<Value: Sendable>(
        _ work: (@escaping @Sendable (Value) -> Void) -> Void
    ) async -> Value {
        await withCheckedContinuation { done in work { done.resume(returning: $0) } }
    }

    /// The result with which a call of the store completes.
    func done<Value: Sendable>(
        _ work: (@escaping @Sendable (Result<Value, StoreError>) -> Void) -> Void
    ) async throws -> Value {
        try await answer(work).get()
    }

    /// What a phone hears that asks for a place.
    func asks(
        _ holder: String, _ what: MachineRequest = .hold(.ticket), in shop: ShopID = Site.shopID
    ) async throws -> [String] {
        try await words(.make(what, shop: shop, holder: holder))
    }

    /// What the staff do with the place of a number.
    func staff(_ action: StaffAction.OfReservation, _ number: Int) async throws {
        let number = try #require(QueueNumber(rawValue: number))
        _ = try await words(.make(.staff(.reservation(action, number))))
    }

    /// Takes a place: a machine's, or a phone's if there is a holder.
    func hold(
        _ machine: String = "door-1", _ what: MachineRequest = .hold(.ticket),
        in shop: ShopID = Site.shopID, holder: String? = nil
    ) async throws -> ReservationID {
        let words = try await words(.make(what, machine: machine, shop: shop, holder: holder))
        guard words[0] == "held" else { throw SiteError.unexpected("\(words)") }
        return ReservationID(words[1])
    }

    @discardableResult
    func confirm(
        _ id: ReservationID, _ machine: String = "door-1", in shop: ShopID = Site.shopID,
        holder: String? = nil
    ) async throws -> TakenPlace {
        let words = try await words(
            .make(.confirm(id), machine: machine, shop: shop, holder: holder))
        guard words.count == 4, let number = Int(words[1]), let code = EntryCode(rawValue: words[2])
        else { throw SiteError.unexpected("\(words)") }
        return (id, number, code)
    }

    /// Takes a whole ticket.
    @discardableResult
    func ticket(
        _ machine: String = "door-1", in shop: ShopID = Site.shopID, holder: String? = nil
    ) async throws -> TakenPlace {
        let id = try await hold(machine, in: shop, holder: holder)
        return try await confirm(id, machine, in: shop, holder: holder)
    }

    func tickets(_ count: Int) async throws -> [TakenPlace] {
        var tickets: [TakenPlace] = []
        for _ in 0..<count { tickets.append(try await ticket()) }
        return tickets
    }

    func holdVisit(_ machine: String) async throws -> ReservationID {
        try await hold(machine, .hold(.visit))
    }

    func visit(_ machine: String) async throws -> TakenPlace {
        try await confirm(try await holdVisit(machine), machine)
    }

    /// Books a whole visit on a phone.
    @discardableResult
    func bookVisit(
        _ holder: String, at time: String, on day: CalendarDay, minutes: Int? = nil,
        departments: [String]? = nil, in shop: ShopID = Site.shopID
    ) async throws -> TakenPlace {
        let slot = Site.slot(time, on: day, minutes: minutes, departments: departments)
        let id = try await hold("door-1", .holdVisit(slot), in: shop, holder: holder)
        return try await confirm(id, in: shop, holder: holder)
    }

    /// What a phone gets that moves a visit with its code.
    func move(
        _ visit: TakenPlace, to slot: ChosenSlot, in shop: ShopID = Site.shopID,
        holder: String? = "a"
    ) async throws -> [String] {
        try await words(
            .make(.move(visit.id, .entry(visit.code), to: slot), shop: shop, holder: holder))
    }

    /// Gives a place back with its own code, as at a machine.
    @discardableResult
    func giveBack(_ ticket: TakenPlace, in shop: ShopID = Site.shopID) async throws -> [String] {
        try await words(.make(.delete(ticket.id, .entry(ticket.code)), shop: shop))
    }

    /// The customer of a ticket passes a door.
    func pass(_ ticket: TakenPlace, _ passing: Passing) async throws {
        _ = try await words(.make(.passage(.entry(ticket.code), passing)))
    }
}
