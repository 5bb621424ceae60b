public import Reservations

/// What a staff member does about a customer's call for help (rules: help-staff).
public struct StaffHelp: Hashable, Sendable, Codable {
    public enum Action: String, Hashable, Sendable, CaseIterable, Codable {
        /// *I am going*.
        case going
        case helped
        /// No customer needed help.
        case mistake
        /// No sound for ten minutes from the calls of that machine.
        case mute
    }

    public let action: Action
    public let call: HelpCallID

    public init(_ action: Action, _ call: HelpCallID) {
        self.action = action
        self.call = call
    }
}
