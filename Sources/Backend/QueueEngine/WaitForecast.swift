public import Reservations

/// When tickets at each position of the queue will be called; made once per change of the queue (rules: forecasts).
public struct WaitForecast: Sendable {
    /// The number of positions behind the last one that are computed too.
    private static let beyond = 64

    public let made: Moment
    /// Whether a place was free then: for a shop that has filled up since, this forecast must not be used.
    public let hadPlace: Bool
    /// The numbers of tickets ahead, in ascending order.
    private let positions: [Int]
    private let waits: [WaitDistribution]
    /// The minutes that one more ticket ahead adds, beyond the last position.
    private let perTicket: Double

    /// Plays the queue forward: one or two milliseconds of work for a shop of a hundred places.
    public init(_ state: QueueState, at now: Moment, in opening: OpenInterval) {
        made = now
        hadPlace = state.freePlaces > 0
        let last = state.tickets.count + state.ticketHolds + Self.beyond
        var positions: [Int] = []
        var next = 0
        // Every position that the display shows is computed, and then ever fewer: far behind, waits grow evenly.
        while next < last {
            positions.append(next)
            next += next < 10 ? 1 : max(1, next / 8)
        }
        positions.append(last)
        let stays = state.stays(at: opening.local(now))
        let place = stays.mean + state.policy.leaveDelay.inMinutes
        perTicket = place / Double(max(1, state.policy.capacity))
        let waiting = state.visits.count + state.holds.count + state.collectors.count
        guard state.freePlaces <= last + waiting else {
            // There is a place for every customer.
            self.positions = [last]
            waits = [.none]
            return
        }
        self.positions = positions
        waits = QueueSimulation.waits(
            state.snapshot(at: now, in: opening), positions: positions, maxRounds: 1)
    }

    /// The wait of a ticket with so many tickets ahead, at a moment not long after `made`.
    public func wait(behind ahead: Int, at now: Moment) -> WaitDistribution {
        let elapsed = (now - made).inMinutes
        let upper = positions.partitionPoint { $0 >= ahead }
        guard upper < positions.count else {
            let more = Double(ahead - positions[positions.count - 1]) * perTicket
            return waits[waits.count - 1].shifted(by: more - elapsed)
        }
        guard positions[upper] != ahead, upper > 0 else {
            return waits[upper].shifted(by: -elapsed)
        }
        let lower = positions[upper - 1]
        let part = Double(ahead - lower) / Double(positions[upper] - lower)
        return waits[upper - 1].mixed(with: waits[upper], part).shifted(by: -elapsed)
    }
}

extension WaitDistribution {
    private func map(
        _ other: WaitDistribution, _ body: (Double, Double) -> Double
    ) -> WaitDistribution {
        WaitDistribution(
            mean: body(mean, other.mean), p10: body(p10, other.p10), p50: body(p50, other.p50),
            p80: body(p80, other.p80), p90: body(p90, other.p90))
    }

    fileprivate func shifted(by minutes: Double) -> WaitDistribution {
        map(self) { value, _ in max(0, value + minutes) }
    }

    fileprivate func mixed(with other: WaitDistribution, _ part: Double) -> WaitDistribution {
        map(other) { $0 * (1 - part) + $1 * part }
    }
}

extension QueueState {
    /// Visits later than this, in minutes, do not affect a ticket that is issued now.
    private static let visitHorizonMinutes = 24.0 * 60
    /// Up to so many places, each place is simulated with its exact time.
    private static let maxExactPlaces = 500

