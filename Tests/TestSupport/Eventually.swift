import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

public enum Loopback {
    /// A TCP port of 127.0.0.1 at which no program listens now.
    public static func freePort() throws -> Int {
        let (descriptor, port) = try LoopbackWire.bound(to: 0)
        close(descriptor)
        return Int(port)
    }
}

/// How long a test waits for something that happens by itself: longer than it takes on the busiest computer, and
/// shorter than what would happen anyway, for example Home after a minute without a touch.
public let timeout: Duration = .seconds(30)

/// Waits until a condition holds, asking every 20 ms; false if it did not hold in time.
public func eventually(
    within limit: Duration = timeout, isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while try await !condition() {
        guard clock.now < end else { return false }
        try? await clock.sleep(for: .milliseconds(20))
    }
    return true
}

/// Waits for a value of a browser or another program; one that cannot answer just now is asked again.
public func patiently(
    _ limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation,
    until condition: () async throws -> Bool
) async -> Bool {
    var trouble: (any Error)?
    let isTrue = await eventually(within: limit) {
        do {
            return try await condition()
        } catch {
            trouble = error
            return false
        }
    }
    if !isTrue, let trouble { print("last trouble while waiting: \(trouble)") }
    return isTrue
}

/// An event that happens once, signalled from one task to another.
public final class Flag: Sendable {
    private let state = Mutex(false)

    public init() {}

    public var isSet: Bool { state.withLock { $0 } }
    public func set() { state.withLock { $0 = true } }
}
