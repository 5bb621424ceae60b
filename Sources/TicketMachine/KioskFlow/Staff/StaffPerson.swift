internal import Reservations

/// A staff member who may use maintenance mode.
public struct StaffPerson: Hashable, Sendable, Codable {
    /// The name by which colleagues know the person; unique on a machine, regardless of case.
    public let name: String
    public let role: Role

    public enum Role: String, Hashable, Sendable, CaseIterable, Codable { case staff, manager }

    public init(name: String, role: Role) {
        self.name = name
        self.role = role
    }
}

/// The result of a PIN that was typed.
public enum PINAnswer: Hashable, Sendable, Codable {
    case person(StaffPerson)
    /// The PIN belongs to no staff member; `wait` until the next attempt, zero if it is free.
    case wrong(wait: Duration)
    /// The PIN was not checked: it came too soon after the last one.
    case early(wait: Duration)
    /// The PIN was not checked: too many attempts were wrong.
    case locked
    /// No staff member has a PIN on this machine.
    case noStaff
    /// The PIN is right, but a manager has locked the person's access.
    case personLocked
    /// The machine cannot count attempts, so none is allowed.
    case failed
}

/// A staff member as managers see them.
public struct StaffMember: Hashable, Sendable, Codable {
    public let person: StaffPerson
    /// Whether the person's PIN is rejected, because a manager locked it or because too many attempts were wrong.
    public let isLocked: Bool
    public let hasBadge: Bool

    public init(person: StaffPerson, isLocked: Bool, hasBadge: Bool) {
        self.person = person
        self.isLocked = isLocked
        self.hasBadge = hasBadge
    }
}

/// The content of a staff badge: a secret that identifies a staff member, who still needs the PIN.
public struct StaffBadge: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    public static let prefix = "CLUP-STAFF:"

    public let rawValue: String

    /// Returns nil for any text that does not have exactly this form.
    public init?(rawValue: String) {
        let alphabet = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        guard rawValue.hasPrefix(Self.prefix), rawValue.count == Self.prefix.count + Self.length,
            rawValue.dropFirst(Self.prefix.count).allSatisfy(alphabet.contains)
        else { return nil }
        self.rawValue = rawValue
    }

    /// Makes a badge from 16 random bytes.
    public init(random bytes: [UInt8]) {
        precondition(bytes.count == 16, "a badge has 128 random bits")
        rawValue = Self.prefix + Crockford.encode(bytes)
    }

    /// Reads the text that a reader hands over, possibly in small letters.
    init?(_ text: String) { self.init(rawValue: text.uppercased()) }

    /// Reads the text that a reader hands over through any keyboard layout.
    init?(read text: String) {
        guard text.utf8.count <= 2 * PresentedCode.maxCharacters else { return nil }
        let meant = Set(
            ([text] + KeyboardLayout.all.compactMap { $0.read(text) }).compactMap { Self($0) })
        guard meant.count == 1, let badge = meant.first else { return nil }
        self = badge
    }

    /// The number of characters of 128 bits in base32.
    private static let length = 26

    /// The prefix without the secret.
    public var description: String { "\(Self.prefix)…" }
}
