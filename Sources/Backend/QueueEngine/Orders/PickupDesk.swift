public import Reservations

/// What is asked of a shop's orders.
public enum OrderCommand: Hashable, Sendable {
    /// The customer of an order is here; the code proves whose order it is.
    case arrive(OrderID, proof: PresentedOrderCode)
    /// The shop's own system announces an order, or changes it.
    case announce(AnnouncedOrder)
    /// The shop's own system calls the order of this reference off.
    case cancel(String)
    /// An assistant at a desk takes a step.
    case take(OrderID, DeskStep, desk: Int)
    /// The customer shows the code at a desk, and gets the order if it is there.
    case handOver(PresentedOrderCode, desk: Int)
    /// The customer shows the code at the entrance of a shop whose desk is inside.
    case enter(PresentedOrderCode)
    /// The customer shows it on the way out.
    case leave(PresentedOrderCode, at: ExitPoint)
}

extension OrderCommand {
    /// Whether it may change an order whose customer is here.
    public var isOfDesk: Bool { if case .announce = self { false } else { true } }

    /// Whether a customer is at a door.
    public var isPassage: Bool {
        switch self {
        case .enter, .leave: true
        case .arrive, .announce, .cancel, .take, .handOver: false
        }
    }

    /// The code that a customer has shown; nil if there is none.
    public var shownCode: PresentedOrderCode? {
        switch self {
        case .arrive(_, let code), .handOver(let code, _), .enter(let code), .leave(let code, _):
            code
        case .announce, .cancel, .take: nil
        }
    }
}

/// The orders of a shop whose customers are here, and how long they wait (rules: order-desks, order-forecasts).
///
/// Beside the queue, and pure as it is: the store brings the orders, and stores what is decided.
public struct PickupDesk: Hashable, Sendable {
    /// The orders whose customers are here, the one that came first in front.
    public private(set) var orders: [PickupOrderRecord]
    private let policy: OrderPolicy
    private let learned: LearnedFetches
    /// When the last step was taken at each desk.
    private let steps: [Int: Moment]

    /// - Parameters:
    ///   - learned: What is known of the times of fetching.
    ///   - steps: When the last step was taken at each desk.
    public init(
        _ orders: [PickupOrderRecord], policy: OrderPolicy,
        learned: LearnedFetches = LearnedFetches(), steps: [Int: Moment] = [:]
    ) {
        self.orders = orders.filter(\.state.isHere).sorted {
            ($0.turn?.arrived ?? $0.since, $0.turn?.number.rawValue ?? 0)
                < ($1.turn?.arrived ?? $1.since, $1.turn?.number.rawValue ?? 0)
        }
        self.policy = policy
        self.learned = learned
        self.steps = steps
    }

    /// The customer of an order is here; returns nil if that changes nothing.
    ///
    /// - Parameter turn: Draws the number.
    public mutating func arrive<Failure>(
        _ order: PickupOrderRecord, at now: Moment,
        turn: () throws(Failure) -> PickupOrderRecord.Turn
    ) throws(Failure) -> PickupOrderRecord? {
        guard order.isReady(at: now) else { return nil }
        var order = order
        order.move(to: .arrived, at: now)
        order.turn = try turn()
        orders.append(order)
        return order
    }

    /// An order as its customer is shown it.
    ///
    /// - Parameters:
    ///   - hasTicket: Whether with what a paper carries: its customer has just come, or follows it on a phone.
    ///   - local: Returns a moment as the shop's clock shows it.
    public func shown(
        _ order: PickupOrderRecord, of shop: Shop, at now: Moment, hasTicket: Bool = false,
        local: (Moment) -> LocalMoment
    ) -> PickupOrder {
        let state = order.shownState
        let isCalled = state == .called
        return PickupOrder(
            id: order.id, reference: order.reference, shopName: shop.name, state: state,
            since: local(isCalled ? order.called ?? order.since : order.since), now: local(now),
            parcels: order.parcels.count,
            promised: local(order.promised), isReady: order.isReady(at: now),
            number: order.state.isHere ? order.turn?.number : nil,
            wait: estimate(order, at: now, local: local),
            desk: isCalled ? order.desk : nil,
            ticket: hasTicket ? PickupTicket(code: order.code, typedCode: order.typedCode) : nil)
    }

    /// The order that a phone asks for, if its customer is here.
    public func order(_ order: FollowedPickup) -> PickupOrderRecord? {
        switch order {
        case .code(let code): orders.first { $0.code == code }
        case .id(let id): orders.first { $0.id == id }
        }
    }

