public import KioskFlow
internal import Reservations

/// Why the list of staff members cannot be read or changed, with the remedy.
public enum StaffError: Error, CustomStringConvertible {
    case pin(PINRules.Refusal)
    /// Another person on this machine has this PIN.
    case pinTaken
    case name
    case taken(String)
    case unknown(String)
    case tooMany
    case lastManager
    case unusable(path: String, reason: String)

    public var description: String {
        switch self {
        case .pin(let refusal): refusal.description
        case .pinTaken: "Somebody else on this machine has this PIN already: choose another."
        case .name: "A name has 1 to \(StaffStore.longestName) characters; it \(GivenName.rule)."
        case .taken(let name): "There is already somebody called \(name) on this machine."
        case .unknown(let name): "There is nobody called \(name) on this machine."
        case .tooMany: "A machine has at most \(StaffStore.mostPeople) people: remove one first."
        case .lastManager: "One manager must be left who is not locked."
        case .unusable(let path, let reason):
            "The list of people \(path.isEmpty ? "" : path + " ")cannot be used: \(reason)."
        }
    }
}
