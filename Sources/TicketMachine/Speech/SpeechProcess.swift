internal import ChildProcess
internal import Glibc

/// A program that reads from a pipe and says nothing to the terminal; the leader of its own group, so
/// that a script and what it started end together.
struct SpeechProcess: Sendable {
    private let process: ChildProcess
    private let input: Int32

    /// Longer than a screen is; a pipe takes it at once (pipe(7): 64 KiB).
    private static let maxTextBytes = 8_192

    init(_ program: String, _ arguments: [String]) throws(ChildProcess.Failure) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ChildProcess.Failure(code: errno) }
        defer { close(ends[0]) }
        do throws(ChildProcess.Failure) {
            process = try ChildProcess(
                program, arguments, input: .descriptor(ends[0]), leadsGroup: true)
        } catch {
            close(ends[1])
            throw error
        }
        input = ends[1]
    }

    /// Hands over the text and its end; SIGPIPE is ignored by the whole program.
    func write(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.maxTextBytes))
        _ = Glibc.write(input, bytes, bytes.count)
        close(input)
    }

    /// Ends it and what it started; only before `reap`.
    func kill() { process.kill() }

    /// Blocks until it has ended; it can still be killed then.
    func waitForEnd() { process.waitForEnd() }

    /// Takes its status away; nothing may be sent to it any more.
    func reap() -> Int32 { process.reap() }
}
