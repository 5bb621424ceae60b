internal import ChildProcess
internal import Glibc

/// A program that reads from a pipe and writes nothing to the terminal. It leads its own process group, so that a
/// script and its children end together.
struct SpeechProcess: Sendable {
    private let process: ChildProcess
    private let input: Int32

    /// More bytes than a screen has; a pipe takes so many at once (pipe(7): 64 KiB).
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

    /// Writes the text and closes the pipe; the whole program ignores SIGPIPE.
    func write(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.maxTextBytes))
        _ = Glibc.write(input, bytes, bytes.count)
        close(input)
    }

    /// Ends the process and its children; to be called only before `reap`.
    func kill() { process.kill() }

    /// Blocks until the process has ended; its number stays valid for `kill` until `reap`.
    func waitForEnd() { process.waitForEnd() }

    /// Collects the exit status; the process must not get signals after that.
    func reap() -> Int32 { process.reap() }
}
