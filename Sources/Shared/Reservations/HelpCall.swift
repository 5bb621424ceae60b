internal import TextForms

public typealias HelpCallID = Identifier<HelpCall>

/// A customer's call for help at a machine (rules: help): the answer to each call of `/v1/help`.
public struct HelpCall: Codable, Hashable, Sendable {
    /// How a call ended; the texts are stored in the database.
    public enum End: String, Codable, Hashable, Sendable, CaseIterable {
        /// The customer did not mean it, or the staff member found no customer who needed help.
        case mistake
        /// A staff member has helped.
        case helped
        /// No staff member ended it in time.
        case expired
    }

    /// For so long a customer can say that the call was a mistake, and the machine shows nothing but the call.
    public static let mistakeTime = Duration.seconds(60)
    /// For so long the calls of a muted machine make no sound at the pages.
    public static let muteTime = Duration.minutes(10)
    /// How long an ended call is still reported, so that its machine and all pages notice its end.
    public static let endedTime = Duration.minutes(2)

    public var id: HelpCallID
    /// The machine at which the customer stands.
    public var machine: MachineID
    /// When the customer called.
    public var since: LocalMoment
    /// When a staff member said that they are going; nil before.
    public var going: LocalMoment?
    /// The staff member who goes; nil unless the shop shows names of its staff to customers.
    public var by: String?
    /// When the call ended; nil while it is open.
    public var ended: LocalMoment?
    /// How it ended; nil while it is open, and for a way that this version does not know.
    public var end: End?
    /// Until when the calls of this machine make no sound; nil if they do.
    public var mutedUntil: LocalMoment?

    public init(
        id: HelpCallID, machine: MachineID, since: LocalMoment, going: LocalMoment? = nil,
        by: String? = nil, ended: LocalMoment? = nil, end: End? = nil,
        mutedUntil: LocalMoment? = nil
    ) {
        self.id = id
        self.machine = machine
        self.since = since
        self.going = going
        self.by = by
        self.ended = ended
        self.end = end
        self.mutedUntil = mutedUntil
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(HelpCallID.self, forKey: .id)
        machine = try container.decode(MachineID.self, forKey: .machine)
        since = try container.decode(LocalMoment.self, forKey: .since)
        going = try container.decodeIfPresent(LocalMoment.self, forKey: .going)
        by = try container.decodeIfPresent(String.self, forKey: .by).map {
            ForeignText.clean($0, limit: HelpAction.maxNameCharacters)
        }
        ended = try container.decodeIfPresent(LocalMoment.self, forKey: .ended)
        end = try container.decodeIfPresent(String.self, forKey: .end).flatMap(End.init)
        mutedUntil = try container.decodeIfPresent(LocalMoment.self, forKey: .mutedUntil)
    }

    public var isOpen: Bool { ended == nil }
}

extension HelpCall: Plausible {
    public var isPlausible: Bool { PathIdentifier.isValid(id.rawValue) }
}

/// The open calls for help of a shop, and those that ended within `HelpCall.endedTime`, the oldest first: the answer
/// to GET /v1/help/calls.
public struct HelpCalls: Codable, Hashable, Sendable {
    public static let maxCalls = 100

    public var now: LocalMoment
    public var calls: [HelpCall]

    public init(now: LocalMoment, calls: [HelpCall]) {
        self.now = now
        self.calls = calls
    }
}

extension HelpCalls: Plausible {
    public var isPlausible: Bool {
        calls.count <= Self.maxCalls && calls.allSatisfy(\.isPlausible)
    }
}

/// The body of POST /v1/help/{id}/acknowledgement and /mute: the staff member who does it.
public struct HelpAction: Codable, Hashable, Sendable {
    /// The longest name, in characters as people count them.
    public static let maxNameCharacters = 60

    /// The staff member's name, for the audit and, if the shop wants that, for the customer; nil if it is not known.
    public var by: String?

    public init(by: String? = nil) { self.by = by }
}

/// The body of DELETE /v1/help/{id}.
public struct HelpEnding: Codable, Hashable, Sendable {
    /// `mistake` or `helped`.
    public var end: HelpCall.End
    /// The staff member; nil if it is not known, and for the customer at the machine, who may end its call within a
    /// minute as a mistake.
    public var by: String?

    public init(_ end: HelpCall.End, by: String? = nil) {
        self.end = end
        self.by = by
    }
}

/// What a shop has decided about calls for help, part of a `MachineProfile`.
public struct ShopHelp: Codable, Hashable, Sendable {
    public static let maxPhoneCharacters = 30

    /// The telephone number that customers may call if the backend does not answer or the shop is closed, as customers
    /// read it; nil if there is none.
    public var phone: String?
    /// Whether customers are shown the name of the staff member who comes.
    public var showsNames: Bool

    public init(phone: String? = nil, showsNames: Bool = false) {
        self.phone = phone
        self.showsNames = showsNames
    }

    /// Whether customers can read and dial a number: 3 to `maxPhoneCharacters` digits, blanks and marks between them.
    public static func isGoodPhone(_ text: String) -> Bool {
        (3...maxPhoneCharacters).contains(text.utf8.count) && text.trimmed == text
            && text.utf8.allSatisfy { $0.isASCIIDigit || "+()-/. ".utf8.contains($0) }
            && text.utf8.contains(where: \.isASCIIDigit)
    }
}
