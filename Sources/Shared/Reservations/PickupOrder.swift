internal import TextForms

public typealias OrderID = Identifier<PickupOrder>

/// An order that a customer has made elsewhere and collects at the shop's desk, as machines and desks know it: the
/// answer to POST /v1/orders/lookup and POST /v1/orders/{id}/arrival (rules: orders).
public struct PickupOrder: Codable, Hashable, Sendable {
    public let id: OrderID
    /// The name that the shop's own system gave the order, which the customer knows from its mail.
    public let reference: String
    public let shopName: String
    public let state: OrderState
    /// When the order came into this state.
    public let since: LocalMoment
    /// The shop's clock at the answer.
    public let now: LocalMoment
    /// How many parcels it has; one of `Parcel.counts`.
    public let parcels: Int
    /// From when on it was promised to be ready.
    public let promised: LocalMoment
    /// Whether its customer may say to be here: it is on the shelf, or was promised to be by now.
    public let isReady: Bool
    /// The number by which it is called; nil until its customer is here.
    public var number: PickupNumber?
    /// When it should be at the desk: if the customer says now to be here, or after that. Nil in all other states.
    public var wait: WaitEstimate?
    /// The desk to which it was called; nil in all other states.
    public var desk: Int?
    /// What the paper carries; nil but in the answer to the arrival that drew the number, and on a phone.
    public var ticket: PickupTicket?
    /// Whether it is on the shelf again after it was called to a desk, where its customer did not come; only on a phone, and
    /// nil if it was not.
    public var wasAtDesk: Bool?

    private enum CodingKeys: String, CodingKey {
        case id, reference, shopName, state, since, now, parcels, promised, number, wait, desk
        case ticket, wasAtDesk
        case isReady = "ready"
    }

    public init(
        id: OrderID, reference: String, shopName: String, state: OrderState, since: LocalMoment,
        now: LocalMoment, parcels: Int, promised: LocalMoment, isReady: Bool,
        number: PickupNumber? = nil, wait: WaitEstimate? = nil, desk: Int? = nil,
        ticket: PickupTicket? = nil
    ) {
        self.id = id
        self.reference = reference
        self.shopName = shopName
        self.state = state
        self.since = since
        self.now = now
        self.parcels = parcels
        self.promised = promised
        self.isReady = isReady
        self.number = number
        self.wait = wait
        self.desk = desk
        self.ticket = ticket
    }

    /// The numbers of desks that a shop can have.
    public static let desks = 1...20
    /// The most orders of a shop that are not handed over, cancelled or expired.
    public static let maxOpen = 100_000
}

extension PickupOrder: Plausible {
    public var isPlausible: Bool {
        PathIdentifier.isValid(id.rawValue) && OrderReference.isValid(reference)
            && !shopName.isEmpty && Parcel.counts.contains(parcels) && wait?.isPlausible ?? true
            && desk.map(Self.desks.contains) ?? true && (state != .called || desk != nil)
            && (!state.isHere || number != nil)
    }
}

/// What the paper of a customer who collects an order carries besides the number.
public struct PickupTicket: Codable, Hashable, Sendable {
    /// The order's code, as the symbol that proves at the desk whose order it is.
    public let code: PickupCode
    /// The ten digits for a desk that cannot read the symbol.
    public let typedCode: TypedCode
    /// The address of the order's page on a phone, for a second symbol; nil if there is none.
    public var link: String?
    /// The link in the one symbol of the paper, with the code (`PickupCode.link(at:)`); nil if the symbol is that of the code
    /// alone (rules: code-links).
    public var symbol: String?

    public init(code: PickupCode, typedCode: TypedCode, link: String? = nil) {
        self.code = code
        self.typedCode = typedCode
        self.link = link
    }
}

