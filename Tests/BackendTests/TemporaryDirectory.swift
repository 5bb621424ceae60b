import Foundation

/// A directory that is removed with its owner.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/clup-tests-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw RawClient.Failure(operation: "mkdtemp") }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
