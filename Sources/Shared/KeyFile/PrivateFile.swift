internal import Glibc

/// Small files for their owner only, written whole or not at all.
enum PrivateFile {
    /// Whether the file is there; fails where this user may not even look.
    static func exists(_ path: String) throws(KeyFileError) -> Bool {
        if access(path, F_OK) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw failure(path, "looked for") }
        return false
    }

    /// Reads a regular file of this user's, or of root's, that nobody else may read.
    ///
    /// It is opened without waiting, so that no pipe in its place holds the program up (fifo(7)), and looked at once it
    /// is open, so that nothing is put in its place meanwhile.
    static func read(_ path: String, longest: Int) throws(KeyFileError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            throw errno == ELOOP ? .notRegular(path) : failure(path, "opened")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure(path, "examined") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw .foreignOwner(path, owner: status.st_uid)
        }
        guard status.st_mode & (S_IRWXG | S_IRWXO) == 0 else { throw .notPrivate(path) }
        var bytes = [UInt8](repeating: 0, count: longest + 1)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw failure(path, "read") }
        guard count <= longest else {
            throw .cannotUse(path, operation: "read", reason: "it is too long")
        }
        defer { wipe(&bytes) }
        return Array(bytes[..<count])
    }

    /// Writes a new file under a passing name, syncs it, and gives it its name (rename(2)).
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

    /// Gives a file another's name, which then is gone (rename(2)); durable on return.
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

    /// Overwrites bytes that nobody else has a copy of; the compiler cannot leave it out (bzero(3)).
    static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            explicit_bzero(start, bytes.count)
        }
    }

    private static func failure(_ path: String, _ operation: String) -> KeyFileError {
        .cannotUse(path, operation: operation, reason: String(cString: strerror(errno)))
    }
}

/// A short text for its owner only, in a file that is written whole or not at all.
public struct PrivateText: Sendable {
    /// A line for each of some thousand shops.
    private static let maxBytes = 1 << 20

    public let path: String

    public init(path: String) { self.path = path }

    /// What it says; nil where there is none that can be read.
    public var text: String? {
        (try? PrivateFile.read(path, longest: Self.maxBytes)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Puts another text in its place (rename(2)).
    public func write(_ text: String) throws { try PrivateFile.create(path, Array(text.utf8)) }
}
