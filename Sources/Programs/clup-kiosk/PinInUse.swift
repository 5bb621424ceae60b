import Cryptography
import KioskFlow
import Synchronization

/// The backend's key that this machine believes: as configured, or as it lies on the disk now.
///
/// What is damaged, or gone since the start, is no reason to trust anybody: nothing is sent until it is right.
final class PinInUse: Sendable {
    private struct Content {
        var key: PublicKey?
        var version: [Int]?
        var isPinned: Bool
        /// What was logged last; nil where all was well.
        var trouble: String?
    }

    private let given: PublicKey?
    private let pin: BackendPin
    private let content: Mutex<Content>
    private let log: @Sendable (String) -> Void

    /// `log` is told once why the key cannot be used, and once that it can again.
    init(
        _ configuration: Configuration, log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        given = try configuration.givenBackendKey
        pin = BackendPin(state: configuration.state)
        content = Mutex(Content(isPinned: given != nil || pin.version != nil))
        self.log = log
    }

    /// Whether answers of another backend are refused.
    var isPinned: Bool { content.withLock { $0.isPinned } }

    /// Nil where none is pinned; read again where the file is another one.
    func key() throws -> PublicKey? {
        if let given { return given }
        return try content.withLock { content in
            guard content.isPinned || pin.version != nil else { return nil }
            let version = pin.version
            if let key = content.key, version == content.version { return key }
            content.isPinned = true
            do {
                content.key = nil
                guard let key = try pin.key else { throw pin.gone }
                content.key = key
                content.version = version
                if content.trouble != nil { log("the backend's pinned key can be used again") }
                content.trouble = nil
                return key
            } catch {
                let trouble = "\(error)"
                if trouble != content.trouble {
                    log("the backend's pinned key cannot be used: \(trouble)")
                }
                content.trouble = trouble
                throw error
            }
        }
    }
}
