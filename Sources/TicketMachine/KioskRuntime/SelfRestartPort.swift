/// Starts a new version of the program without interrupting a customer.
public struct SelfRestartPort: Sendable {
    /// The pause between two checks: an update may wait for seconds, and each check reads a few files.
    static let pause: Duration = .seconds(5)

    /// Whether another version of the program, of a library or of the configuration is completely installed.
    public var isWaiting: @MainActor @Sendable () -> Bool
    /// Starts the new version; does not return if that succeeds.
    public var begin: @MainActor @Sendable () -> Void

    public init(
        isWaiting: @escaping @MainActor @Sendable () -> Bool,
        begin: @escaping @MainActor @Sendable () -> Void
    ) {
        self.isWaiting = isWaiting
        self.begin = begin
    }
}
