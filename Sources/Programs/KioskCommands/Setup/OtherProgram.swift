import CommandSyntax
import Glibc

/// Another program, run to its end (posix_spawn(3)).
enum OtherProgram {
    /// Runs it in this terminal; answers its exit status, or 128 and the signal that ended it.
    ///
    /// - Parameter input: what it reads; nil for this program's own input.
    static func run(_ words: [String], input: String? = nil) throws -> Int32 {
        var pipe: [Int32] = [-1, -1]
        if input != nil { try open(&pipe, words) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if input != nil { posix_spawn_file_actions_adddup2(&actions, pipe[0], STDIN_FILENO) }
        let pid = try start(words, &actions)
        if let input {
            close(pipe[0])
            // A line fits into a pipe that nobody reads yet (pipe(7)).
            _ = input.withCString { write(pipe[1], $0, strlen($0)) }
            close(pipe[1])
        }
        return wait(for: pid)
    }

    /// Runs it without a terminal; answers its exit status and what it printed, errors too.
    static func ask(_ words: [String]) throws -> (status: Int32, said: String) {
        var pipe: [Int32] = [-1, -1]
        try open(&pipe, words)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, pipe[1], STDERR_FILENO)
        let pid = try start(words, &actions)
        close(pipe[1])
        defer { close(pipe[0]) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(pipe[0], &buffer, buffer.count)
            guard count > 0 else { break }
            // More than that nobody wants to read.
            if bytes.count < 1 << 16 { bytes += buffer[..<count] }
        }
        return (wait(for: pid), String(decoding: bytes, as: UTF8.self))
    }

    /// Whether a program is where shells look for it.
    static func isThere(_ program: String) -> Bool {
        path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// With the folders of what only root runs: cron and sudo leave them out.
    private static var path: String {
        (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin"
    }

    private static func start(
        _ words: [String], _ actions: inout posix_spawn_file_actions_t
    ) throws -> pid_t {
        setenv("PATH", path, 1)
        // What this program ignores is not ignored by others.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var pointers = words.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        var pid: pid_t = 0
        let status = posix_spawnp(&pid, words[0], &actions, &attributes, &pointers, environ)
        guard status == 0 else { throw failure(words, status) }
        return pid
    }

    /// A pipe of which others get no more than they are given.
    private static func open(_ ends: inout [Int32], _ words: [String]) throws {
        guard pipe(&ends) == 0 else { throw failure(words) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    private static func wait(for pid: pid_t) -> Int32 {
        var raw: Int32 = 0
        while waitpid(pid, &raw, 0) < 0 { guard errno == EINTR else { return 1 } }
        return raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
    }

    private static func failure(
        _ words: [String], _ code: Int32 = errno
    ) -> CommandError {
        CommandError.configuration("\(words[0]) cannot be run: \(String(cString: strerror(code))).")
    }
}
