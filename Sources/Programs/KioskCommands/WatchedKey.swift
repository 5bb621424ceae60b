import Cryptography
import KeyFile
import KioskFlow
import Synchronization

/// The machine's key as it lies on the disk now: `rotate` changes it beside a machine that runs, and what is
/// damaged, foreign or gone is no key until it is put right.
final class WatchedKey: Sendable {
    private struct Content {
        var key: WatchedFile<SigningKey, [FileVersion?]>
        var isForgotten = false
    }

    private let stored: SealedKey
    private let credentials: String?
    private let wrappingFile: String
    private let content: Mutex<Content>

    /// `log` is told once why the key cannot be used, and once that it can again.
    init(_ configuration: Configuration, log: @escaping @Sendable (String) -> Void = { _ in }) {
        stored = SealedKey.ofMachine(state: configuration.state)
        credentials = StateDirectory.credentials
        wrappingFile = configuration.wrappingKeyFile
        content = Mutex(Content(key: WatchedFile("the machine's key", log: log)))
    }

    /// Looked at before each signature: where the files are other ones, or did not do, they are read again.
    func key() throws -> SigningKey {
        try content.withLock { content in
            let version = [
                stored.version, WrappingKey.version(credentials: credentials, file: wrappingFile),
            ]
            guard !content.isForgotten else { throw KeyFileError.absent(stored.path) }
            return try content.key.current(version) { try stored.load(under: wrappingKey()) }
        }
    }

    /// `key` for who tells customers why there is none.
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

    /// The key that is to follow; made where there is none yet.
    func next() throws -> SigningKey {
        try stored.next.exists
            ? stored.next.load(under: wrappingKey()) : stored.next.make(under: wrappingKey())
    }

    /// From now on the next key is the machine's.
    func becomeNext() throws { try stored.becomeNext() }

    /// In memory only while something is opened or sealed with it.
    private func wrappingKey() throws -> GuardedBytes {
        // That there is no key says more than that nothing seals it.
        guard try stored.exists else { throw KeyFileError.absent(stored.path) }
        return try WrappingKey.load(credentials: credentials, file: wrappingFile)
    }
}
