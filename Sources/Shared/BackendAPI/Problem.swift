public import Reservations

/// A refusal as a problem document (RFC 9457); `type` is `urn:clup:problem:` and the refusal's name.
public struct Problem: Codable, Hashable, Sendable, Error {
    public static let contentType = "application/problem+json"
    private static let typePrefix = "urn:clup:problem:"

    public var type: String
    public var title: String
    public var status: Int
    public var detail: String?
    /// With `shop-closed`: the next opening, if one is known.
    public var opens: LocalMoment?
    /// With `not-yet-called`: when the turn should come, if that is known.
    public var wait: WaitEstimate?
    /// With `already-waiting`: where, and with which number.
    public var place: PlaceOfHolder?
    /// With `already-waiting`: the link to the page of that place, for the device that took it (rules: joining).
    public var link: String?
    /// With `work-needed`: the work (rules: join-limits).
    public var work: DemandedWork?
    /// With `number-needed` and `number-not-served`: the beginnings of the numbers that are served, as "+39"
    /// (rules: telephone-numbers).
    public var prefixes: [String]?
    /// With `blocked`: when that ends.
    public var until: LocalMoment?
    /// With `blocked`: what the customer shows to the staff, who can lift the block (rules: blocks).
    public var reference: BlockReference?

    public init(_ refusal: Refusal, detail: String? = nil) {
        self.init(Refused(refusal), detail: detail)
    }

    public init(_ refused: Refused, detail: String? = nil) {
        type = Self.typePrefix + refused.refusal.rawValue
        title = refused.refusal.title
        status = refused.refusal.status
        self.detail = detail
        opens = refused.opens
        wait = refused.wait
        place = refused.place
        until = refused.until
    }

    /// The refusal by its name; nil if this version of the contract does not know it.
    public var refusal: Refusal? {
        guard type.hasPrefix(Self.typePrefix) else { return nil }
        return Refusal(rawValue: String(type.dropFirst(Self.typePrefix.count)))
    }

    /// The refusal with its facts; nil if this version of the contract does not know it.
    public var refused: Refused? {
        refusal.map { Refused($0, opens: opens, wait: wait, place: place, until: until) }
    }
}
