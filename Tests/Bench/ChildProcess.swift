import FoundationEssentials
import Glibc

/// A program this one has started; ended by its process id when the last reference goes.
final class ChildProcess {
    let pid: pid_t
    private(set) var status: Int32?
    private var isLeft = false

    /// Where a child's three standard streams go.
    enum Streams {
        /// Nothing in, nothing out; errors as they come.
        case quiet
        /// What comes in from a descriptor, in a session of its own: a terminal's Ctrl-C is not for it.
        case input(Int32)
        /// The output to a descriptor, errors to a file or as they come.
        case output(Int32, errors: String?)
        /// All three are a terminal, which becomes the child's own.
        case terminal(String)
    }

    /// Starts a program with an environment of its own, so that a bench is the same everywhere.
    init(_ path: String, _ arguments: [String], _ streams: Streams) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var flags = POSIX_SPAWN_SETSIGDEF
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        switch streams {
        case .quiet:
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        case .input(let descriptor):
            flags |= Self.setSession
            posix_spawn_file_actions_adddup2(&actions, descriptor, 0)
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        case .output(let descriptor, let errors):
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
            if let errors {
                posix_spawn_file_actions_addopen(
                    &actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            }
        case .terminal(let name):
            // The first terminal that the leader of a new session opens is its own (tty(4)).
            flags |= Self.setSession
            posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var environment = Self.environment.map { strdup($0) } + [nil]
        defer { for word in words + environment { free(word) } }
        var child: pid_t = 0
        let code = posix_spawnp(&child, path, &actions, &attributes, &words, &environment)
        guard code == 0 else {
            throw BenchError("\(path) cannot be started: \(String(cString: strerror(code)))")
        }
        pid = child
        Guardian.begins(process: pid)
    }

    deinit { if status == nil, !isLeft { end(SIGKILL) } }

    /// Lets it run on when the last reference goes.
    func leave() { isLeft = true }

    /// POSIX_SPAWN_SETSID, which glibc shows to _GNU_SOURCE only (spawn.h).
    private static let setSession: Int32 = 0x80

    private static var environment: [String] {
        func inherited(_ name: String) -> String? {
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        return ["LC_ALL=C.UTF-8", "TERM=xterm-256color", Guardian.mark]
            // The last two are another wall clock: Tests/at-time.
            + ["PATH", "HOME", "TMPDIR", "LD_PRELOAD", "WALL_CLOCK"].compactMap(inherited)
    }

    /// Whether it still runs.
    var isRunning: Bool {
        if status == nil { collect(WNOHANG) }
        return status == nil
    }

    /// Sends the signal and waits for the end.
    func end(_ signal: Int32 = SIGTERM) {
        guard isRunning else { return }
        kill(pid, signal)
        collect(0)
    }

    /// Waits until it ends by itself.
    func wait() { while isRunning { collect(0) } }

    private func collect(_ options: Int32) {
        var code: Int32 = 0
        if waitpid(pid, &code, options) == pid {
            status = code
            Guardian.ended(process: pid)
        }
    }

    /// CPU time of all its threads so far, in nanoseconds (clock_getcpuclockid(3)).
    var cpu: Int64 {
        var clock: clockid_t = 0
        guard clock_getcpuclockid(pid, &clock) == 0 else { return 0 }
        return Clock.read(clock)
    }

    /// Peak resident memory so far in MiB: VmHWM of proc(5).
    var peakMemory: Double { memory("VmHWM:") }

    /// Resident memory now in MiB: VmRSS of proc(5).
    var presentMemory: Double { memory("VmRSS:") }

    private func memory(_ name: String) -> Double {
        guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/status") else {
            return 0
        }
        let line = String(decoding: data, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix(name) }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first).flatMap {
            Double($0)
        }.map { $0 / 1_024 } ?? 0
    }

    /// Runs a program to its end and answers what it printed; its errors go where `errors` says.
    static func output(
        _ path: String, _ arguments: [String], errors: String? = nil
    ) throws -> String {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchError.system("pipe") }
        defer { close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = try ChildProcess(path, arguments, .output(ends[1], errors: errors))
        close(ends[1])
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(ends[0], &part, part.count), count > 0 {
            bytes += part[..<count]
        }
        child.wait()
        guard child.status == 0 else {
            throw BenchError("\(path) \(arguments.joined(separator: " ")) has failed")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
