internal import Glibc

/// The files of a database for their owner only, whatever the umask: there are codes in them.
public enum OwnersFile {
    /// What SQLite keeps beside a database; it makes them with the rights of the database itself.
    private static let parts = ["", "-wal", "-shm", "-journal"]

    /// Makes an empty file where there is none; what else is wrong with the path SQLite tells.
    static func make(_ path: String) {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        // A umask may have taken the owner's rights too.
        fchmod(file, 0o600)
        close(file)
    }

    /// Takes rights away that others have to files of this user's, as an older version made them.
    ///
    /// By name, since closing a database's file would drop the locks that this process has on it (fcntl(2)).
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
