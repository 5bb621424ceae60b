import ChildProcess
import CommandSyntax
import Glibc

enum OtherProgram {
    /// Runs the program in this terminal; answers its exit status, or 128 and the signal that ended it.
    ///
    /// - Parameter input: the program's input; nil for this program's own input.
    static func run(_ words: [String], input: String? = nil) throws -> Int32 {
        let input = input.map { ChildProcess.Stream.bytes(Array($0.utf8)) } ?? .inherited
        return try start(words, input: input, output: .inherited, errors: .inherited).reap()
    }

    /// Runs the program without a terminal; answers its exit status and its output, errors included.
    static func ask(_ words: [String]) throws -> (status: Int32, said: String) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failure(words, errno) }
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        let process: ChildProcess
        do {
            defer { close(writing) }
            process = try start(
                words, input: .nothing, output: .descriptor(writing), errors: .descriptor(writing))
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(reading, &buffer, buffer.count)
            guard count > 0 else { break }
            // More output than this is of no use.
            if bytes.count < 1 << 16 { bytes += buffer[..<count] }
        }
        return (process.reap(), String(decoding: bytes, as: UTF8.self))
    }

    private static func start(
        _ words: [String], input: ChildProcess.Stream, output: ChildProcess.Stream,
        errors: ChildProcess.Stream
    ) throws(CommandError) -> ChildProcess {
        // The folders of programs for root are left out by cron and sudo.
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        setenv("PATH", path + ":/usr/sbin:/sbin", 1)
        do throws(ChildProcess.Failure) {
            return try ChildProcess(
                words[0], Array(words.dropFirst()), input: input, output: output, errors: errors,
                leadsGroup: false)
        } catch { throw failure(words, error.code) }
    }

    private static func failure(_ words: [String], _ code: Int32) -> CommandError {
        .system(code, .failure) { "\(words[0]) cannot be run: \($0)." }
    }
}
