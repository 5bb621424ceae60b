import ChildProcess
import CommandSyntax
import Glibc

enum OtherProgram {
    /// Runs the program in this terminal; answers its exit status, or 128 and the signal that ended it.
    ///
    /// - Parameter input: the program's input; nil for this program's own input.
    static func run(_ words: [String], input: String? = nil) throws -> Int32 {
        guard let input else {
            return try start(words, input: .inherited, output: .inherited, errors: .inherited)
                .reap()
        }
        let (reading, writing) = try pipe(words)
        let process: ChildProcess
        do {
            defer { close(reading) }
            process = try start(
                words, input: .descriptor(reading), output: .inherited, errors: .inherited)
        } catch {
            close(writing)
            throw error
        }
        // A line fits into a pipe that is not read yet (pipe(7)).
        _ = input.withCString { write(writing, $0, strlen($0)) }
        close(writing)
        return process.reap()
    }

    /// Runs the program without a terminal; answers its exit status and its output, errors included.
    static func ask(_ words: [String]) throws -> (status: Int32, said: String) {
        let (reading, writing) = try pipe(words)
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

    private static func pipe(
        _ words: [String]
    ) throws(CommandError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw failure(words, errno) }
        return (ends[0], ends[1])
    }

    private static func failure(_ words: [String], _ code: Int32) -> CommandError {
        .system(code, .failure) { "\(words[0]) cannot be run: \($0)." }
    }
}
