internal import Reservations

/// Somebody of the shop who may look after the machine.
public struct StaffPerson: Hashable, Sendable, Codable {
    /// As colleagues call them; unique on a machine, whatever the case of its letters.
    public let name: String
    public let role: Role

    public enum Role: String, Hashable, Sendable, CaseIterable, Codable {
        case staff, manager
    }

    public init(name: String, role: Role) {
        self.name = name
        self.role = role
    }
}

/// What became of a PIN that was typed.
public enum PINAnswer: Hashable, Sendable, Codable {
    case person(StaffPerson)
    /// Nobody's PIN; `wait` until the next try, zero for a free one.
    case wrong(wait: Duration)
    /// Not even looked at: too early after the last one.
    case early(wait: Duration)
    /// Not even looked at: too many were wrong.
    case locked
    /// Nobody has a PIN on this machine.
    case nobody
    /// A right PIN of somebody whom a manager has locked.
    case personLocked
    /// The machine cannot count tries, so that none is allowed.
    case failed
}

/// A person as those see it who may change the people.
public struct StaffMember: Hashable, Sendable, Codable {
    public let person: StaffPerson
    /// No PIN of this person's opens anything, whether a manager wants it so or too many were wrong.
    public let isLocked: Bool
    public let hasBadge: Bool

    public init(person: StaffPerson, isLocked: Bool, hasBadge: Bool) {
        self.person = person
        self.isLocked = isLocked
        self.hasBadge = hasBadge
    }
}

/// What the symbol of a staff badge says: a secret that stands for a person, who still needs the PIN.
public struct StaffBadge: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    public static let prefix = "CLUP-STAFF:"

    public let rawValue: String

    /// Refuses whatever is not exactly of this form.
    public init?(rawValue: String) {
        let alphabet = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        guard rawValue.hasPrefix(Self.prefix),
            rawValue.count == Self.prefix.count + Self.length,
            rawValue.dropFirst(Self.prefix.count).allSatisfy(alphabet.contains)
        else { return nil }
        self.rawValue = rawValue
    }

    /// Makes one of 16 random bytes.
    public init(random bytes: [UInt8]) {
        precondition(bytes.count == 16, "a badge has 128 random bits")
        rawValue = Self.prefix + Crockford.encode(bytes)
    }

    /// As a reader hands it over, maybe in small letters.
    init?(_ text: String) { self.init(rawValue: text.uppercased()) }

    /// As a reader hands it over through whatever keyboard.
    init?(read text: String) {
        guard text.utf8.count <= 2 * PresentedCode.longest else { return nil }
        let meant = Set(
            ([text] + KeyboardLayout.all.compactMap { $0.read(text) }).compactMap { Self($0) })
        guard meant.count == 1, let badge = meant.first else { return nil }
        self = badge
    }

    /// Characters of 128 bits in base32.
    private static let length = 26

    /// Without the secret.
    public var description: String { "\(Self.prefix)…" }
}