    /// The queue as the simulation plays it: before one more ticket that is confirmed now.
    func snapshot(at now: Moment, in opening: OpenInterval) -> QueueSnapshot {
        // Customers who entered within the same tenth of a minute share the same probabilities of leaving.
        let steps = taken > Self.maxExactPlaces ? 10.0 : 1_000.0
        func minutes(since moment: Moment) -> Double {
            let minutes = max(0, (now - moment).inMinutes)
            return (minutes * steps).rounded() / steps
        }
        func minutes(until moment: Moment) -> Double { (moment - now).inMinutes }
        let stays = stays(at: opening.local(now))
        var behaviour = QueueSnapshot.Behaviour(
            stays: stays, noShow: attendance.noShow,
            entryWindow: Double(ShopPolicy.entryTimeLimitMinutes))
        behaviour.silence = attendance.silence
        behaviour.silentNoShow = attendance.silentNoShow
        behaviour.leaveDelay = policy.leaveDelay.inMinutes
        behaviour.missedExit = attendance.missedExit
        behaviour.longestStay = stays.quantile(Self.longestStay)
        var places: [QueueSnapshot.Occupant] = inside.entries.map {
            .inside(since: minutes(since: $0.live.since))
        }
        places += called.entries.map {
            let (since, customer) = (minutes(since: $0.live.since), customer(of: $0.live))
            return $0.live.kind == .visit
                ? .booked(since: since, customer) : .called(since: since, customer)
        }
        places += leaving.entries.map {
            .leaving(after: max(0, minutes(until: Moment(milliseconds: $0.key))))
        }
        places += collectors.filter { !$0.isAwaiting }.map {
            .leaving(after: $0.end.map { max(0, minutes(until: $0)) } ?? behaviour.collecting)
        }
        places += (0..<unregistered).map { _ in .inside(since: minutes(since: unregisteredSince)) }
        let held = holds.compactMap { hold in
            hold.visit.map { (minutes(until: $0.start.moment), customer(of: hold)) }
        }
        let horizon = now + .minutes(Int(Self.visitHorizonMinutes))
        let booked = visits.entries(until: horizon).lazy.map(\.live).compactMap { live in
            live.slot.map { (minutes(until: $0), customer(of: live)) }
        }
        let coming = (booked + held).filter { $0.0 < Self.visitHorizonMinutes }
            .sorted { $0.0 < $1.0 }
        var snapshot = QueueSnapshot(
            capacity: max(1, policy.capacity), behaviour: behaviour, places: places,
            visits: coming.map(\.0),
            ticketsAhead: tickets.count + ticketHolds, looksAhead: true)
        snapshot.visitsKnown = Self.known(coming.map(\.1))
        snapshot.ticketsKnown = Self.known(ticketCustomers)
        snapshot.orders = collectors.count(where: \.isAwaiting)
        return snapshot
    }

    /// The customers of tickets, and of holds that may become tickets, in their order.
    private var ticketCustomers: [QueueSnapshot.Customer] {
        let held = holds.filter { $0.kind == .ticket }.sorted { $0.taken.moment < $1.taken.moment }
        return tickets.entries.map { customer(of: $0.live) } + held.map { customer(of: $0) }
    }

    /// The same customers; none if all are at machines.
    private static func known(_ customers: [QueueSnapshot.Customer]) -> [QueueSnapshot.Customer] {
        customers.contains { $0 != .machine } ? customers : []
    }

    private func customer(of live: LiveReservation) -> QueueSnapshot.Customer {
        switch live.channel {
        case .machine: .machine
        case .phone: .phone
        case .remote where !policy.phones.asksWhoComes: .remote
        case .remote: live.isSilent ? .silent : live.isUnasked ? .unasked : .remote
        }
    }

    private func customer(of hold: Hold) -> QueueSnapshot.Customer {
        switch hold.channel {
        case .machine: .machine
        case .phone: .phone
        case .remote: policy.phones.asksWhoComes ? .unasked : .remote
        }
    }

    /// Converts a wait to moments of the shop's clock.
    func estimate(_ wait: WaitDistribution, ahead: Int, _ deciding: Deciding) -> WaitEstimate {
        func local(_ minutes: Double) -> LocalMoment {
            deciding.localTime(deciding.now + .minutes(minutes))
        }
        let expected = local(wait.p50)
        let before = visits.entries(until: expected.moment - .milliseconds(1))
        return WaitEstimate(
            expected: expected, earliest: local(wait.p10), latest: local(wait.p80),
            peopleAhead: ahead + before.count)
    }
}
