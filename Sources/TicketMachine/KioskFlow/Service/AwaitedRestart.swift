internal import Reservations

/// Restarts of the program that wait until no customer is being served.
struct AwaitedRestart: Hashable, Sendable, Codable {
    /// The shop wants the program to be started again.
    private var command: RemoteCommand?
    /// A new version of the program, or of its configuration, is there.
    private var isRenewalAwaited = false

    var isAwaited: Bool { command != nil || isRenewalAwaited }

    mutating func await(_ command: RemoteCommand) { self.command = command }
    mutating func awaitRenewal() { isRenewalAwaited = true }

    /// What is to be done now that no customer is being served.
    ///
    /// - Parameter isLeft: whether the last customer has gone for good, and so nothing they set is lost.
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
