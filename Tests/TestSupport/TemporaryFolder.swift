public import Foundation
import Glibc

/// A new folder under the one for temporary files (`TMPDIR`, or /tmp), removed with this object.
public final class TemporaryFolder: Sendable {
    public let url: URL
    public var path: String { url.path }

    public init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        url = URL(filePath: "\(parent)/clup-test-\(UUID().uuidString.prefix(13))")
        // Other users may pass through, since a private cupsd's helpers run as another user.
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o711])
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in it.
    public func file(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file in it and returns its path.
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        try Data(bytes).write(to: url.appending(path: name))
        return file(name)
    }

    /// Writes a script in it that can be executed at once, and returns its path.
    ///
    /// A process of its own makes the file: one that a child of this process still has open for writing cannot be
    /// executed (execve(2), ETXTBSY).
    public func writeProgram(_ script: String, to name: String) throws -> String {
        let text = try write(script.utf8, to: "\(name).text")
        let install = try Process.run(
            URL(filePath: "/usr/bin/install"), arguments: ["-m", "755", text, file(name)])
        install.waitUntilExit()
        guard install.terminationStatus == 0 else {
            throw TestSupportError("\(name) cannot be written")
        }
        try FileManager.default.removeItem(atPath: text)
        return file(name)
    }
}
