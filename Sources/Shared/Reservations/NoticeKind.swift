/// What a notice on a customer's phone reports of a place (rules: notices). The database contains the raw values.
public enum NoticeKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The number is called; `time` is the last moment to enter.
    case called
    /// The customer of a place that was taken elsewhere, or of a visit, is asked whether they are coming
    /// (rules: coming-question); `time` is until when an answer is of use.
    case question
    /// The number will be called in about two minutes [R13.1]; no time.
    case soon
    /// The call comes more than a quarter of an hour later than the page showed; `time` is the new earliest time.
    case later
    /// The shop closes before the customer's turn: the place has ended; no time.
    case closed
    /// The place was given back, by its customer on any device or by the staff; no time.
    case givenBack = "given-back"
    /// The shop has changed its hours and could not keep the visit (rules: capacity); no time.
    case cancelled
    /// The call was missed; `time` is until when the place can be taken back, if it can be.
    case missed
    /// The place is in the queue again: its customer took it back or undid that it was given back, the staff restored it, or
    /// the shop opened again; no time.
    case restored
}

/// What a notice on a customer's phone reports of an order (rules: order-pages)
/// [Click-And-Collect UC9, Click-And-Collect UC12].
public enum OrderNoticeKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The order is on the shelf: its customer may come.
    case ready
    /// The shop knows that its customer is here.
    case arrived
    /// An assistant fetches it.
    case fetching
    /// It is at a desk, where its number is called.
    case called
    /// Its customer has it.
    case handedOver = "handed-over"
    /// The assistant did not find it.
    case notFound = "not-found"
    /// It was put back on the shelf, since its customer was not at the desk.
    case putBack = "put-back"
    /// The shop has called it off.
    case cancelled
    /// No customer came for it in the days that the shop keeps orders.
    case expired

    /// What is reported when an order passes from one state to another, as its customer is shown them; nil if an assistant has
    /// only let it go again.
    public init?(from former: OrderState, to next: OrderState) {
        switch next {
        case .onShelf: self = former.isHere ? .putBack : .ready
        case .arrived:
            guard !former.isHere else { return nil }
            self = .arrived
        case .fetching: self = .fetching
        case .called: self = .called
        case .handedOver: self = .handedOver
        case .notFound: self = .notFound
        case .cancelled: self = .cancelled
        case .expired: self = .expired
        case .promised: return nil
        }
    }

    /// The state of an order of which this is true.
    public var state: OrderState {
        switch self {
        case .ready, .putBack: .onShelf
        case .arrived: .arrived
        case .fetching: .fetching
        case .called: .called
        case .handedOver: .handedOver
        case .notFound: .notFound
        case .cancelled: .cancelled
        case .expired: .expired
        }
    }
}

/// What a notice reports, of a place or of an order. The database contains the raw values.
public enum NoticeReason: Hashable, Sendable, RawRepresentable {
    case place(NoticeKind)
    case order(OrderNoticeKind)
    /// The place as it is booked, with its ten digits, for a telephone number alone (rules: sms).
    case booking

    /// No `NoticeKind` begins so.
    private static let prefixOfOrders = "order-"
    /// No `NoticeKind` has this name.
    private static let nameOfBooking = "booking"

    public init?(rawValue: String) {
        if rawValue.hasPrefix(Self.prefixOfOrders) {
            let name = String(rawValue.dropFirst(Self.prefixOfOrders.count))
            guard let kind = OrderNoticeKind(rawValue: name) else { return nil }
            self = .order(kind)
        } else if rawValue == Self.nameOfBooking {
            self = .booking
        } else {
            guard let kind = NoticeKind(rawValue: rawValue) else { return nil }
            self = .place(kind)
        }
    }

    public var rawValue: String {
        switch self {
        case .place(let kind): kind.rawValue
        case .order(let kind): Self.prefixOfOrders + kind.rawValue
        case .booking: Self.nameOfBooking
        }
    }
}
