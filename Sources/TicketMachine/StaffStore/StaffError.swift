public import CommandSyntax
public import KioskFlow
internal import Reservations
internal import SQLite

/// Why the list of staff members cannot be read or changed, with the remedy.
public enum StaffError: CommandFailure {
    case pin(PINRules.Refusal)
    /// Another person on this machine has this PIN.
    case pinTaken
    case name
    case taken(String)
    case unknown(String)
    case tooMany
    case lastManager
    /// - Parameter isTemporary: whether another process has the file now, or the disk is full.
    case unusable(path: String, reason: String, isTemporary: Bool = false)

    static func unusable(path: String = "", _ error: any Error) -> StaffError {
        let kind = (error as? SQLiteError)?.kind
        return .unusable(
            path: path, reason: String(describing: error),
            isTemporary: kind == .busy || kind == .full)
    }

    public var status: ExitStatus {
        switch self {
        case .unusable(_, _, let isTemporary): isTemporary ? .temporary : .configuration
        case .pin, .pinTaken, .name, .taken, .unknown, .tooMany, .lastManager: .failure
        }
    }

    public var description: String {
        switch self {
        case .pin(let refusal): refusal.description
        case .pinTaken: "Somebody else on this machine has this PIN already: choose another."
        case .name:
            "A name has 1 to \(StaffStore.maxNameCharacters) characters; it \(GivenName.rule)."
        case .taken(let name): "There is already somebody called \(name) on this machine."
        case .unknown(let name): "There is nobody called \(name) on this machine."
        case .tooMany: "A machine has at most \(StaffStore.maxPeople) people: remove one first."
        case .lastManager: "One manager must be left who is not locked."
        case .unusable(let path, let reason, _):
            "The list of people \(path.isEmpty ? "" : path + " ")cannot be used: \(reason)."
        }
    }
}
