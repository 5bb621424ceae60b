internal import Reservations

/// Restarts of the program that wait until no customer is being served.
struct AwaitedRestart: Hashable, Sendable, Codable {
    /// The remote command by which the shop restarts the program.
    private var command: RemoteCommand?
    /// Whether a new version of the program, or of its configuration, is ready.
    private var isNewVersionAwaited = false

    var isAwaited: Bool { command != nil || isNewVersionAwaited }

    mutating func await(_ command: RemoteCommand) { self.command = command }
    mutating func awaitNewVersion() { isNewVersionAwaited = true }

    /// Starts the awaited restart now that no customer is being served.
    ///
    /// - Parameter hasCustomerLeft: whether the last customer has gone, so that none of their settings is lost.
    mutating func start(hasCustomerLeft: Bool) -> [KioskEffect] {
        if isNewVersionAwaited, hasCustomerLeft {
            isNewVersionAwaited = false
            return [.program(.restartIntoNewVersion)]
        }
        guard let command else { return [] }
        self.command = nil
        return [.staff(.note(.commanded(.restart))), .program(.restartOnce(command.id))]
    }
}
