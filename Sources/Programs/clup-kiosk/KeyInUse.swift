import Cryptography
import KeyFile
import KioskFlow
import Synchronization

/// The machine's key as it lies on the disk now: `rotate` changes it beside a machine that runs, and what is
/// damaged, foreign or gone is no key until it is put right.
final class KeyInUse: Sendable {
    private struct Content {
        /// Nil while what is on the disk cannot be used.
        var key: SigningKey?
        var version: [[Int]?] = []
        /// What was logged last; nil where all was well.
        var trouble: String?
        var isForgotten = false
    }

    private let stored: SealedKey
    private let credentials: String?
    private let wrappingFile: String
    private let content = Mutex(Content())
    private let log: @Sendable (String) -> Void

    /// `log` is told once why the key cannot be used, and once that it can again.
    init(_ configuration: Configuration, log: @escaping @Sendable (String) -> Void = { _ in }) {
        stored = SealedKey.ofMachine(state: configuration.state)
        credentials = StateDirectory.credentials
        wrappingFile = configuration.wrappingKeyFile
        self.log = log
    }

    /// Looked at before each signature: where the files are other ones, or did not do, they are read again.
    func key() throws -> SigningKey {
        try content.withLock { content in
            let version = [
                stored.version, WrappingKey.version(credentials: credentials, file: wrappingFile),
            ]
            if let key = content.key, version == content.version { return key }
            guard !content.isForgotten else { throw KeyFileError.absent(stored.path) }
            do {
                content.key = nil
                let key = try stored.load(under: wrappingKey())
                content.key = key
                content.version = version
                if content.trouble != nil { log("the machine's key can be used again") }
                content.trouble = nil
                return key
            } catch {
                let trouble = "\(error)"
                if trouble != content.trouble {
                    log("the machine's key cannot be used: \(trouble)")
                }
                content.trouble = trouble
                throw error
            }
        }
    }

    /// `key` for who tells customers why there is none.
    func usableKey() throws(KeyTrouble) -> SigningKey {
        do { return try key() } catch let error as KeyFileError {
            switch error {
            case .absent, .noWrappingKey: throw .missing
            case .foreign: throw .foreign
            case .alreadyThere, .badWrappingKey, .doesNotOpen, .notPrivate, .cannotUse:
                throw .damaged
            }
        } catch { throw .damaged }
    }

    /// Wipes the key from the memory, for good (sodium_free(3)).
    func forget() {
        content.withLock { content in
            content.key = nil
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
