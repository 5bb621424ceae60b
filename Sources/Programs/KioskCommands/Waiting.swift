import Dispatch

/// Waits for what is asynchronous: the one bridge of commands, which have nothing else to do meanwhile.
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

/// Written before the semaphore is signalled, read after.
private final class ResultBox<Value>: @unchecked Sendable { var value: Value? }