/// The state of an order that is collected; exactly one at a time (rules: orders).
public enum OrderState: String, Codable, Hashable, Sendable, CaseIterable {
    /// Announced by the shop's system, and not known to be on the shelf yet.
    case promised
    /// Ready to be fetched, or put back after its customer did not come to the desk.
    case onShelf = "on-shelf"
    /// Its customer is here.
    case arrived
    /// An assistant is fetching it.
    case fetching
    /// It is at the desk, and its number is called.
    case called
    /// Its customer has it.
    case handedOver = "handed-over"
    /// The assistant did not find it; its customer is here.
    case notFound = "not-found"
    /// The shop's system has called it off.
    case cancelled
    /// No customer came for it in the days that the shop keeps orders.
    case expired

    /// The states that can follow.
    public var next: Set<OrderState> {
        switch self {
        case .promised: [.onShelf, .arrived, .cancelled, .expired]
        case .onShelf: [.arrived, .cancelled, .expired]
        case .arrived: [.fetching, .onShelf, .cancelled]
        case .fetching: [.called, .notFound, .arrived, .onShelf, .cancelled]
        case .called: [.handedOver, .fetching, .onShelf, .cancelled]
        case .notFound: [.fetching, .onShelf, .cancelled]
        // Only what an assistant undoes at once.
        case .handedOver: [.called]
        case .cancelled, .expired: []
        }
    }

    /// Whether its customer is in the shop or before it and waits for it.
    public var isHere: Bool {
        switch self {
        case .arrived, .fetching, .called, .notFound: true
        case .promised, .onShelf, .handedOver, .cancelled, .expired: false
        }
    }

    /// Whether it can still be collected.
    public var isOpen: Bool { isHere || self == .promised || self == .onShelf }

    /// The three names that the tests of Click-And-Collect give the course of a collection [Click-And-Collect TC5].
    public enum Course: String, Hashable, Sendable, CaseIterable {
        case opted = "Opted for Click and collect"
        case ready = "Ready to Pickup"
        case complete = "Order complete"
    }

    /// Nil before the customer is here, and if the order is not collected.
    public var course: Course? {
        switch self {
        case .arrived, .fetching, .notFound: .opted
        case .called: .ready
        case .handedOver: .complete
        case .promised, .onShelf, .cancelled, .expired: nil
        }
    }
}

/// One parcel of an order; what is in it is known to the shop's own system only.
public struct Parcel: Hashable, Sendable {
    /// How much an assistant has to carry.
    public enum Size: String, Codable, Hashable, Sendable, CaseIterable {
        case small, medium, large, bulky
    }

    public let size: Size
    /// Where it is, as staff members read it: 1 to `maxShelfCharacters` letters, digits, "-" and "."; empty if it is
    /// not known.
    public let shelf: String

    /// How many parcels an order can have.
    public static let counts = 1...20
    public static let maxShelfCharacters = 12

    /// Refuses a shelf that could not be read on a desk's page.
    public init?(size: Size, shelf: String = "") {
        let isGood = shelf.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType == .decimal || $0 == "-"
                || $0 == "."
        }
        guard isGood, shelf.unicodeScalars.count <= Self.maxShelfCharacters else { return nil }
        self.size = size
        self.shelf = shelf
    }

    /// Reads the text that `text` writes: "medium@A3", or "medium" if the shelf is not known.
    public init?(text: String) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let size = Size(rawValue: String(parts[0])) else { return nil }
        guard parts.count == 2 else {
            self.init(size: size)
            return
        }
        guard !parts[1].isEmpty else { return nil }
        self.init(size: size, shelf: String(parts[1]))
    }

    public var text: String { shelf.isEmpty ? size.rawValue : "\(size.rawValue)@\(shelf)" }
}

/// The body of PUT /v1/orders/{reference}: what a shop's own system says of an order.
public struct OrderAnnouncement: Codable, Hashable, Sendable {
    /// One parcel as it goes over the wire.
    public struct Part: Codable, Hashable, Sendable {
        /// A `Parcel.Size`; as text, so that a wrong one is refused with a sentence.
        public var size: String
        /// Nil if it is not known where the parcel is.
        public var shelf: String?

        public init(_ parcel: Parcel) {
            size = parcel.size.rawValue
            shelf = parcel.shelf.isEmpty ? nil : parcel.shelf
        }

