import Dispatch
import TestSupport

/// Lets the calling thread wait for asynchronous work.
func waitFor<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let result = Locked<Result<Value, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let ended: Result<Value, any Error>
        do { ended = .success(try await body()) } catch { ended = .failure(error) }
        result.change { $0 = ended }
        done.signal()
    }
    done.wait()
    guard let result = result.value else { throw BenchError("nothing came of a task") }
    return try result.get()
}
