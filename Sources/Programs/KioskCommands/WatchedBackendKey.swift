import Cryptography
import KeyFile
import Synchronization

/// The backend's key that this machine believes: from the configuration, or from the present file.
///
/// If the file is damaged, or missing since the start, no backend is trusted: nothing is sent until it is repaired.
final class WatchedBackendKey: Sendable {
    private struct Content {
        var key: WatchedFile<PublicKey, FileVersion?>
        var isPinned: Bool
    }

    private let given: PublicKey?
    private let pin: PinnedBackendKey
    private let content: Mutex<Content>

    /// `log` is called once when the key cannot be used, and once when it can again.
    init(
        _ configuration: Configuration, log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        given = configuration.givenBackendKey
        pin = PinnedBackendKey(state: configuration.state)
        content = Mutex(
            Content(
                key: WatchedFile("the backend's pinned key", log: log),
                isPinned: given != nil || pin.version != nil))
    }

    /// Whether a key is pinned, so that answers of other backends are refused.
    var isPinned: Bool { content.withLock { $0.isPinned } }

    /// The key; nil if none is pinned. The file is read again if it was replaced.
    func key() throws -> PublicKey? {
        if let given { return given }
        return try content.withLock { content in
            guard content.isPinned || pin.version != nil else { return nil }
            content.isPinned = true
            return try content.key.current(pin.version) {
                guard let key = try pin.key else { throw pin.gone }
                return key
            }
        }
    }
}
