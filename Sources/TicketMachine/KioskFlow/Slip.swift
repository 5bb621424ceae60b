public import Reservations
internal import TextForms

/// What a customer was given at this machine, on paper or on the screen: a place, or the number of an order that is
/// collected.
public enum Slip: Hashable, Sendable, Codable {
    case reservation(Reservation)
    case order(ArrivedOrder)

    public var number: SlipNumber {
        switch self {
        case .reservation(let reservation): .queue(reservation.number)
        case .order(let arrived): .pickup(arrived.number)
        }
    }

    public var code: SlipCode {
        switch self {
        case .reservation(let reservation): .reservation(reservation.code)
        case .order(let arrived): .order(arrived.ticket.code)
        }
    }

    public var typedCode: TypedCode {
        switch self {
        case .reservation(let reservation): reservation.typedCode
        case .order(let arrived): arrived.ticket.typedCode
        }
    }

    /// When the backend made it, also if it is answered again later with the same key.
    public var issued: LocalMoment {
        switch self {
        case .reservation(let reservation): reservation.issued
        case .order(let arrived): arrived.order.now
        }
    }

    /// The text of its symbol: a secret.
    public var symbol: String { linkWithCode ?? code.text }

    /// Whether a phone opens the page of the place with its symbol (rules: code-links).
    public var isForPhones: Bool { linkWithCode != nil }

    private var linkWithCode: String? {
        switch self {
        case .reservation(let reservation): reservation.symbol
        case .order(let arrived): arrived.ticket.symbol
        }
    }

    /// The text of the symbol for phones beside it; nil for a slip with one symbol.
    public var link: String? {
        guard !isForPhones else { return nil }
        switch self {
        case .reservation(let reservation): return reservation.link
        case .order(let arrived): return arrived.ticket.link
        }
    }
}

/// An order whose customer is here, with all that its ticket shows.
public struct ArrivedOrder: Hashable, Sendable, Codable {
    public let order: PickupOrder
    public let number: PickupNumber
    public let ticket: PickupTicket

    /// - Parameter ticket: the codes of the ticket; nil for those of the backend's answer.
    /// - Returns: nil if the order has no number, or the answer has no ticket.
    public init?(_ order: PickupOrder, ticket: PickupTicket? = nil) {
        guard let number = order.number, let ticket = ticket ?? order.ticket else { return nil }
        self.order = order
        self.number = number
        self.ticket = ticket
    }
}

/// The number of a slip: of a place in the queue, or of an order that is collected.
public enum SlipNumber: Hashable, Sendable, Codable {
    case queue(QueueNumber)
    case pickup(PickupNumber)

    /// The number as people read it: "042" or "C-017".
    public var text: String {
        switch self {
        case .queue(let number): number.text
        case .pickup(let number): number.text
        }
    }

    /// Reads what `text` wrote.
    init?(text: String) {
        if text.hasPrefix(Self.pickupPrefix) {
            guard let value = Int(digits: text.dropFirst(Self.pickupPrefix.count)),
                let number = PickupNumber(rawValue: value)
            else { return nil }
            self = .pickup(number)
        } else {
            guard let number = Int(digits: text).flatMap(QueueNumber.init(rawValue:)) else {
                return nil
            }
            self = .queue(number)
        }
    }

    private static let pickupPrefix = "C-"
}

/// The code in the symbol of a slip.
public enum SlipCode: Hashable, Sendable, Codable {
    case reservation(EntryCode)
    case order(PickupCode)

    /// The characters of the symbol: a secret.
    public var text: String {
        switch self {
        case .reservation(let code): code.rawValue
        case .order(let code): code.rawValue
        }
    }
}
