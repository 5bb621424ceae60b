/// A command to one of the shop's machines, given at the backend (rules: remote-commands).
public struct RemoteCommand: Hashable, Sendable {
    /// The names on the wire, in the database and on the command line.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// Takes the machine out of service, with a message to customers.
        case outOfService = "out-of-service"
        case inService = "in-service"
        /// Restarts the program, once no customer is being served.
        case restart
        /// Replaces the machine's key.
        case rotate
        /// Allows PINs to be tried again after ten wrong ones in a row.
        case unlock
        /// Prints a page marked TEST on the printer that prints first, once no customer is being served.
        case testPrint = "test-print"
    }

    /// The most characters of a message: it must fit on the smallest screen.
    public static let maxMessageCharacters = 160

    /// A later command has a higher one.
    public var id: Int64
    /// Nil for a command that this version does not know: an older machine ignores it.
    public var kind: Kind?
    public var message: String?
    /// The time by the backend's clock: a later action of the staff takes precedence.
    public var given: LocalMoment

    public init(id: Int64, kind: Kind, message: String? = nil, given: LocalMoment) {
        self.id = id
        self.kind = kind
        self.message = message
        self.given = given
    }
}

extension RemoteCommand: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        kind = Kind(rawValue: try container.decode(String.self, forKey: .kind))
        message = try container.decodeIfPresent(String.self, forKey: .message).map {
            ForeignText.clean($0, limit: Self.maxMessageCharacters)
        }
        given = try container.decode(LocalMoment.self, forKey: .given)
    }
}
