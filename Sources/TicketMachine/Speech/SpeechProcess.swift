internal import Glibc

/// A program that reads from a pipe and says nothing to the terminal; the leader of its own group, so
/// that a script and what it started end together.
final class SpeechProcess: @unchecked Sendable {
    private let pid: pid_t
    private let input: Int32
    /// Its exit status, or 128 and the signal that ended it; set by `reap`.
    private(set) var status: Int32 = 0

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Longer than a screen is; a pipe takes it at once (pipe(7): 64 KiB).
    private static let longestText = 8_192

    init(_ program: String, _ arguments: [String]) throws(Failure) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(errno) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // The pipe's other end, and what libraries opened without O_CLOEXEC: the child must not hold
        // them. Closing what is not open does no harm (glibc's posix_spawn_file_actions_addclose).
        for descriptor in Int32(3)..<256 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
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
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let words = ([program] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        var pid: pid_t = 0
        let fault = posix_spawn(&pid, program, &actions, &attributes, words + [nil], environ)
        close(ends[0])
        guard fault == 0 else {
            close(ends[1])
            throw Failure(fault)
        }
        self.pid = pid
        input = ends[1]
    }

    /// Hands over the text and its end; SIGPIPE is ignored by the whole program.
    func write(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.longestText))
        _ = Glibc.write(input, bytes, bytes.count)
        close(input)
    }

    /// Ends it and what it started; only before `reap`.
    func kill() { _ = Glibc.kill(-pid, SIGKILL) }

    /// Blocks until it has ended; it can still be killed then (waitid(2), WNOWAIT).
    func waitForEnd() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// Takes its status away; nothing may be sent to it any more.
    func reap() {
        var raw: Int32 = 0
        while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
        // waitpid(2): WIFEXITED, WEXITSTATUS, WTERMSIG.
        status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
    }
}

extension SpeechProcess.Failure {
    fileprivate init(_ number: Int32) { self.init(description: String(cString: strerror(number))) }
}
