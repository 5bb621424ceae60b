public import Reservations

/// The body of POST /v1/public/number: a customer gives a telephone number, for SMS about a place, or because a shop asks
/// for one (rules: confirmed-numbers). A code is sent to the number, unless this device has confirmed it before.
///
/// A caller has shown the customer before what the number is used for, and the customer has agreed.
public struct NumberRequest: Codable, Hashable, Sendable {
    /// The `Capability` of the place about which SMS are wanted; nil to confirm the number for a shop.
    public var capability: String?
    /// The ten digits of the ticket, if the caller is not the browser that took the place (rules: proofs).
    public var typedCode: String?
    /// The `ShopTag` of a shop that asks for a number; nil for a place.
    public var shop: String?
    /// As the customer typed it.
    public var number: String
    /// The language of the page, a BCP 47 primary subtag.
    public var language: String
    /// The code that was sent to the number; nil in the first request, which has one sent.
    public var code: String?

    /// The most characters (Unicode scalars) of a number as people type it.
    public static let maxNumberLength = 32
    /// The digits of a code.
    public static let codeLength = 6

    public init(
        capability: Capability? = nil, typedCode: TypedCode? = nil, shop: ShopTag? = nil,
        number: String, language: String, code: String? = nil
    ) {
        self.capability = capability?.rawValue
        self.typedCode = typedCode?.rawValue
        self.shop = shop?.rawValue
        self.number = number
        self.language = language
        self.code = code
    }
}

/// The answer to POST /v1/public/number.
public struct NumberReply: Codable, Hashable, Sendable {
    /// The number as it was understood, in the international form.
    public var number: String
    /// Whether the number is confirmed, and SMS about the place are on; otherwise a code is on its way to it.
    public var isConfirmed: Bool

    private enum CodingKeys: String, CodingKey {
        case number
        case isConfirmed = "confirmed"
    }

    public init(_ number: PhoneNumber, isConfirmed: Bool) {
        self.number = number.rawValue
        self.isConfirmed = isConfirmed
    }
}

/// The body of POST /v1/public/number-end: no more SMS about the place.
public struct NumberEndRequest: Codable, Hashable, Sendable {
    /// A `Capability`.
    public var capability: String
    /// The ten digits of the ticket, if the caller is not the browser that took the place (rules: proofs).
    public var typedCode: String?

    public init(capability: Capability, typedCode: TypedCode? = nil) {
        self.capability = capability.rawValue
        self.typedCode = typedCode?.rawValue
    }
}

/// Whether SMS come about a place, and to which numbers they can be sent (rules: sms, telephone-numbers).
public struct SMSOfPlace: Codable, Hashable, Sendable {
    /// The beginnings of the numbers that are served, as "+39".
    public var prefixes: [String]
    /// Whether SMS about the place are sent to a number.
    public var isOn: Bool

    private enum CodingKeys: String, CodingKey {
        case prefixes
        case isOn = "on"
    }

    public init(prefixes: [String], isOn: Bool) {
        self.prefixes = prefixes
        self.isOn = isOn
    }
}
