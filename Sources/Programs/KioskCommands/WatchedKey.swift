import Cryptography
import KeyFile
import KioskFlow
import Synchronization

/// The machine's key as it is on the disk now: `rotate` changes it while a machine runs, and a damaged, foreign or
/// missing key is not used until it is repaired.
final class WatchedKey: Sendable {
    private struct Content {
        var key: WatchedFile<SigningKey, [FileVersion?]>
        var isForgotten = false
    }

    private let stored: SealedKey
    private let wrapping: WrappingKey
    private let content: Mutex<Content>

    /// `log` is called once when the key cannot be used, and once when it can again.
    init(_ configuration: Configuration, log: @escaping @Sendable (String) -> Void = { _ in }) {
        stored = SealedKey.ofMachine(state: configuration.state)
        wrapping = WrappingKey(
            credentials: StateDirectory.credentials, file: configuration.wrappingKeyFile)
        content = Mutex(Content(key: WatchedFile("the machine's key", log: log)))
    }

    /// The key, checked before each signature: the files are read again if they changed or could not be used.
    func key() throws -> SigningKey {
        try content.withLock { content in
            let version = [stored.version, wrapping.version]
            guard !content.isForgotten else { throw KeyFileError.absent(stored.path) }
            return try content.key.current(version) { try stored.load(under: wrappingKey()) }
        }
    }

    /// `key` with an error for code that shows customers why there is no key.
    func usableKey() throws(KeyTrouble) -> SigningKey {
        do { return try key() } catch let error as KeyFileError {
            switch error {
            case .absent, .noWrappingKey: throw .missing
            case .foreign: throw .foreign
            case .alreadyThere, .badWrappingKey, .doesNotOpen, .notPrivate, .notRegular,
                .foreignOwner, .cannotUse:
                throw .damaged
            }
        } catch { throw .damaged }
    }

    /// Wipes the key from the memory, for good (sodium_free(3)).
    func forget() {
        content.withLock { content in
            content.key.forget()
            content.isForgotten = true
        }
    }

    func next() throws -> SigningKey {
        try stored.next.exists
            ? stored.next.load(under: wrappingKey()) : stored.next.make(under: wrappingKey())
    }

    func becomeNext() throws { try stored.becomeNext() }

    /// The wrapping key is in memory only while something is opened or sealed with it.
    private func wrappingKey() throws -> GuardedBytes {
        // A missing key is a more useful error than a missing wrapping key.
        guard try stored.exists else { throw KeyFileError.absent(stored.path) }
        return try wrapping.load()
    }
}
