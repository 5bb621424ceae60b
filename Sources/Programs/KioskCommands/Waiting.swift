import Dispatch

/// Waits for an asynchronous function: the only bridge for commands, which have nothing else to do meanwhile.
func waiting<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Result {
    let done = DispatchSemaphore(value: 0)
    // It is written before the semaphore is signalled, and read after that.
    nonisolated(unsafe) var result: Result?
    Task.detached {
        result = await body()
        done.signal()
    }
    done.wait()
    guard let result else { fatalError("the task has signalled without a result") }
    return result
}
