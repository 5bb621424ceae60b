public import Dispatch

/// Reports on a queue which signals came, from the end of its initialiser on (signal(7)).
///
/// Until then each signal keeps its former effect: a signal that was ignored meanwhile would be lost without a
/// trace.
public final class SignalWatch {
    private let sources: [any DispatchSourceSignal]

    /// Returns when the signals are watched; `heard` gets the number of each.
    public init(
        _ numbers: [Int32], on queue: DispatchQueue, heard: @escaping @Sendable (Int32) -> Void
    ) {
        let watched = DispatchGroup()
        sources = numbers.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { queue.async { heard(number) } }
            watched.enter()
            // Dispatch begins to watch on a thread of its own, some time after `activate`.
            source.setRegistrationHandler { watched.leave() }
            source.activate()
            return source
        }
        watched.wait()
    }

    deinit { for source in sources { source.cancel() } }
}
