/// Somebody of the shop who may look after the machine.
public struct StaffPerson: Hashable, Sendable {
    /// As colleagues call them; unique on a machine, whatever the case of its letters.
    public let name: String
    public let role: Role

    public enum Role: String, Hashable, Sendable, CaseIterable {
        case staff, manager
    }

    public init(name: String, role: Role) {
        self.name = name
        self.role = role
    }
}

/// What became of a PIN that was typed.
public enum PINAnswer: Hashable, Sendable {
    case person(StaffPerson)
    /// Nobody's PIN; `wait` until the next try, zero for a free one.
    case wrong(wait: Duration)
    /// Not even looked at: too early after the last one.
    case early(wait: Duration)
    /// Not even looked at: too many were wrong.
    case locked
    /// Nobody has a PIN on this machine.
    case nobody
    /// The machine cannot count tries, so that none is allowed.
    case failed
}
