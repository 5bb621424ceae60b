import Cryptography
import KeyFile
import Synchronization

/// The machine's key as it lies on the disk now: `rotate` changes it beside a machine that runs.
final class KeyInUse: Sendable {
    private struct Content {
        var key: SigningKey
        var version: [Int]?
    }

    private let stored: SealedKey
    private let wrappingKey: GuardedBytes
    private let content: Mutex<Content>

    init(_ configuration: Configuration) throws {
        stored = SealedKey.ofMachine(state: configuration.state)
        guard try stored.exists else { throw KeyFileError.absent(stored.path) }
        wrappingKey = try WrappingKey.load(
            credentials: StateDirectory.credentials, file: configuration.wrappingKeyFile)
        let version = stored.version
        content = Mutex(Content(key: try stored.load(under: wrappingKey), version: version))
    }

    /// Looked at before each signature; what cannot be read is left for the next time.
    var key: SigningKey {
        content.withLock { content in
            let version = stored.version
            if version != content.version, let key = try? stored.load(under: wrappingKey) {
                content = Content(key: key, version: version)
            }
            return content.key
        }
    }

    /// The key that is to follow; made where there is none yet.
    func next() throws -> SigningKey {
        try stored.next.exists
            ? stored.next.load(under: wrappingKey) : stored.next.make(under: wrappingKey)
    }

    /// From now on the next key is the machine's.
    func becomeNext() throws { try stored.becomeNext() }
}
