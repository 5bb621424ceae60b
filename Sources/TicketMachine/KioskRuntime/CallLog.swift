public import KioskFlow
internal import Synchronization

/// The last calls to the backend, of all of a machine's connections.
public final class CallLog: Sendable {
    /// More than a screen shows of them.
    private static let maxCalls = 20

    private let calls = Mutex<[CallReport]>([])

    public init() {}

    public func add(_ call: CallReport) {
        calls.withLock { $0 = Array(([call] + $0).prefix(Self.maxCalls)) }
    }

    /// Newest first.
    public var last: [CallReport] { calls.withLock { $0 } }
}