        /// Nil if it has no size or shelf that a parcel can have.
        fileprivate var parcel: Parcel? {
            Parcel.Size(rawValue: size).flatMap { Parcel(size: $0, shelf: shelf ?? "") }
        }
    }

    /// From when on it is promised to be ready.
    public var promised: LocalMoment
    public var parcels: [Part]

    public init(promised: LocalMoment, parcels: [Parcel]) {
        self.promised = promised
        self.parcels = parcels.map(Part.init)
    }

    /// The parcels; nil if there are not as many as an order can have, or one is none.
    public var knownParcels: [Parcel]? {
        let known = parcels.prefix(Parcel.counts.upperBound).compactMap(\.parcel)
        return known.count == parcels.count && Parcel.counts.contains(known.count) ? known : nil
    }

    /// What of the parcels is not as it must be, by its name in the body: `"parcels[0].size" is "huge"`.
    public var wrongParcel: String? {
        guard Parcel.counts.contains(parcels.count) else {
            return "\"parcels\" has \(parcels.count) entries"
        }
        guard let index = parcels.firstIndex(where: { $0.parcel == nil }) else { return nil }
        let part = parcels[index]
        let isSize = Parcel.Size(rawValue: part.size) != nil
        let (name, value) = isSize ? ("shelf", part.shelf ?? "") : ("size", part.size)
        return "\"parcels[\(index)].\(name)\" is \"\(WrongForm.excerpt(of: value))\""
    }
}

/// What a shop's own system is answered about an order: the answer to PUT and DELETE /v1/orders/{reference}.
public struct OrderReceipt: Codable, Hashable, Sendable {
    public let reference: String
    public let state: OrderState
    /// When the order came into this state.
    public let since: LocalMoment
    /// The order's code: the text of the QR code in the shop's mail or on its slip, unless there is a `symbol`.
    public let code: PickupCode
    /// The ten digits below it.
    public let typedCode: TypedCode
    /// The address that opens the order's page on its customer's phone with the code, for the shop's mail; nil if there
    /// is none.
    public var link: String?
    /// The text of the QR code, which machines, desks and phones read: that address in capitals. Nil if the QR code is that of
    /// the `code` (rules: code-links).
    public var symbol: String?

    public init(
        reference: String, state: OrderState, since: LocalMoment, code: PickupCode,
        typedCode: TypedCode
    ) {
        self.reference = reference
        self.state = state
        self.since = since
        self.code = code
        self.typedCode = typedCode
    }
}

/// The form of the names that shops' own systems give their orders.
public enum OrderReference {
    public static let maxCharacters = 40

    /// The form in words.
    public static let rule =
        "a reference is 1 to \(maxCharacters) characters a-z, A-Z, 0-9, -, _ and ., never the customer's name"

    /// The text without the number sign that some web shops write before a reference.
    public static func withoutNumberSign(_ text: String) -> String {
        text.hasPrefix("#") ? String(text.dropFirst()) : text
    }

    /// 1 to 40 of A-Z a-z 0-9 - _ and ., which need no percent-encoding in a path (RFC 3986 2.3); not only dots, which
    /// would be a step in it.
    public static func isValid(_ text: String) -> Bool {
        (1...maxCharacters).contains(text.utf8.count)
            && text.hasOnlyBytes { byte in
                byte.isASCIILetter || byte.isASCIIDigit || "-_.".utf8.contains(byte)
            } && text.utf8.contains { $0 != UInt8(ascii: ".") }
    }
}

/// The number by which an order is called to a desk: unique per shop and day, public, and no proof of anything. It has
/// a letter, so that it cannot be taken for a `QueueNumber`.
public struct PickupNumber: Hashable, Comparable, Codable, Sendable, RawRepresentable {
    /// At least 1.
    public let rawValue: Int

    public init?(rawValue: Int) {
        guard (1...999_999).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// The number as screen, ticket and display show it: "C-017".
    public var text: String { "C-" + rawValue.padded(3) }

    public static func < (left: PickupNumber, right: PickupNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}
