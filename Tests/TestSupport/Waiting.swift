import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

public enum Loopback {
    /// A TCP port of 127.0.0.1 that nobody listens at now.
    public static func freePort() throws -> Int {
        let (descriptor, port) = try LoopbackWire.bound(to: 0)
        close(descriptor)
        return Int(port)
    }
}

/// How long a test waits for what comes by itself: longer than that takes on the busiest computer, and shorter
/// than what would come anyway, as Home after a minute in which nobody touches the screen.
public let patience: Duration = .seconds(30)

/// Waits until something is true, asking every 20 ms; false when it was not in time.
public func eventually(
    within limit: Duration = patience, isolation: isolated (any Actor)? = #isolation,
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

/// Waits for what a browser or another program tells; one that cannot tell just now is asked again.
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

/// Something that happens once, said from one task to another.
public final class Flag: Sendable {
    private let state = Mutex(false)

    public init() {}

    public var isSet: Bool { state.withLock { $0 } }
    public func set() { state.withLock { $0 = true } }
}
