import Dispatch
import Synchronization

/// Lets the calling thread wait for asynchronous work.
func waitFor<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let box = Box<Value>()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        box.result.withLock { $0 = result }
        done.signal()
    }
    done.wait()
    guard let result = box.result.withLock({ $0 }) else {
        throw BenchError("nothing came of a task")
    }
    return try result.get()
}

/// A value that one thread hands to another.
private final class Box<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
}
