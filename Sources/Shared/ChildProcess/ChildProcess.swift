public import Dispatch

internal import CSpawn
internal import Glibc

/// A program that this process has started and waits for.
///
/// It uses posix_spawn(3) and not Foundation's `Process`, which brings 40 MB of language data with it, passes on the
/// signals that a thread blocks, and also waits for programs that the program leaves running. The program has this
/// process's environment, every signal as at the start of a computer, and no file but the three that it is given.
public struct ChildProcess: Sendable {
    /// The source of the program's input, or the destination of its output.
    public enum Stream: Sendable {
        /// The same file as this process has.
        case inherited
        case nothing
        case descriptor(Int32)
        /// These bytes and no more; they must be few enough for a pipe that is not read yet (pipe(7): 64 KiB).
        case bytes([UInt8])
    }

    /// Why a program was not started.
    public struct Failure: Error, CustomStringConvertible {
        /// The number of the error (errno(3)).
        public let code: Int32

        public init(code: Int32) { self.code = code }

        public var description: String { String(cString: strerror(code)) }
    }

    private let pid: pid_t

    /// The path of a program that an administrator names: a name without a slash is a file of the present folder, and is
    /// not searched for elsewhere.
    public static func path(ofFile name: String) -> String {
        name.contains("/") ? name : "./\(name)"
    }

    /// Starts a program; a name without a slash is searched for in PATH, as shells do.
    ///
    /// - Parameter leadsGroup: whether `kill` ends the program and its own child processes together.
    public init(
        _ program: String, _ arguments: [String], input: Stream = .nothing,
        output: Stream = .nothing, errors: Stream = .nothing, leadsGroup: Bool
    ) throws(Failure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The ends of the pipe for the input, if there is one.
        var pipe: [Int32] = []
        defer { for end in pipe { close(end) } }
        for (number, stream) in zip(STDIN_FILENO...STDERR_FILENO, [input, output, errors]) {
            switch stream {
            case .inherited: break
            case .nothing:
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            case .descriptor(let descriptor):
                posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            case .bytes(let bytes):
                pipe = [-1, -1]
                guard Glibc.pipe(&pipe) == 0 else { throw Failure(code: errno) }
                _ = write(pipe[1], bytes, bytes.count)
                posix_spawn_file_actions_adddup2(&actions, pipe[0], number)
            }
        }
        // The other ends of pipes, and files that libraries opened without O_CLOEXEC.
        clup_close_from(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(
                POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
                    | (leadsGroup ? POSIX_SPAWN_SETPGROUP : 0)))
        let words = ([program] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, program, &actions, &attributes, words + [nil], environ)
        guard code == 0 else { throw Failure(code: code) }
        self.pid = pid
    }

    /// Ends the group that the program leads; only before `reap`, after which its number may be another process's.
    public func kill() { _ = Glibc.kill(-pid, SIGKILL) }

    /// Blocks until the program has ended; it can still be killed then (waitid(2), WNOWAIT).
    public func waitForEnd() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// Blocks until the program has ended and collects its status: the exit status, or 128 and the signal that ended
    /// it.
    public func reap() -> Int32 {
        var raw: Int32 = 0
        while waitpid(pid, &raw, 0) < 0 { guard errno == EINTR else { return 1 } }
        // waitpid(2): WIFEXITED, WEXITSTATUS, WTERMSIG.
        return raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
    }

    /// Blocks until the program has ended and collects its status as `reap` does; nil if it took longer than `timeout` and
    /// was killed with its own children: a shell often waits for another program. It must lead a group.
    ///
    /// - Parameter queue: another thread of it waits for the end.
    public func status(
        within timeout: DispatchTimeInterval, on queue: DispatchQueue
    ) -> Int32? {
        let ended = DispatchSemaphore(value: 0)
        queue.async {
            waitForEnd()
            ended.signal()
        }
        let isLate = ended.wait(timeout: .now() + timeout) == .timedOut
        if isLate {
            kill()
            ended.wait()
        }
        let status = reap()
        return isLate ? nil : status
    }
}
