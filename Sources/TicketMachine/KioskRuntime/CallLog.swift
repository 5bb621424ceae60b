public import KioskFlow
internal import Synchronization

/// The last calls to the backend on all connections of a machine.
public final class CallLog: Sendable {
    /// More calls than a screen shows.
    private static let maxCalls = 20

    private let calls = Mutex<[CallReport]>([])

    public init() {}

    public func add(_ call: CallReport) {
        calls.withLock { $0 = Array(([call] + $0).prefix(Self.maxCalls)) }
    }

    /// Newest first.
    public var last: [CallReport] { calls.withLock { $0 } }
}
