internal import Reservations

/// The expected wait of a ticket; the only place where it is worked out.
///
/// A first, honest model: the presumed calls (`PresumedCalls`) with the open holds appended give the
/// expected call. Stays are not all alike, so it comes with a spread: many independent customers leave a
/// shop nearly as a Poisson process of rate C/S (Palm-Khintchine theorem), and the k-th departure of
/// such a process has the standard deviation sqrt(k) * S / C. With a place free now nothing is awaited
/// and there is no spread. Visitors of slots that begin before the call leave before it like others.
enum WaitEstimator {
    /// The 10 % point of the normal distribution in standard deviations, below the mean.
    static let tenthPercentile = 1.2816
    /// The 80 % point: the promise on the paper (rules 3).
    static let eightiethPercentile = 0.8416

    /// The wait of one more ticket.
    ///
    /// - Parameters:
    ///   - queue: the day's confirmed tickets, and its visits.
    ///   - holdsAhead: open holds that may become tickets before this one (rules 1).
    static func estimate(
        _ queue: PresumedCalls, holdsAhead: Int, policy: ShopPolicy, now: LocalMoment
    ) -> WaitEstimate {
        estimate(
            queue, place: queue.count + holdsAhead,
            call: queue.nextCall(at: now.moment, ahead: holdsAhead), policy: policy, now: now)
    }

    /// The wait that is left to a confirmed ticket; nil where it is not in the queue.
    static func estimate(
        _ queue: PresumedCalls, number: QueueNumber, policy: ShopPolicy, now: LocalMoment
    ) -> WaitEstimate? {
        queue.ticket(number.rawValue).map {
            estimate(
                queue, place: $0.place, call: max(now.moment, $0.call), policy: policy, now: now)
        }
    }

    private static func estimate(
        _ queue: PresumedCalls, place: Int, call expected: Moment, policy: ShopPolicy,
        now: LocalMoment
    ) -> WaitEstimate {
        let departures = queue.departuresNeeded(
            before: place, calledAt: expected, at: now.moment)
        let perPlace =
            Double(policy.usualStay.wholeMilliseconds) / Double(max(1, policy.capacity))
        let deviation = expected == now.moment ? 0 : Double(departures).squareRoot() * perPlace
        let earliest = Moment(
            milliseconds: expected.milliseconds - Int64(tenthPercentile * deviation))
        let latest = Moment(
            milliseconds: expected.milliseconds + Int64(eightiethPercentile * deviation))
        let visitors = queue.visits.starts(
            after: now.moment.milliseconds, before: expected.milliseconds)
        return WaitEstimate(
            expected: now.at(expected), earliest: now.at(max(now.moment, earliest)),
            latest: now.at(latest),
            peopleAhead: max(0, place - queue.firstWaiting(at: now.moment)) + visitors.count)
    }
}
