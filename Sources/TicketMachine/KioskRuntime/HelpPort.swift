public import KioskFlow
public import Reservations

/// The backend's calls for help, on a connection of their own, so that nothing else delays them (rules: help-answers). Every
/// call ends within 4.5 s; each attempt of one takes at most a second, so that the next server is asked soon.
public protocol HelpPort: Sendable {
    /// Calls the staff to this machine; its open call, if it has one, is answered again.
    func callHelp(_ key: AttemptKey) async -> BackendAnswer<HelpCall>
    /// The shop's open calls, and those that ended lately.
    func helpCalls() async -> BackendAnswer<HelpCalls>
    /// Says that a staff member is going.
    func goToHelp(
        _ call: HelpCallID, by person: String, _ key: AttemptKey
    ) async -> BackendAnswer<HelpCall>
    /// Silences the calls of the call's machine for ten minutes.
    func muteHelp(
        _ call: HelpCallID, by person: String, _ key: AttemptKey
    ) async -> BackendAnswer<HelpCall>
    /// Ends a call; without a person the customer ends it as a mistake.
    func endHelp(
        _ call: HelpCallID, _ end: HelpCall.End, by person: String?, _ key: AttemptKey
    ) async -> BackendAnswer<HelpCall>
}
