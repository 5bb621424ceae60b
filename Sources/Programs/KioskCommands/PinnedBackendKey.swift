import CommandSyntax
import Cryptography
import Glibc
import KeyFile
import Synchronization

/// The backend's key that this machine believes: from the configuration, or from the file that enrolment wrote.
///
/// If the file is damaged, or missing since the start, no backend is trusted: nothing is sent until it is repaired.
final class PinnedBackendKey: Sendable {
    private struct Content {
        var key: WatchedFile<PublicKey, FileVersion?>
        var isPinned: Bool
    }

    private static let name = "backend-key"
    private static let remedy =
        "Write it again as \"\(name) = KEY\", KEY being what \"clup-backend key\" prints."

    private let given: PublicKey?
    private let path: String
    private let content: Mutex<Content>

    /// `log` is called once when the key cannot be used, and once when it can again.
    init(_ configuration: Configuration, log: @escaping @Sendable (String) -> Void = { _ in }) {
        given = configuration.givenBackendKey
        path = "\(configuration.state)/backend.conf"
        content = Mutex(
            Content(
                key: WatchedFile("the backend's pinned key", log: log),
                isPinned: given != nil || FileVersion(of: path) != nil))
    }

    /// Whether a key is pinned, so that answers of other backends are refused.
    var isPinned: Bool { content.withLock { $0.isPinned } }

    /// The key; nil if none is pinned. The file is read again if it was replaced.
    func key() throws -> PublicKey? {
        if let given { return given }
        return try content.withLock { content in
            let version = FileVersion(of: path)
            guard content.isPinned || version != nil else { return nil }
            content.isPinned = true
            return try content.key.current(version) {
                guard let key = try stored else {
                    throw CommandError.configuration("\(path) is gone. \(Self.remedy)")
                }
                return key
            }
        }
    }

    /// The key in the file; nil if there is no file. A damaged file throws, as it must not make the machine trust any
    /// backend.
    var stored: PublicKey? {
        get throws {
            guard access(path, F_OK) == 0 else { return nil }
            let file: KeyValueFile
            do { file = try KeyValueFile(path, kind: "pinned key") } catch {
                throw CommandError.configuration("\(error) \(Self.remedy)")
            }
            guard let key = file[Self.name].flatMap({ PublicKey(text: $0) }) else {
                throw CommandError.configuration("\(path) holds no public key. \(Self.remedy)")
            }
            return key
        }
    }

    func keep(_ key: PublicKey) throws {
        guard KeyValueFile.keep([(Self.name, key.text)], at: path) else {
            throw CommandError.system(errno) { "\(path) cannot be written: \($0)." }
        }
    }
}
