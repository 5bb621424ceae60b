internal import CommandSyntax
internal import Glibc

/// Small files that only their owner may read, written completely or not at all.
public enum PrivateFile {
    /// Whether the file exists; fails if this user may not even look.
    static func exists(_ path: String) throws(KeyFileError) -> Bool {
        if access(path, F_OK) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw failure(path, "looked for") }
        return false
    }

    /// Reads a regular file of this user or of root that no other user may read.
    ///
    /// It is opened without waiting, so that a pipe in its place does not block the program (fifo(7)), and examined
    /// after it is open, so that it cannot be replaced in between.
    public static func read(_ path: String, maxBytes: Int) throws(KeyFileError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw errno == ELOOP ? .notRegular(path) : failure(path, "opened") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure(path, "examined") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw .foreignOwner(path, owner: status.st_uid)
        }
        guard status.st_mode & (S_IRWXG | S_IRWXO) == 0 else { throw .notPrivate(path) }
        var bytes = [UInt8](repeating: 0, count: maxBytes + 1)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw failure(path, "read") }
        guard count <= maxBytes else {
            throw .cannotUse(path, operation: "read", reason: "it is too long")
        }
        defer { wipe(&bytes) }
        return Array(bytes[..<count])
    }

    /// Writes a new file under a temporary name, syncs it, and renames it (rename(2)).
    static func create(_ path: String, _ bytes: [UInt8]) throws(KeyFileError) {
        let passing = "\(path).new"
        unlink(passing)
        let file = open(passing, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure(path, "written") }
        let isWritten = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        var reason = failure(path, "written")
        close(file)
        let isNamed = isWritten && rename(passing, path) == 0
        if isWritten { reason = failure(path, "written") }
        guard isNamed else {
            unlink(passing)
            throw reason
        }
        syncFolder(of: path)
    }

    /// Renames a file over another one, which is then gone (rename(2)); durable on return.
    static func move(_ path: String, to other: String) throws(KeyFileError) {
        guard rename(path, other) == 0 else { throw failure(path, "renamed") }
        syncFolder(of: other)
    }

    private static func syncFolder(of path: String) {
        let slash = path.lastIndex(of: "/")
        let folder = open(slash.map { String(path[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    /// Overwrites bytes so that no copy remains in memory; the compiler cannot leave it out (bzero(3)).
    static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            explicit_bzero(start, bytes.count)
        }
    }

    private static func failure(_ path: String, _ operation: String) -> KeyFileError {
        let error = CommandError.system(errno) { $0 }
        return .cannotUse(path, operation: operation, reason: error.description, error.status)
    }
}

/// A short text in a file that only its owner may read, written completely or not at all.
public struct PrivateText: Sendable {
    /// Room for a line for each of some thousand shops.
    private static let maxBytes = 1 << 20

    public let path: String

    public init(path: String) { self.path = path }

    /// The text of the file; nil if there is no readable file.
    public var text: String? {
        (try? PrivateFile.read(path, maxBytes: Self.maxBytes)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Replaces the text (rename(2)).
    public func write(_ text: String) throws { try PrivateFile.create(path, Array(text.utf8)) }
}
