import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// How long a test waits for something that happens by itself: longer than it takes on a busy computer, and shorter than
/// what would happen anyway, for example Home after a minute without a touch.
public let timeout: Duration = .seconds(50)

/// How long a test waits until whole programs have started, or a printer has put out many papers.
public let longTimeout: Duration = .seconds(150)

/// Waits until a condition holds, asking every 20 ms; false if it did not hold in time.
///
/// - Parameter maxPause: The longest pause, to which pauses grow, for a condition that costs other programs work.
public func eventually(
    within limit: Duration = timeout, maxPause: Duration = .milliseconds(20),
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + limit
    var pause = min(.milliseconds(20), maxPause)
    while try await !condition() {
        guard clock.now < end else { return false }
        try? await clock.sleep(for: pause)
        pause = min(pause * 1.5, maxPause)
    }
    return true
}

/// As `eventually`, for code that cannot await: it keeps its thread meanwhile.
public func blocks(until condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + timeout
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        usleep(2_000)
    }
    return true
}

/// Waits for a value of a browser or another program; one that cannot answer just now is asked again.
///
/// Each question to a browser is work for several of its processes, beside the work that the test waits for.
public func patiently(
    _ limit: Duration = longTimeout, isolation: isolated (any Actor)? = #isolation,
    until condition: () async throws -> Bool
) async -> Bool {
    var trouble: (any Error)?
    let isTrue = await eventually(within: limit, maxPause: .milliseconds(250)) {
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

/// Runs a body with something that it uses, and ends that afterwards, whether the body fails or not.
public func ending<Used, Value>(
    _ used: Used, by end: (Used) async throws -> Void, after body: (Used) async throws -> Value
) async throws -> Value {
    let value: Result<Value, any Error>
    do { value = .success(try await body(used)) } catch { value = .failure(error) }
    do {
        try await end(used)
    } catch {
        _ = try value.get()
        throw error
    }
    return try value.get()
}

/// Runs what waits for another program, on a thread of its own.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
{
    try await withCheckedThrowingContinuation { done in
        Thread.detachNewThread { done.resume(with: Result { try body() }) }
    }
}

/// An event that happens once, signalled from one task to another.
public final class Flag: Sendable {
    private let state = Mutex(false)

    public init() {}

    public var isSet: Bool { state.withLock { $0 } }
    public func set() { state.withLock { $0 = true } }
}
