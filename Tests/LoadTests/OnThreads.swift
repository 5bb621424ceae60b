import Foundation
import Synchronization
import TestSupport
import Testing

/// Runs each body on a thread of its own, as blocking calls need, and returns the results of all of them.
func onThreads<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        for index in 0..<count {
            group.addTask {
                try await withCheckedThrowingContinuation { continuation in
                    let thread = Thread {
                        continuation.resume(with: Result { (index, try body(index)) })
                    }
                    thread.stackSize = 1 << 20
                    thread.start()
                }
            }
        }
        return try await group.reduce(into: [(Int, Value)]()) { $0.append($1) }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }
}

/// The same for bodies that go on during another task, which begins once all of them have started; the flag is set when
/// it is over.
func onThreads<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int, Flag) throws -> Value,
    while trouble: () async throws -> Void
) async throws -> [Value] {
    let isOver = Flag()
    let begun = Atomic(0)
    async let values = onThreads(count) { index in
        begun.add(1, ordering: .relaxed)
        return try body(index, isOver)
    }
    // Values that are not awaited end with this function.
    try await ending(isOver, by: { $0.set() }) { _ in
        let areAtWork = await eventually { begun.load(ordering: .relaxed) == count }
        #expect(areAtWork)
        try await trouble()
    }
    return try await values
}
