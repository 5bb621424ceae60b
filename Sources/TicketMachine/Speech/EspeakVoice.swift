internal import ChildProcess
internal import Dispatch
internal import Glibc
public import KioskRuntime
internal import Synchronization

/// The voice: espeak-ng(1) as a process of its own, which runs only while an utterance is said.
///
/// One utterance runs and at most one waits: a newer one ends the first and replaces the second.
public final class EspeakVoice: SpeechPort {
    private let program: String
    /// Further options for the sound's destination; none for the loudspeaker.
    private let options: [String]
    private let queue = DispatchQueue(label: "speech")
    private let state = Mutex(State())

    /// More bytes than a screen has; a pipe takes so many at once (pipe(7): 64 KiB).
    private static let maxTextBytes = 8_192

    private typealias End = CheckedContinuation<SpeechEnd, Never>

    private struct State {
        var waiting: (utterance: Utterance, end: End)?
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

    /// - Parameters:
    ///   - program: path of espeak-ng.
    ///   - options: further options, for example `-w FILE`.
    public init(program: String, options: [String] = []) {
        self.program = program
        self.options = options
    }

    public func say(_ utterance: Utterance) async -> SpeechEnd {
        await withCheckedContinuation { end in
            let dropped = state.withLock { state in
                defer { state.waiting = (utterance, end) }
                return state.interrupt()
            }
            dropped?.resume(returning: .interrupted)
            queue.async { self.sayNext() }
        }
    }

    public func stop() {
        state.withLock { $0.interrupt() }?.resume(returning: .interrupted)
    }

    /// Says the waiting utterance to its end; runs on the queue.
    private func sayNext() {
        let next = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting.map { (utterance: $0.utterance, end: $0.end, count: state.count) }
        }
        guard let next else { return }
        let (process, input): (ChildProcess, Int32)
        do {
            (process, input) = try start(arguments(next.utterance) + options)
        } catch {
            next.end.resume(returning: .failed("\(program): \(error)"))
            return
        }
        state.withLock { state in
            state.running = process
            if state.count != next.count { process.kill() }
        }
        // The whole program ignores SIGPIPE.
        let text = Array(next.utterance.text.utf8.prefix(Self.maxTextBytes))
        _ = write(input, text, text.count)
        close(input)
        process.waitForEnd()
        // After `reap` the process number may belong to another process.
        let (isInterrupted, status) = state.withLock { state in
            state.running = nil
            return (state.count != next.count, process.reap())
        }
        next.end.resume(
            returning: isInterrupted
                ? .interrupted
                : status == 0 ? .said : .failed("\(program) ended with \(status)"))
    }

    /// Starts the program with a pipe as its input. It leads its own process group, so that a script and its children
    /// end together.
    private func start(
        _ arguments: [String]
    ) throws(ChildProcess.Failure) -> (process: ChildProcess, input: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ChildProcess.Failure(code: errno) }
        defer { close(ends[0]) }
        do throws(ChildProcess.Failure) {
            let process = try ChildProcess(
                program, arguments, input: .descriptor(ends[0]), leadsGroup: true)
            return (process, ends[1])
        } catch {
            close(ends[1])
            throw error
        }
    }

    /// Arguments of espeak-ng(1): slower than its usual 175 words a minute. Volume 5 of 10 is its usual volume, and
    /// *Louder* doubles the volume up to the maximum.
    private func arguments(_ utterance: Utterance) -> [String] {
        let amplitude = 20 * min(max(utterance.volume, 1), 10)
        return [
            "-v", utterance.language, "-s", "150", "-a",
            String(utterance.isLoud ? min(200, 2 * amplitude) : amplitude), "--stdin",
        ]
    }
}
