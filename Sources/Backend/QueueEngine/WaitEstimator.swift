internal import Reservations

/// The expected wait of one more ticket; the only place where it is worked out.
///
/// A first, honest model: the presumed calls (`PresumedCalls`) with the open holds appended give the
/// expected call. Stays are not all alike, so it comes with a spread: many independent customers leave a
/// shop nearly as a Poisson process of rate C/S (Palm-Khintchine theorem), and the k-th departure of
/// such a process has the standard deviation sqrt(k) * S / C. With a place free now nothing is awaited
/// and there is no spread.
enum WaitEstimator {
    /// The 10 % point of the normal distribution in standard deviations, below the mean.
    static let tenthPercentile = 1.2816
    /// The 80 % point: the promise on the paper (rules 3).
    static let eightiethPercentile = 0.8416

    /// - Parameters:
    ///   - queue: the day's confirmed tickets.
    ///   - holdsAhead: open holds that may become tickets before this one (rules 1).
    static func estimate(
        _ queue: PresumedCalls, holdsAhead: Int, policy: ShopPolicy, now: LocalMoment
    ) -> WaitEstimate {
        let expected = queue.nextCall(at: now.moment, ahead: holdsAhead)
        let departures = queue.departuresNeeded(at: now.moment, ahead: holdsAhead)
        let perPlace =
            Double(policy.usualStay.wholeMilliseconds) / Double(max(1, policy.capacity))
        let deviation = expected == now.moment ? 0 : Double(departures).squareRoot() * perPlace
        let earliest = Moment(
            milliseconds: expected.milliseconds - Int64(tenthPercentile * deviation))
        let latest = Moment(
            milliseconds: expected.milliseconds + Int64(eightiethPercentile * deviation))
        return WaitEstimate(
            expected: now.at(expected), earliest: now.at(max(now.moment, earliest)),
            latest: now.at(latest),
            peopleAhead: queue.waiting(at: now.moment) + holdsAhead)
    }
}
