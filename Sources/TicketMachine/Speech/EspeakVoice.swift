internal import ChildProcess
internal import Dispatch
public import KioskRuntime
internal import Synchronization

/// The voice: espeak-ng(1) as a process of its own, which runs only while an utterance is said.
///
/// One utterance runs and at most one waits: a newer one ends the first and replaces the second.
public final class EspeakVoice: SpeechPort {
    private let program: String
    private let queue = DispatchQueue(label: "speech")
    private let state = Mutex(State())

    /// More bytes than a screen has; a pipe takes so many at once (pipe(7): 64 KiB).
    private static let maxTextBytes = 8_192

    private typealias End = CheckedContinuation<SpeechEnd, Never>

    private struct State {
        var waiting: (text: String, arguments: [String], end: End)?
        var running: ChildProcess?
        /// Counts utterances and calls of `stop`: a process started for an older count is ended at once.
        var count = 0

        /// Ends the running utterance and removes the waiting one; returns the continuation of the latter.
        mutating func interrupt() -> End? {
            count += 1
            running?.kill()
            defer { waiting = nil }
            return waiting?.end
        }
    }

    /// - Parameter program: path of espeak-ng.
    public init(program: String) { self.program = program }

    /// Arguments of espeak-ng(1): slower than its usual 175 words a minute. Volume 5 of 10 is its usual volume, and
    /// *Louder* doubles the volume up to the maximum.
    public func say(
        _ text: String, language: String, isLoud: Bool, volume: Int
    ) async -> SpeechEnd {
        let amplitude = 20 * min(max(volume, 1), 10)
        let arguments = [
            "-v", language, "-s", "150", "-a",
            String(isLoud ? min(200, 2 * amplitude) : amplitude), "--stdin",
        ]
        return await withCheckedContinuation { end in
            let dropped = state.withLock { state in
                defer { state.waiting = (text, arguments, end) }
                return state.interrupt()
            }
            dropped?.resume(returning: .interrupted)
            queue.async { self.sayNext() }
        }
    }

    public func stop() { state.withLock { $0.interrupt() }?.resume(returning: .interrupted) }

    /// Says the waiting utterance to its end; runs on the queue.
    private func sayNext() {
        let next = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting.map { ($0.text, $0.arguments, $0.end, state.count) }
        }
        guard let (text, arguments, end, count) = next else { return }
        let process: ChildProcess
        do {
            // The program leads its own process group, so that a script and its children end together.
            process = try ChildProcess(
                program, arguments, input: .bytes(Array(text.utf8.prefix(Self.maxTextBytes))),
                leadsGroup: true)
        } catch {
            end.resume(returning: .failed("\(program): \(error)"))
            return
        }
        state.withLock { state in
            state.running = process
            if state.count != count { process.kill() }
        }
        process.waitForEnd()
        // After `reap` the process number may belong to another process.
        let (isInterrupted, status) = state.withLock { state in
            state.running = nil
            return (state.count != count, process.reap())
        }
        end.resume(
            returning: isInterrupted
                ? .interrupted : status == 0 ? .said : .failed("\(program) ended with \(status)"))
    }
}
