internal import Cryptography
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// What a phone opens an order with (rules: order-codes, order-pages).
enum OrderOpener {
    /// Any caller with the code has the order's mail or its paper.
    case code(PickupCode)
    /// It shows the order, and no more.
    case capability(OrderCapability)

    /// Nil for a text that opens nothing.
    init?(_ text: String) {
        if let code = PickupCode(rawValue: text) ?? PickupCode(bare: text) {
            self = .code(code)
        } else if let capability = OrderCapability(rawValue: text) {
            self = .capability(capability)
        } else {
            return nil
        }
    }

    var tag: ShopTag {
        switch self {
        case .code(let code): code.tag
        case .capability(let capability): capability.tag
        }
    }

    var order: FollowedPickup {
        switch self {
        case .code(let code): .code(code)
        case .capability(let capability): .id(capability.order)
        }
    }
}

/// An order that the caller may see.
struct OpenedOrder {
    let order: PhoneOrder
    let shop: Shop
    /// Whether it was opened with its code, and not only with what shows it.
    let isProved: Bool

    /// An order that was found by its name and its ten digits, which its customer has in the shop's mail.
    init(found order: PhoneOrder, of shop: Shop) {
        self.order = order
        self.shop = shop
        isProved = true
    }

    /// Nil if this opens another order, or none.
    init?(_ order: PhoneOrder, of shop: Shop, with opener: OrderOpener) {
        self.order = order
        self.shop = shop
        switch opener {
        case .code: isProved = true
        case .capability(let capability):
            guard let own = order.record.capability,
                Cryptography.equal(Array(own.rawValue.utf8), Array(capability.rawValue.utf8))
            else { return nil }
            isProved = false
        }
    }
}

extension PickupOrderRecord {
    /// What shows the order on a phone.
    var capability: OrderCapability? { Self.capability(of: code, id) }

    /// 128 bits that follow from the code of an order, and from which nothing follows about the code.
    static func capability(of code: PickupCode, _ id: OrderID) -> OrderCapability? {
        let digest = SHA256.digest(Array("clup-order-capability \(code.rawValue)".utf8))
        return OrderCapability(
            tag: code.tag, order: id, proof: Array(digest.prefix(OrderCapability.proofBytes)))
    }
}
