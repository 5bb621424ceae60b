/// How the machine gets to a new version of itself without leaving a customer alone.
public struct SelfRestartPort: Sendable {
    /// Between two looks: an update may wait for seconds, and each look reads a few files.
    static let pause: Duration = .seconds(5)

    /// Whether another version of the program, of a library or of the configuration is there, whole.
    public var isWaiting: @MainActor @Sendable () -> Bool
    /// Starts it; does not return where that succeeds.
    public var begin: @MainActor @Sendable () -> Void

    public init(
        isWaiting: @escaping @MainActor @Sendable () -> Bool,
        begin: @escaping @MainActor @Sendable () -> Void
    ) {
        self.isWaiting = isWaiting
        self.begin = begin
    }
}
