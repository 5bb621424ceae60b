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

    /// Runs a body and stops programs after it, also if it throws.
    static func stopping(
        _ programs: RunningProgram..., after body: () async throws -> Void
    ) async throws {
        var failure: (any Error)?
        do { try await body() } catch { failure = error }
        for program in programs { await program.stop() }
        if let failure { throw failure }
    }

    /// The words before a command line that run it as an ordinary user, not as root.
    static let asUnprivilegedUser =
        geteuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["env"]
}
