internal import Glibc

/// Restricts the files of a database to their owner, whatever the umask: they contain codes.
public enum OwnersFile {
    /// The files that SQLite keeps beside a database, which it creates with the rights of the database itself.
    private static let parts = ["", "-wal", "-shm", "-journal"]

    /// Makes an empty file if there is none; SQLite reports other faults of the path.
    static func make(_ path: String) {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        // A umask may have taken the owner's rights too.
        fchmod(file, 0o600)
        close(file)
    }

    /// Removes the rights of other users to files of this user, which an older version granted.
    ///
    /// It uses names, since closing a database's file would drop the locks that this process has on it (fcntl(2)).
    public static func mend(_ path: String) {
        guard let real = realpath(path, nil) else { return }
        defer { free(real) }
        for part in parts {
            let name = String(cString: real) + part
            var status = stat()
            guard lstat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_uid == geteuid(), status.st_mode & (S_IRWXG | S_IRWXO) != 0
            else { continue }
            chmod(name, status.st_mode & S_IRWXU)
        }
    }
}
