import Dispatch
import Glibc

/// A program of the administrator's that is run to its end.
///
/// posix_spawn(3) and not Foundation's `Process`, which brings 40 MB of language data with it, hands on the signals
/// that a thread blocks, and waits for whatever the program leaves running.
struct DoorProgram {
    let path: String
    /// How long one may take.
    let patience: DispatchTimeInterval
    /// Where threads are waited with.
    let queue: DispatchQueue

    /// Nil where it did what it was to do; else why not.
    func run(_ words: [String]) -> String? {
        guard let pid = start(words) else { return "not-started" }
        let ended = DispatchSemaphore(value: 0)
        queue.async {
            // Its number is nobody else's until it is waited for below.
            var end = siginfo_t()
            while waitid(P_PID, id_t(pid), &end, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            ended.signal()
        }
        let isLate = ended.wait(timeout: .now() + patience) == .timedOut
        if isLate {
            // With all that it started: a shell is often waiting for another program.
            kill(-pid, SIGKILL)
            ended.wait()
        }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return isLate ? "took-too-long" : status == 0 ? nil : "failed"
    }

    /// In a process group of its own, with the environment of this process and no file of it: each is opened
    /// with O_CLOEXEC here.
    private func start(_ words: [String]) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in Int32(0)...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments = ([path] + words).map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var pid: pid_t = 0
        return posix_spawn(&pid, path, &actions, &attributes, arguments, environ) == 0 ? pid : nil
    }
}
