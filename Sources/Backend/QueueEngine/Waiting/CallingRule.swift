/// Decides which customer is called next, for the queue at every decision and for the forecast at every simulated step.
///
/// The calling rule in numbered sentences (rules: calls, calls-at-confirmation; the tests refer to these numbers):
///
/// 1. No customer is called while called customers and customers inside fill the capacity.
/// 2. A visit is never called before its slot.
/// 3. Visits whose slot has come are called first: the earliest slot, then the lower number.
/// 4. Tickets are called in the order of their numbers, except those of sentence 7.
/// 5. A ticket waits if a visit due within the next ten minutes would otherwise have no place.
/// 6. A called customer has ten minutes to enter.
/// 7. A ticket whose holder lets people go ahead is called behind them, and before every ticket behind them (rules: more-time).
/// 8. A visit whose slot has come is passed over, and no place kept for it, while a department that its customer has named
///    is full. A visitor who leaves the department leaves the shop, and then the visit is first (rules: departments).
/// 9. An order that is ready at a desk inside the shop gets the next free place that sentence 3 leaves, before every ticket;
///    it waits for no visit whose slot has yet to come (rules: desks-inside).
///
/// The queues of visits and of tickets are in the order of sentences 3, 4 and 7 (`LiveReservation.position`); this decides
/// between these, those that sentence 8 does not pass over, and orders. `QueueState.enterBy` keeps sentence 6.
enum CallingRule {
    enum Turn: Hashable {
        case noCustomer
        /// The visit that is first in its queue.
        case visit
        /// The order that was ready first.
        case order
        /// The ticket that is first in its queue, if there is one.
        case ticket
    }

    /// How far sentence 5 looks ahead.
    static let lookAhead: Duration = .seconds(600)

    /// Decides whose turn it is, with times in minutes, as the probabilities of stays are computed.
    ///
    /// - Parameters:
    ///   - free: The number of places that no customer has.
    ///   - taken: The number of places that customers have.
    ///   - hasReadyOrder: Whether an order is ready at a desk inside and waits for a place.
    ///   - minutesToVisit: The time until the slot of the first visit that is not passed over, negative if it has come;
    ///     nil if there is none within `lookAhead`.
    ///   - visitsDue: Returns how many visits have their slot within `lookAhead`; called only if the answer matters.
    ///   - meanStay: Returns the mean stay in minutes; called only if the answer matters.
    @inline(__always) static func turn(
        free: Int, taken: Int, hasReadyOrder: Bool, minutesToVisit: Double?, visitsDue: () -> Int,
        meanStay: () -> Double
    ) -> Turn {
        guard free > 0 else { return .noCustomer }
        if let minutesToVisit, minutesToVisit <= 0 { return .visit }
        if hasReadyOrder { return .order }
        guard let minutesToVisit else { return .ticket }
        let visits = visitsDue()
        guard visits > 0 else { return .ticket }
        // Of the places that are taken, those that are free by then with a probability of 80 % need not be kept: with
        // many customers inside, departures are nearly a Poisson process (Palm-Khintchine theorem).
        let expected = Double(taken) * minutesToVisit / max(1, meanStay())
        let sure = max(0, Int(expected - 0.8416 * expected.squareRoot()))
        return free > max(0, visits - sure) ? .ticket : .noCustomer
    }
}
