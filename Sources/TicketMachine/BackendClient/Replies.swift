internal import BackendAPI
internal import KioskFlow
internal import Reservations

// Answers of the contract as facts of the machine; what does not make sense is not understood.

extension MachineReply {
    var report: Result<ShopReport, BackendFailure> {
        guard !shopName.isEmpty, languages.count <= 20 else { return .failure(.notUnderstood) }
        return .success(ShopReport(machine: machine, name: shopName, languages: languages))
    }
}

extension QueueReply {
    /// More than any shop lets in at once, and thrice what a display could show in a minute.
    private static let mostCalled = 1_000
    /// As many as there are numbers.
    private static let mostPeople = 999_999

    var report: Result<QueueReport, BackendFailure> {
        guard (0...Self.mostPeople).contains(waiting), calling.count <= Self.mostCalled,
            Set(calling).count == calling.count, wait?.isPlausible ?? true
        else { return .failure(.notUnderstood) }
        return .success(
            QueueReport(
                now: now, isOpen: open, closes: closes, opens: opens,
                ticketAvailable: ticketAvailable, calling: calling, waiting: waiting, wait: wait))
    }
}

extension StaffQueueReply {
    var report: Result<StaffQueue, BackendFailure> {
        let counts = [people, capacity, waiting, visits, issued]
        guard counts.allSatisfy({ (0...999_999).contains($0) }), calling.count <= Self.mostNumbers,
            next.count <= Self.mostNumbers
        else { return .failure(.notUnderstood) }
        return .success(
            StaffQueue(
                isOpen: open, closes: closes, closesEarly: closesEarly,
                ticketsEnded: ticketsEnded ?? false, ticketAvailable: ticketAvailable,
                people: people, capacity: capacity,
                calling: calling, waiting: waiting, next: next, visits: visits, issued: issued,
                doorsNotClosed: Array((doorsNotClosed ?? []).prefix(8))))
    }
}

extension StaffAction {
    /// What the staff wants, as the contract says it.
    init(_ deed: QueueDeed, by person: String) {
        switch deed {
        case .of(.callAgain, let number): self.init(.callAgain, number: number, by: person)
        case .of(.letIn, let number): self.init(.letIn, number: number, by: person)
        case .of(.restore, let number): self.init(.restore, number: number, by: person)
        case .of(.delete, let number): self.init(.delete, number: number, by: person)
        case .people(let people): self.init(.occupancy, people: people, by: person)
        case .endTickets: self.init(Kind.endTickets, by: person)
        case .sendHome: self.init(Kind.sendHome, by: person)
        case .openAgain: self.init(Kind.openAgain, by: person)
        }
    }

    /// The same for a backend that does not know the action yet; nil where there is nothing like it.
    init?(olderFor deed: QueueDeed, by person: String, closes: LocalMoment?) {
        switch deed {
        case .sendHome where closes != nil: self.init(.closeEarly, at: closes, by: person)
        case .openAgain: self.init(.closeEarly, by: person)
        case .of, .people, .endTickets, .sendHome: return nil
        }
    }
}

extension HoldReply {
    var place: Result<HeldPlace, BackendFailure> {
        let life = expires.moment - now.moment
        guard (kind == .visit) == (visit != nil), id.isPlausible, wait.isPlausible, life > .zero
        else { return .failure(.notUnderstood) }
        return .success(HeldPlace(id: id, visit: visit, wait: wait, life: life, told: now))
    }
}

extension ReservationReply {
    /// The reservation that the held place has become: the same thing with the same name.
    func checked(of hold: ReservationID) -> Result<Reservation, BackendFailure> {
        guard let reservation, id == hold, wait.isPlausible, !shopName.isEmpty,
            enterBy.map({ $0.isWithinADay(of: issued) }) ?? true
        else { return .failure(.notUnderstood) }
        return .success(reservation)
    }
}

extension LookupReply {
    /// The reservation where it stands; else why the code leads to none.
    var found: Result<FoundReservation, BackendFailure> {
        let standing: ReservationState
        switch state {
        case .planned: standing = .planned
        case .called: standing = .called
        case .inside: return .failure(.code(.inside))
        case .used: return .failure(.code(.used))
        case .missed: return .failure(.code(.missed))
        case .closed: return .failure(.code(.closed))
        case .deleted: return .failure(.code(.deleted))
        }
        guard (kind == .visit) == (visit != nil), id.isPlausible, wait?.isPlausible ?? true,
            enterBy.map({ $0.isWithinADay(of: now) }) ?? true
        else { return .failure(.notUnderstood) }
        return .success(
            FoundReservation(
                id: id, number: number, state: standing, visit: visit, wait: wait, issued: issued,
                enterBy: standing == .called ? enterBy : nil))
    }
}

extension LocalMoment {
    /// Whether it is an end that can be told by its time alone.
    fileprivate func isWithinADay(of now: LocalMoment) -> Bool {
        (.zero..<Duration.seconds(86_400)).contains(moment - now.moment)
    }
}

extension WaitEstimate {
    /// Ends in order, and nobody is told to come another week.
    fileprivate var isPlausible: Bool {
        earliest.moment <= expected.moment && expected.moment <= latest.moment
            && (0...999_999).contains(peopleAhead)
            && latest.moment - earliest.moment < .seconds(7 * 86_400)
    }
}

extension ReservationID {
    /// What can stand in a path of the contract.
    fileprivate var isPlausible: Bool { Route(path: "/v1/holds/\(rawValue)") == .hold(self) }
}
