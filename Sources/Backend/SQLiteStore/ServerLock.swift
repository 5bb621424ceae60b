internal import Glibc
internal import ReservationStore
internal import SQLite

/// The right to serve a database, held as a lock on a file beside it (rules: one-server).
///
/// It is an advisory lock (flock(2)), which the system releases when the process ends, however it ends.
final class ServerLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock of the database at `path`; a refusal names the process that has it.
    init(database path: String) throws(StoreError) {
        let file = path + ".serve"
        // Any user who may read the file could take the lock.
        OwnersFile.mend(file)
        descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(
                .readOnly, operation: "lock \(file)",
                "the file \(file) cannot be written (\(String(cString: strerror(errno))))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.holder(descriptor)
            // `deinit` closes the descriptor, as all properties are set; closing it here too could close another file.
            throw StoreError(
                .served, operation: "lock \(file)",
                "another server (process \(holder)) works on \(path); stop it first, "
                    + "or give this one another database")
        }
        let text = "\(getpid())\n"
        ftruncate(descriptor, 0)
        // The text only helps a caller that is refused: the lock holds without it.
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }

    deinit { close(descriptor) }

    private static func holder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return "unknown" }
        return String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
