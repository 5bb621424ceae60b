import KioskFlow
import Reservations
import Testing

extension FlowMachine {
    /// A machine at Home of a shop with a desk, at which customers collect orders.
    static func atHomeWithDesk(canSpeak: Bool = false, isStaffKnown: Bool = false) -> FlowMachine {
        atHome(canSpeak: canSpeak, isStaffKnown: isStaffKnown)
            .doing(.backend(.profile(Facts.shopWithDesk)))
    }

    /// A machine that asks for the code of an order.
    static func askingForOrder() -> FlowMachine { atHomeWithDesk().touched(.collectOrder) }

    /// A machine that shows an order.
    static func showing(_ order: PickupOrder) -> FlowMachine {
        askingForOrder().reading(Facts.pickupTicket.code.rawValue)
            .after { $0.answersOrder(.success(order)) }.waiting(.seconds(1))
    }

    /// A machine whose customer has touched *I am here*.
    static func arriving() -> FlowMachine { showing(Facts.order(.onShelf)).touching(.arrive) }

    /// A machine that has issued the number of an order and prints its paper.
    static func issuedOrder() -> FlowMachine {
        arriving().after { $0.isAnswered() }.waiting(.seconds(1))
    }

    mutating func answersOrder(_ answer: Result<PickupOrder, BackendFailure>) {
        guard case .lookingUp(let looking) = flow.state else { return }
        does(.backend(.orderFound(looking.attempt, answer)))
    }

    mutating func answersArrival(_ answer: Result<PickupOrder, BackendFailure>) {
        guard let key else { return }
        does(.backend(.arrived(key, answer)))
    }
}

extension Facts {
    static let shopWithDesk: MachineProfile = {
        var shop = Facts.shop
        shop.hasDesk = true
        return shop
    }()

    static let orderID = OrderID("order-1")
    static let pickupTicket = PickupTicket(
        code: PickupCode(tag: ShopTag(rawValue: "CITT")!, random: Array(16..<32)),
        typedCode: TypedCode(rawValue: "7419384512")!)
    static let pickupNumber = PickupNumber(rawValue: 17)!
    static let arrival = Requested.arrival(orderID, .entry(pickupTicket.code))

    static func order(_ state: OrderState, isReady: Bool? = nil, at now: Duration = .zero)
        -> PickupOrder
    {
        let clock = clock(at: now)
        return PickupOrder(
            id: orderID, reference: "4711", shopName: "Città Studi", state: state, since: clock,
            now: clock, parcels: 3,
            promised: self.clock(at: isReady == false ? .minutes(180) : .zero),
            isReady: isReady ?? (state == .onShelf), number: state.isHere ? pickupNumber : nil,
            wait: state.isOpen && state != .called ? wait(at: now, minutes: 8) : nil,
            desk: state == .called ? 2 : nil)
    }

    /// The order in the answer that drew its number.
    static func arrived(at now: Duration) -> PickupOrder {
        var order = order(.arrived, at: now)
        order.ticket = pickupTicket
        return order
    }

    static func slip(at now: Duration) -> Slip { .order(ArrivedOrder(arrived(at: now))!) }
}