    /// Whether time has passed that `PickupOrderRecord.pass` must consider at once.
    public func isDue(at now: Moment) -> Bool {
        orders.contains {
            $0.isForgotten(at: now) || !policy.isDeskInside && $0.isUncalled
        }
    }

    /// The orders as the pages of desks show them.
    public func shownAtDesk(at now: Moment, local: (Moment) -> LocalMoment) -> DeskOrders {
        DeskOrders(
            now: local(now), desks: policy.desks, here: orders.count,
            orders: shownFirst.map { $0.shownAtDesk(at: now, local: local) })
    }

    /// As many orders as a message has room for: those with which assistants are busy, and then the ones whose customers
    /// came first; in the order of coming.
    private var shownFirst: [PickupOrderRecord] {
        func isBusy(_ order: PickupOrderRecord) -> Bool {
            order.state == .fetching || order.state == .called
        }
        var parcels = 0
        let first = (orders.filter(isBusy) + orders.filter { !isBusy($0) })
            .prefix(DeskOrders.maxOrders).prefix { order in
                parcels += order.parcels.count
                return parcels <= DeskOrders.maxParcels
            }
        let shown = Set(first.map(\.id))
        return orders.filter { shown.contains($0.id) }
    }

    /// The called orders as displays show them, newest first; nil if the shop has no desk.
    public func turns(at now: Moment, local: (Moment) -> LocalMoment) -> [OrderTurn]? {
        guard policy.hasDesk else { return nil }
        let called = orders.compactMap { order -> OrderTurn? in
            guard let announced = order.announced(at: now), let number = order.turn?.number,
                let desk = order.desk
            else { return nil }
            return OrderTurn(number: number, desk: desk, since: local(announced))
        }
        return called.sorted {
            ($0.since.moment, $0.number) > ($1.since.moment, $1.number)
        }
    }

    /// When the order should be at the desk; nil if it is there, if it is not known where it is, and if its customer cannot
    /// say to be here.
    private func estimate(
        _ order: PickupOrderRecord, at now: Moment, local: (Moment) -> LocalMoment
    ) -> WaitEstimate? {
        let isWaiting = order.state == .arrived || order.state == .fetching
        guard isWaiting || order.isReady(at: now) else { return nil }
        let before = orders.prefix { $0.id != order.id }.filter {
            $0.state == .arrived || $0.state == .fetching
        }
        // Assistants are busy with what they fetch, also if its customer came later.
        let fetching = orders.filter { $0.state == .fetching && $0.id != order.id }
        let works = (fetching + before.filter { $0.state == .arrived }).map {
            FetchingForecast.Work($0, at: now)
        }
        let forecast = FetchingForecast(
            before: works, own: FetchingForecast.Work(order, at: now),
            assistants: assistants(at: now),
            usual: LearnedFetches.usual(minutes: policy.fetchMinutes), learned: learned)
        let wait = forecast.wait()
        return WaitEstimate(
            expected: local(now + .minutes(wait.p50)), earliest: local(now + .minutes(wait.p10)),
            latest: local(now + .minutes(wait.p80)), peopleAhead: before.count)
    }

    /// An assistant who has taken no step for so long is not at work.
    private static let assistantIdleTime = Duration.minutes(30)

    /// How many assistants are at work: at the desks at which something is being fetched, or a step was taken lately; at least
    /// one, and at most as many as the shop has desks.
    func assistants(at now: Moment) -> Int {
        let atWork = steps.filter { now < $1 + Self.assistantIdleTime }.map(\.key)
        let fetching = orders.filter { $0.state == .fetching }.compactMap(\.desk)
        return min(max(1, policy.desks), max(1, Set(atWork + fetching).count))
    }
}

extension PickupOrderRecord {
    /// The order as the page of a desk shows it.
    public func shownAtDesk(at now: Moment, local: (Moment) -> LocalMoment) -> DeskOrder {
        DeskOrder(
            id: id, reference: reference, state: state,
            since: local(state == .called ? called ?? since : since),
            promised: local(promised), isReady: isReady(at: now),
            parcels: parcels.map(OrderAnnouncement.Part.init), number: turn?.number,
            arrived: turn.map { local($0.arrived) }, desk: desk, undoBy: undoBy.map(local),
            waitsForPlace: isUncalled ? true : nil)
    }
}
