/// What the shop wants of one of its machines, given at the backend (rules 25).
public struct RemoteCommand: Hashable, Sendable {
    /// The names stand on the wire, in the database and on the command line.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// With a message to customers.
        case outOfService = "out-of-service"
        case inService = "in-service"
        /// The program, once no customer is being served.
        case restart
        /// The machine's key.
        case rotate
        /// PINs may be tried again after ten wrong ones in a row.
        case unlock
        /// A page marked TEST comes out of the printer that prints first, once no customer is being served.
        case testPrint = "test-print"
    }

    /// Characters of a message: it must have room on the smallest screen.
    public static let maxMessageCharacters = 160

    /// A later command has a higher one.
    public var id: Int64
    /// Nil for one that this version does not know: an older machine leaves it alone.
    public var kind: Kind?
    public var message: String?
    /// By the backend's clock: what the staff did later counts more.
    public var given: LocalMoment

    public init(id: Int64, kind: Kind, message: String? = nil, given: LocalMoment) {
        self.id = id
        self.kind = kind
        self.message = message
        self.given = given
    }
}

extension RemoteCommand: Codable {
    private enum CodingKeys: String, CodingKey { case id, kind, message, given }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        kind = Kind(rawValue: try container.decode(String.self, forKey: .kind))
        message = try container.decodeIfPresent(String.self, forKey: .message).map {
            ForeignText.clean($0, limit: Self.maxMessageCharacters)
        }
        given = try container.decode(LocalMoment.self, forKey: .given)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind?.rawValue, forKey: .kind)
        try container.encodeIfPresent(message, forKey: .message)
        try container.encode(given, forKey: .given)
    }
}
