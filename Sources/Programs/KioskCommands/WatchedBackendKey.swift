import Cryptography
import KeyFile
import Synchronization

/// The backend's key that this machine believes: as configured, or as it lies on the disk now.
///
/// What is damaged, or gone since the start, is no reason to trust anybody: nothing is sent until it is right.
final class WatchedBackendKey: Sendable {
    private struct Content {
        var key: WatchedFile<PublicKey, FileVersion?>
        var isPinned: Bool
    }

    private let given: PublicKey?
    private let pin: PinnedBackendKey
    private let content: Mutex<Content>

    /// `log` is told once why the key cannot be used, and once that it can again.
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

    /// Whether answers of another backend are refused.
    var isPinned: Bool { content.withLock { $0.isPinned } }

    /// Nil where none is pinned; read again where the file is another one.
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
