import Foundation
import TestSupport

/// A real terminal without a screen: a pane of a private tmux server, whose other side tests open.
final class Tmux {
    private let socket = NSTemporaryDirectory() + "clup-tmux-" + UUID().uuidString
    let tty: String
    let descriptor: Int32

    init(columns: Int, rows: Int) throws {
        _ = try Self.tmux(
            socket, "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
            "sleep 600")
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

    /// Whether the pane's text, trailing spaces cut, comes to fulfil a condition; tmux reads at its own pace.
    func shows(_ condition: ([String]) -> Bool) throws -> Bool {
        try blocks {
            let lines = try Self.tmux(socket, "capture-pane", "-p", "-J")
                .split(separator: "\n", omittingEmptySubsequences: false)
            return condition(lines.map { String($0.reversed().drop { $0 == " " }.reversed()) })
        }
    }

    func type(_ text: String) throws { try Self.tmux(socket, "send-keys", "-l", text) }
    func press(_ keys: String...) throws {
        for key in keys { try Self.tmux(socket, "send-keys", key) }
    }

    func resize(columns: Int, rows: Int) throws {
        try Self.tmux(socket, "resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    func value(_ format: String) throws -> String {
        try Self.tmux(socket, "display", "-p", format)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @discardableResult
    private static func tmux(_ socket: String, _ arguments: String...) throws -> String {
        try Tool.succeedBlocking(
            "tmux", ["-u", "-S", socket] + arguments,
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"])
    }
}
