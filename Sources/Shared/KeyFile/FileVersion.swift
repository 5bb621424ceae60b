internal import Glibc

/// Distinguishes a file from an earlier one at the same path: its inode and the time of its last change (stat(2)).
public struct FileVersion: Hashable, Sendable {
    private let inode: UInt
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil if there is no such file.
    public init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = status.st_ino
        seconds = status.st_ctim.tv_sec
        nanoseconds = status.st_ctim.tv_nsec
    }
}
