internal import Glibc
internal import ReservationStore
internal import SQLite

/// The right to serve a database, held as a lock on a file beside it (rules 27).
///
/// An advisory lock (flock(2)): the system drops it when the process ends, however it ends.
final class ServerLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock of the database at `path`; refuses with the process that has it.
    init(database path: String) throws(StoreError) {
        let file = path + ".serve"
        // Whoever may read it could take the lock.
        OwnersFile.mend(file)
        descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(
                .readOnly, operation: "lock \(file)",
                "the file \(file) cannot be written (\(String(cString: strerror(errno))))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.holder(descriptor)
            // Closed by `deinit`, as the value is whole: twice would close another's file.
            throw StoreError(
                .served, operation: "lock \(file)",
                "another server (process \(holder)) works on \(path); stop it first, "
                    + "or give this one another database")
        }
        let text = "\(getpid())\n"
        ftruncate(descriptor, 0)
        // Only a help for whoever is refused: the lock holds without it.
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
