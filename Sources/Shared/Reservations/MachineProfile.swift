/// The facts that a machine needs about itself and its shop: the answer to GET /v1/machine.
public struct MachineProfile: Codable, Hashable, Sendable {
    public var machine: MachineID
    public var shop: ShopID
    public var shopName: String
    public var timeZone: String
    /// Languages of the shop's customers as BCP 47 primary subtags, the shop's own language first.
    public var languages: [String]
    public var now: LocalMoment
    /// Nil from a backend that does not know calls for help.
    public var help: ShopHelp?
    /// Whether customers collect orders at a desk of the shop; nil from a backend that does not know orders (rules: orders).
    public var hasDesk: Bool?
    /// Whether customers who wait can let people go ahead; nil from a backend that does not say it (rules: more-time).
    public var allowsDelays: Bool?

    private enum CodingKeys: String, CodingKey {
        case machine, shop, shopName, timeZone, languages, now, help
        case hasDesk = "desk"
        case allowsDelays = "delays"
    }

    public init(
        machine: MachineID, shop: ShopID, shopName: String, timeZone: String, languages: [String],
        now: LocalMoment, help: ShopHelp? = nil, hasDesk: Bool? = nil, allowsDelays: Bool? = nil
    ) {
        self.machine = machine
        self.shop = shop
        self.shopName = shopName
        self.timeZone = timeZone
        self.languages = languages
        self.now = now
        self.help = help
        self.hasDesk = hasDesk
        self.allowsDelays = allowsDelays
    }
}

extension MachineProfile: Plausible {
    private static let maxLanguages = 20

    public var isPlausible: Bool { !shopName.isEmpty && languages.count <= Self.maxLanguages }
}
