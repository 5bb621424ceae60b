import Foundation
import Glibc
import TestSupport

/// The programs that were built together with these tests.
enum Programs {
    private static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
    static let kiosk = folder.appending(path: "clup-kiosk").path
    static let backend = folder.appending(path: "clup-backend").path
    static let assets = Tool.repository.appending(path: "Assets").path

    /// The words before a command line that run it as an ordinary user, not as root.
    static let asUnprivilegedUser =
        geteuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["env"]
}
