import CommandSyntax
import Glibc

/// A file of settings with its comments: a change edits only the lines of the changed settings.
struct SettingsFile {
    let path: String
    private let isShell: Bool
    private let before: [String]?
    private var lines: [String]

    /// Reads the file; a missing file counts as empty.
    ///
    /// - Parameter isShell: `NAME=value`, as systemd and shells read it, instead of `name = value`.
    init(path: String, isShell: Bool = false) throws {
        self.path = path
        self.isShell = isShell
        guard access(path, F_OK) == 0 else {
            before = nil
            lines = []
            return
        }
        guard let read = [String](linesOf: path) else { throw Self.failure(path, "read") }
        before = read
        lines = read
    }

    func value(_ name: String) -> String? {
        lines.lazy.compactMap { line in
            Self.parts(line).flatMap { $0.name == name ? $0.value : nil }
        }.first
    }

    /// Sets a value, on the line of the setting or otherwise after its commented line; nil removes it.
    mutating func set(_ name: String, _ value: String?) {
        let place = lines.firstIndex { Self.parts($0)?.name == name }
        guard let value else {
            if let place { lines.remove(at: place) }
            return
        }
        let line = isShell ? "\(name)=\(value)" : "\(name) = \(value)"
        if let place {
            if Self.parts(lines[place])?.value != value { lines[place] = line }
        } else if let example = lines.firstIndex(where: { isExample($0, of: name) }) {
            lines.insert(line, at: example + 1)
        } else {
            lines.append(line)
        }
    }

    /// Writes the file completely or not at all (rename(2)), with its former rights, and says so; does nothing if
    /// nothing changed.
    func write(_ say: (String) -> Void) throws {
        guard lines != before ?? [] else { return }
        let passing = "\(path).new"
        unlink(passing)
        let file = open(passing, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard file >= 0 else { throw Self.failure(path, "written") }
        var old = stat()
        if stat(path, &old) == 0 {
            fchmod(file, old.st_mode & 0o7777)
            _ = fchown(file, old.st_uid, old.st_gid)
        }
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        let failure = Self.failure(path, "written")
        close(file)
        guard isWritten, rename(passing, path) == 0 else {
            unlink(passing)
            throw failure
        }
        say("\(path) is written.")
    }

    private func isExample(_ line: String, of name: String) -> Bool {
        guard line.hasPrefix("#") else { return false }
        return Self.parts(String(line.drop { $0 == "#" || $0 == " " }))?.name == name
    }

    private static func parts(_ line: String) -> (name: String, value: String)? {
        let text = line.trimmed
        guard !text.hasPrefix("#"), let equals = text.firstIndex(of: "=") else { return nil }
        let value = String(text[text.index(after: equals)...]).trimmed
        return value.isEmpty ? nil : (String(text[..<equals]).trimmed, value)
    }

    private static func failure(_ path: String, _ operation: String) -> CommandError {
        let reason = String(cString: strerror(errno))
        let remedy = errno == EACCES ? " Run this as root (sudo)." : ""
        return CommandError.configuration("\(path) cannot be \(operation): \(reason).\(remedy)")
    }
}
