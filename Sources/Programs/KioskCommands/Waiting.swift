import Dispatch

/// Waits for an asynchronous function: the only bridge for commands, which have nothing else to do meanwhile.
func waiting<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Result {
    let done = DispatchSemaphore(value: 0)
    let box = ResultBox<Result>()
    Task.detached {
        box.value = await body()
        done.signal()
    }
    done.wait()
    guard let value = box.value else { fatalError("the task has signalled without a result") }
    return value
}

/// The value is written before the semaphore is signalled, and read after that.
private final class ResultBox<Value>: @unchecked Sendable { var value: Value? }
