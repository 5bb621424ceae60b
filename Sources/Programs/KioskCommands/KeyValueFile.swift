import CommandSyntax
import Glibc
import TextForms

/// A file of `name = value` lines, comments with `#`, each name once.
struct KeyValueFile {
    private(set) var values: [(number: Int, name: String, value: String)] = []

    /// - Parameter kind: what the file is, as "configuration".
    init(_ path: String, kind: String) throws {
        guard let lines = [String](linesOf: path) else {
            throw CommandError.system(errno) { "The \(kind) \(path) cannot be read: \($0)." }
        }
        try self.init(lines, path: path)
    }

    /// Errors name the file by `path`.
    init(_ lines: [String], path: String) throws {
        for (number, line) in zip(1..., lines) {
            let text = line.trimmed
            if text.isEmpty || text.hasPrefix("#") { continue }
            let parts = text.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
            guard parts.count == 2, !parts[1].isEmpty else {
                throw CommandError.configuration(
                    "\(path), line \(number): \"\(text)\" is not \"name = value\".")
            }
            guard !values.contains(where: { $0.name == parts[0] }) else {
                throw CommandError.configuration(
                    "\(path), line \(number): \"\(parts[0])\" is given twice.")
            }
            values.append((number, parts[0], parts[1]))
        }
    }

    subscript(name: String) -> String? { values.first { $0.name == name }?.value }

    /// Writes a file of the program completely or not at all, also when the power fails (fsync(2), rename(2)); false
    /// if that is not possible, with errno set.
    static func keep(_ values: [(name: String, value: String)], at path: String) -> Bool {
        let passing = "\(path).new"
        guard let file = fopen(passing, "we") else { return false }
        let isWritten = values.allSatisfy { fputs("\($0.name) = \($0.value)\n", file) >= 0 }
        let isOnDisk = isWritten && fflush(file) == 0 && fsync(fileno(file)) == 0
        return fclose(file) == 0 && isOnDisk && rename(passing, path) == 0
    }
}

extension [String] {
    /// The lines of a file; nil, with errno set, if it cannot be read.
    init?(linesOf path: String) {
        self = []
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) >= 0, let line {
            var text = String(cString: line)
            if text.hasSuffix("\n") { text.removeLast() }
            append(text)
        }
    }
}
