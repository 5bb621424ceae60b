public import Reservations

/// What a transition of a reservation means for the notices of its customer (rules: notices).
public struct NoticeEffect: Hashable, Sendable {
    /// What is reported; a notice that waits to be sent is out of date in any case.
    public let kind: NoticeKind?
    /// Whether the reservation waits for its turn again: the customer hears before it, and what they were shown of the
    /// wait does not count any more.
    public let waitsAgain: Bool
    /// Whether the visit has another time: a telephone number gets it, as it got the first one.
    public let isMoved: Bool

    /// Nil if nothing has changed for a customer who gets notices.
    public init?(_ transition: Transition) {
        guard transition.from != .pending else { return nil }
        waitsAgain = transition.to == .planned
        isMoved = transition.cause == .rebooked
        switch transition.cause {
        case .turn, .calledAgain: kind = .called
        case .missed: kind = .missed
        case .closed, .sentHome: kind = .closed
        case .cancelledByShop: kind = .cancelled
        case .withdrawn, .declined, .deletedByStaff, .blocked: kind = .givenBack
        case .restored, .reclaimed: kind = .restored
        // The other phones of a family have heard that the place was given back, but nothing of a delay.
        case .undone: kind = transition.from == .deleted ? .restored : nil
        // The customer has done this on a page, or is at the door.
        case .delayed, .rebooked, .entered, .letIn: kind = nil
        // The customer was inside, where no notice waits.
        case .checkedOut, .left, .inferred: return nil
        // These are of places that were never confirmed, or are confirmed now.
        case .requested, .confirmed, .cancelled, .replaced, .holdExpired: return nil
        // No place ends so.
        case .unanswered: return nil
        }
    }
}

/// When a waiting customer is called, as far as the forecast says.
public struct CallForecast: Hashable, Sendable {
    /// Half of the customers are called by this moment.
    public let expected: Moment
    /// One of ten is called before it: the first moment of the range that the page shows.
    public let earliest: Moment
}

extension QueueState {
    /// The forecasts of those of the reservations that wait for their call; none while the shop is closed, except of
    /// visits.
    public func callForecasts(
        of wanted: Set<ReservationID>, in context: QueueContext
    ) -> [ReservationID: CallForecast] {
        let deciding = informed(Deciding(context, openings: effective(context.openings)))
        var forecasts: [ReservationID: CallForecast] = [:]
        for entry in visits.entries where wanted.contains(entry.live.id) {
            guard let slot = entry.live.slot else { continue }
            forecasts[entry.live.id] = CallForecast(expected: slot, earliest: slot)
        }
        guard let opening = deciding.opening else { return forecasts }
        for entry in tickets.entries where wanted.contains(entry.live.id) {
            let wait = wait(behind: ticketsAhead(of: entry.live), in: opening, deciding)
            forecasts[entry.live.id] = CallForecast(
                expected: wait.expected.moment, earliest: wait.earliest.moment)
        }
        return forecasts
    }
}
