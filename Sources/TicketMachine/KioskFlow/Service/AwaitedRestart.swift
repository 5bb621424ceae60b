internal import Reservations

/// Restarts of the program that wait until no customer is being served.
struct AwaitedRestart: Hashable, Sendable, Codable {
    /// The remote command by which the shop restarts the program.
    private var command: RemoteCommand?
    /// Whether a new version of the program, or of its configuration, is ready.
    private var isRenewalAwaited = false

    var isAwaited: Bool { command != nil || isRenewalAwaited }

    mutating func await(_ command: RemoteCommand) { self.command = command }
    mutating func awaitRenewal() { isRenewalAwaited = true }

    /// Starts the awaited restart now that no customer is being served.
    ///
    /// - Parameter isLeft: whether the last customer has gone, so that none of their settings is lost.
    mutating func start(isLeft: Bool) -> [KioskEffect] {
        if isRenewalAwaited, isLeft {
            isRenewalAwaited = false
            return [.program(.restartIntoNewVersion)]
        }
        guard let command else { return [] }
        self.command = nil
        return [.staff(.note(.commanded(.restart))), .program(.restartOnce(command.id))]
    }
}
