import Foundation
import TestSupport

/// A real terminal without a screen: a pane of a private tmux server, whose other side tests open.
final class Tmux {
    private let socket = NSTemporaryDirectory() + "clup-tmux-" + UUID().uuidString
    let tty: String
    let descriptor: Int32

    init(columns: Int, rows: Int) throws {
        // The server keeps its output open, so waiting for the end of the output would never end.
        try Self.spawn(
            socket,
            [
                "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
                "sleep 600",
            ],
            output: "/dev/null")
        _ = try Self.tmux(socket, "set", "-g", "status", "off")
        tty = try Self.tmux(socket, "display", "-p", "#{pane_tty}")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        descriptor = open(tty, O_RDWR | O_NOCTTY)
        // Before its program runs, the pane's process sets the terminal's modes.
        let pane = try value("#{pane_pid}")
        _ = blocks {
            let name = FileManager.default.contents(atPath: "/proc/\(pane)/comm") ?? Data()
            return String(decoding: name, as: UTF8.self) == "sleep\n"
        }
    }

    deinit {
        close(descriptor)
        _ = try? Self.tmux(socket, "kill-server")
        try? FileManager.default.removeItem(atPath: socket)
    }

    /// The pane's text, trailing spaces cut.
    func screen(colours: Bool = false) throws -> [String] {
        try Self.tmux(socket, "capture-pane", "-p", colours ? "-e" : "-J")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.reversed().drop { $0 == " " }.reversed()) }
    }

    /// Whether the screen comes to fulfil a condition; tmux reads at its own pace.
    func shows(_ condition: ([String]) -> Bool) throws -> Bool {
        try blocks { condition(try screen()) }
    }

    func type(_ text: String) throws { try Self.tmux(socket, "send-keys", "-l", text) }
    func press(_ keys: String...) throws { try Self.tmux(socket, ["send-keys"] + keys) }

    func resize(columns: Int, rows: Int) throws {
        try Self.tmux(socket, "resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    func value(_ format: String) throws -> String {
        try Self.tmux(socket, "display", "-p", format)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @discardableResult
    private static func tmux(_ socket: String, _ arguments: String...) throws -> String {
        try tmux(socket, arguments)
    }

    @discardableResult
    private static func tmux(_ socket: String, _ arguments: [String]) throws -> String {
        let path = socket + "-output"
        defer { unlink(path) }
        try spawn(socket, arguments, output: path)
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Runs a client to its end. Foundation's `Process` waits for every process that inherits one of its
    /// descriptors, and the server would be one.
    private static func spawn(_ socket: String, _ arguments: [String], output: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // A pool's threads have signals blocked, and a server that inherited that could not be ended.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
            texts.map { strdup($0) } + [nil]
        }
        var words = copies(["tmux", "-u", "-S", socket] + arguments)
        var environment = copies(["PATH=/usr/bin:/bin", "TERM=xterm-256color", "LC_ALL=C.UTF-8"])
        defer { (words + environment).forEach { free($0) } }
        var pid = pid_t()
        let error = posix_spawn(&pid, "/usr/bin/tmux", &actions, &attributes, &words, &environment)
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }
}
