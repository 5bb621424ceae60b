internal import Glibc
public import ReservationStore
internal import SQLite

/// Complete copies of an SQLite database: taken beside a running server, restored only while none runs.
public enum SQLiteBackup {
    /// Copies what is committed now to a new file, which is on the disk, checked and complete when this returns.
    ///
    /// - Parameter replaces: Whether an existing file is replaced; otherwise it is refused.
    /// - Returns: The size of the copy in bytes.
    @discardableResult
    public static func backUp(
        _ path: String, to target: String, replaces: Bool
    ) throws(StoreError) -> Int64 {
        guard SQLiteDatabase.size(of: path) ?? 0 > 0 else {
            throw StoreError(
                .missing, operation: "back up \(path)", "there is no database at \(path)")
        }
        guard replaces || SQLiteDatabase.size(of: target) == nil else {
            throw taken(target, ", or say that it may be replaced")
        }
        return try complete(target, "back up to \(target)") { copy throws(StoreError) in
            try SQLiteDatabase.translated(opening: path) { try connect(path).copy(into: copy) }
        }
    }

    /// Puts a backup in the database's place; refuses this while a server works on the database, and if the backup is
    /// damaged. The former database is kept beside it.
    ///
    /// - Parameter suffix: Follows the former database's name, as ".before-restore".
    /// - Returns: The path of the former database; nil if there was none.
    public static func restore(
        _ path: String, from backup: String, keepingAs suffix: String
    ) throws(StoreError) -> String? {
        guard SQLiteDatabase.size(of: backup) ?? 0 > 0 else {
            throw StoreError(
                .missing, operation: "restore \(backup)", "there is no backup at \(backup)")
        }
        guard SQLiteDatabase.size(of: backup + "-wal") ?? 0 == 0 else {
            throw StoreError(
                .refused, operation: "restore \(backup)",
                "\(backup) is in use, or was copied while it was: there is a \(backup)-wal; "
                    + "`clup-backend database backup` makes a whole one")
        }
        let lock = try ServerLock(database: path)
        defer { withExtendedLifetime(lock) {} }
        let former = path + suffix
        guard SQLiteDatabase.size(of: former) == nil else { throw taken(former) }
        var isKept = false
        _ = try complete(path, "restore to \(path)") { copy throws(StoreError) in
            try copyBytes(of: backup, to: copy)
        } beforeRename: { () throws(StoreError) in
            // The last writes may be in the -wal only: both files are kept together under the other name.
            for part in ["", "-wal"] where SQLiteDatabase.size(of: path + part) != nil {
                guard rename(path + part, former + part) == 0 else {
                    throw failed("keep the former \(path)")
                }
                isKept = true
            }
            unlink(path + "-shm")
            OwnersFile.mend(former)
        }
        return isKept ? former : nil
    }

    /// Makes a file under another name, checks it, flushes it and gives it its final name at the end.
    private static func complete(
        _ target: String, _ operation: String, make: (String) throws(StoreError) -> Void,
        beforeRename: () throws(StoreError) -> Void = { () throws(StoreError) in }
    ) throws(StoreError) -> Int64 {
        let copy = "\(target).part-\(getpid())"
        defer { for part in ["", "-wal", "-shm", "-journal"] { unlink(copy + part) } }
        // The file contains codes: only its owner may read it, even if others could read the file that it replaces.
        let descriptor = open(copy, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failed(operation) }
        fchmod(descriptor, 0o600)
        defer { close(descriptor) }
        try make(copy)
        try verify(copy)
        var status = stat()
        if stat(target, &status) == 0 {
            // Only root can change a file's owner; for any other user the file is theirs already.
            _ = fchown(descriptor, status.st_uid, status.st_gid)
        }
        guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else {
            throw failed(operation)
        }
        try beforeRename()
        guard rename(copy, target) == 0 else { throw failed(operation) }
        try flushFolder(of: target)
        return Int64(status.st_size)
    }

    /// Refuses a file that is not a complete database of this program.
    private static func verify(_ path: String) throws(StoreError) {
        let (findings, versions) = try SQLiteDatabase.translated(opening: path) {
            let connection = try connect(path)
            return (
                try SQLiteDatabase.integrity(of: connection),
                try connection.rows("SELECT version FROM schema_version") { $0.integer(0) }
            )
        }
        if let finding = findings.first {
            throw StoreError(
                .corrupt, operation: "check \(path)", "the copy is damaged: \(finding)")
        }
        guard let version = versions.first, version <= Schema.version else {
            throw StoreError(
                .newer, operation: "check \(path)",
                "the database was written by a newer version of this program")
        }
    }

    private static func connect(_ path: String) throws(SQLiteError) -> Connection {
        try Connection(path: path, opening: .existing, applicationID: SQLiteDatabase.applicationID)
    }

    private static func copyBytes(of source: String, to copy: String) throws(StoreError) {
        let from = open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw failed("read \(source)") }
        defer { close(from) }
        let to = open(copy, O_WRONLY | O_CLOEXEC)
        guard to >= 0 else { throw failed("write \(copy)") }
        defer { close(to) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(from, &bytes, bytes.count)
            if count == 0 { return }
            guard count > 0 else { throw failed("read \(source)") }
            var written = 0
            while written < count {
                let more = bytes.withUnsafeBytes {
                    write(to, $0.baseAddress?.advanced(by: written), count - written)
                }
                guard more > 0 else { throw failed("write \(copy)") }
                written += more
            }
        }
    }

    /// Flushes a file's folder, since a new name is on the disk only when its folder is (fsync(2)).
    private static func flushFolder(of path: String) throws(StoreError) {
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed("flush \(folder)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failed("flush \(folder)") }
    }

    private static func taken(_ path: String, _ other: String = "") -> StoreError {
        StoreError(
            .refused, operation: "write \(path)",
            "there is a file \(path) already; give another name\(other)")
    }

    private static func failed(_ operation: String) -> StoreError {
        let reason = String(cString: strerror(errno))
        return StoreError(
            errno == ENOSPC ? .full : .inputOutput, operation: operation,
            "cannot \(operation) (\(reason))")
    }
}

extension SQLiteDatabase {
    /// The faults that SQLite itself finds in the file: pages, indices, rows that refer to nothing.
    public func integrity() throws(StoreError) -> [String] {
        try Self.translated { try Self.integrity(of: connection) }
    }

    static func integrity(of connection: Connection) throws -> [String] {
        let pages = try connection.rows("PRAGMA integrity_check(20)") { $0.text(0) }
        let references = try connection.rows("PRAGMA foreign_key_check") {
            "a row of \($0.text(0)) refers to a row of \($0.text(2)) that is not there"
        }
        return pages.filter { $0 != "ok" } + references
    }
}
