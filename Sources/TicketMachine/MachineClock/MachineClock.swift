internal import Dispatch
internal import Synchronization

/// The clock by which everything of the machine waits and measures.
///
/// It runs as real time does, and no clock that an administrator sets changes it. A test can move it forward, or have one
/// that passes only when it is moved. No part of the shipped program moves it.
public final class MachineClock: Clock, Sendable {
    /// The clock of this process.
    public static let system = MachineClock()

    public struct Instant: InstantProtocol {
        fileprivate let sinceStart: Duration

        public func advanced(by duration: Duration) -> Instant {
            Instant(sinceStart: sinceStart + duration)
        }

        public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }

        public static func < (one: Instant, other: Instant) -> Bool {
            one.sinceStart < other.sinceStart
        }
    }

    private struct Wait {
        let end: Instant
        /// Whether it is the longest time that an answer may take; nothing is expected before the end of another one.
        let isTimeout: Bool
        /// Called once, with whether the wait has reached its end.
        let resume: @Sendable (Bool) -> Void
    }

    private struct Hands {
        var moved: Duration = .zero
        /// The real time at which it stopped running by itself; nil while it runs.
        var stopped: Duration?
        var waits: [Int: Wait] = [:]
        /// Waits that were cancelled before they began.
        var cancelled: Set<Int> = []
        /// How many waits have ended whose callers have not gone on yet.
        var unhandled = 0
        var lastNumber = 0

        /// The present moment, this real time after the start.
        func now(after real: Duration) -> Instant { Instant(sinceStart: (stopped ?? real) + moved) }
    }

    private let start = ContinuousClock.now
    private let hands = Mutex(Hands())

    /// - Parameter isRunning: whether it runs by itself.
    public init(isRunning: Bool = true) { if !isRunning { stop() } }

    /// From now on it does not run by itself.
    public func stop() {
        let now = ContinuousClock.now - start
        hands.withLock { $0.stopped = $0.stopped ?? now }
    }

    public var now: Instant {
        let real = ContinuousClock.now - start
        return hands.withLock { $0.now(after: real) }
    }

    public var minimumResolution: Duration { .milliseconds(1) }

    // MARK: Waiting

    /// Goes on on the caller's actor; see `isHandled`.
    public nonisolated(nonsending) func sleep(
        until deadline: Instant, tolerance: Duration? = nil
    ) async throws {
        let number = newNumber()
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                begin(
                    number, Wait(end: deadline, isTimeout: false) { caller.resume(returning: $0) })
            }
        } onCancel: {
            cancel(number, isBegun: false)
        }
        hands.withLock { hands in
            hands.cancelled.remove(number)
            if isOver { hands.unhandled -= 1 }
        }
        if !isOver { throw CancellationError() }
    }

    /// Whether all whose wait has ended have gone on since, so far as they get without waiting again.
    public var isHandled: Bool { hands.withLock { $0.unhandled == 0 } }

    /// Calls `action` on a thread of its own if an answer takes this long; returns the wait, which the answer cancels.
    public func timeout(after time: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
        let number = newNumber()
        begin(number, Wait(end: now.advanced(by: time), isTimeout: true) { if $0 { action() } })
        return number
    }

    /// Ends a wait before its time, if it has not ended.
    public func cancel(_ number: Int) { cancel(number, isBegun: true) }

    private func cancel(_ number: Int, isBegun: Bool) {
        let wait = hands.withLock { hands in
            let wait = hands.waits.removeValue(forKey: number)
            if wait == nil, !isBegun { hands.cancelled.insert(number) }
            return wait
        }
        wait?.resume(false)
    }

    private func newNumber() -> Int {
        hands.withLock { hands in
            hands.lastNumber += 1
            return hands.lastNumber
        }
    }

    private func begin(_ number: Int, _ wait: Wait) {
        let isCancelled = hands.withLock { hands in
            guard hands.cancelled.remove(number) == nil else { return true }
            hands.waits[number] = wait
            return false
        }
        if isCancelled { wait.resume(false) } else { look(at: number) }
    }

    /// Ends a wait whose time has come, or looks again when it should have.
    private func look(at number: Int) {
        let real = ContinuousClock.now - start
        let (ended, rest) = hands.withLock { hands -> (Wait?, Duration) in
            guard let wait = hands.waits[number] else { return (nil, .zero) }
            let rest = hands.now(after: real).duration(to: wait.end)
            guard rest <= .zero else { return (nil, hands.stopped == nil ? rest : .zero) }
            hands.waits[number] = nil
            if !wait.isTimeout { hands.unhandled += 1 }
            return (wait, .zero)
        }
        if let ended { return ended.resume(true) }
        guard rest > .zero else { return }
        let nanoseconds = Int(min(rest / .nanoseconds(1), 1e18)) + 1
        DispatchQueue.global(qos: .userInitiated).asyncAfter(
            deadline: .now() + .nanoseconds(nanoseconds)
        ) { [weak self] in self?.look(at: number) }
    }

    // MARK: Moving

    /// Moves the clock forward, as if nothing else had happened meanwhile: waits whose end is reached end now.
    ///
    /// - Parameter evenAwaiting: whether also while an answer is awaited, which is too late then.
    /// - Returns: false if it was not moved, since an answer is awaited.
    @discardableResult
    public func move(by duration: Duration, evenAwaiting: Bool = true) -> Bool {
        move(evenAwaiting: evenAwaiting) { _, _ in duration }
    }

    /// Moves the clock forward to the end of the wait that ends first, if there is one.
    ///
    /// - Parameters:
    ///   - evenAwaiting: as for `move`.
    ///   - limit: the most by which it is moved; if that end is later, the clock is not moved.
    /// - Returns: whether it was moved.
    @discardableResult
    public func moveToNextEnd(
        evenAwaiting: Bool = true, atMost limit: Duration = .seconds(Int64.max)
    ) -> Bool {
        move(evenAwaiting: evenAwaiting) { now, ends in
            ends.min().map { max(.zero, now.duration(to: $0)) }.flatMap { $0 <= limit ? $0 : nil }
        }
    }

    /// Moves the clock by what `duration` finds, while no wait begins or ends.
    private func move(
        evenAwaiting: Bool, by duration: (_ now: Instant, _ ends: [Instant]) -> Duration?
    ) -> Bool {
        let real = ContinuousClock.now - start
        let numbers = hands.withLock { hands -> [Int]? in
            let isAwaiting = hands.waits.values.contains(where: \.isTimeout)
            guard evenAwaiting || !isAwaiting,
                let duration = duration(hands.now(after: real), hands.waits.values.map(\.end))
            else { return nil }
            hands.moved += duration
            return hands.waits.sorted { $0.value.end < $1.value.end }.map(\.key)
        }
        for number in numbers ?? [] { look(at: number) }
        return numbers != nil
    }
}
