public import Reservations

/// What the holder of a code is told of his reservation [UC13].
public struct ReservationReport: Hashable, Sendable {
    /// With the wait that is left to a ticket; that of its confirmation where nothing is awaited any more.
    public let reservation: Reservation
    /// The shop's day it is of.
    public let day: CalendarDay
    public let standing: Standing
    /// Until when the one who is called may enter [R12]; nil in every other standing.
    public let enterBy: LocalMoment?
}

extension QueueState {
    /// What is told of a stored reservation; nil for a place that was never confirmed.
    ///
    /// - Parameter openings: the present one, where there is one, and those to come, in order.
    public func report(
        on record: ReservationRecord, of shop: Shop, at now: Moment, openings: [OpenInterval]
    ) -> ReservationReport? {
        guard let standing = record.standing(at: now, openings: openings),
            let confirmation = record.confirmation
        else { return nil }
        var present = record.hold
        let opening = openings.first { $0.contains(now) }
        if standing == .planned, present.visit == nil,
            let wait = WaitEstimator.estimate(
                calls(of: present.day), number: confirmation.number, policy: policy,
                now: opening?.local(now) ?? present.taken.at(now))
        {
            present.wait = wait
        }
        let told = ReservationRecord(
            hold: present, state: record.state, since: record.since, cause: record.cause,
            confirmation: confirmation)
        guard let reservation = told.reservation(of: shop) else { return nil }
        let last = record.since + .minutes(ShopPolicy.minutesToEnter)
        return ReservationReport(
            reservation: reservation, day: present.day, standing: standing,
            enterBy: standing == .called
                ? opening?.local(last) ?? present.taken.at(last) : nil)
    }
}

extension ReservationRecord {
    /// What the reservation is worth; nil where it was never confirmed.
    func standing(at now: Moment, openings: [OpenInterval]) -> Standing? {
        guard confirmation != nil else { return nil }
        switch state {
        case .pending: return nil
        case .deleted: return .deleted
        case .active: return .inside
        case .expired: return cause == .missed || cause == .closed ? .missed : .used
        case .called: return isOver(at: now, openings: openings) ? .missed : .called
        case .planned: return isOver(at: now, openings: openings) ? .missed : .planned
        }
    }

    /// Whether its time has passed: a visit's with its slot, a ticket's with its day's last opening (rules 8).
    private func isOver(at now: Moment, openings: [OpenInterval]) -> Bool {
        if let visit = hold.visit { return visit.end.moment <= now }
        return !openings.contains { $0.opens.day == hold.day && now < $0.closes.moment }
    }

    /// The reservation as its holder knows it; nil where it was never confirmed.
    public func reservation(of shop: Shop) -> Reservation? {
        guard let confirmation else { return nil }
        return Reservation(
            id: hold.id, kind: hold.kind, number: confirmation.number, shopName: shop.name,
            code: confirmation.code, typedCode: confirmation.typedCode, issued: confirmation.issued,
            wait: hold.wait, visit: hold.visit)
    }
}

extension Confirmation {
    /// Whether a presented code is one of this reservation's.
    func isProved(by code: PresentedCode) -> Bool {
        switch code {
        case .entry(let entry): Self.isSame(self.code.rawValue, entry.rawValue)
        case .typed(let typed): Self.isSame(typedCode.rawValue, typed.rawValue)
        }
    }

    /// Compares every character, so that the time taken does not tell how much of a guess is right.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
