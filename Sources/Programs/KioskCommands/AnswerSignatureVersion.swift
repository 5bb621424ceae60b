import BackendAPI
import Cryptography
import Glibc
import Synchronization

/// The form of answers that the backend of a key is known to sign: after its first answer that is bound to the whole
/// request, its older form is no longer believed, also after a restart. Otherwise an attacker in the path could ask
/// for the older form.
final class AnswerSignatureVersion: Sendable {
    private struct Content {
        /// The key that is known to sign the newer form.
        var known: PublicKey?
        var isKept = false
        var isOlderLogged = false
    }

    private static let name = "binds-whole-requests"
    private let path: String
    private let log: @Sendable (String) -> Void
    private let content = Mutex(Content())

    /// - Parameter state: the machine's own directory.
    init(state: String, log: @escaping @Sendable (String) -> Void) {
        path = "\(state)/backend-answers.conf"
        self.log = log
    }

    /// Whether to believe an answer of this use, which `key` has signed; remembers the form of the answer.
    func allows(_ use: AnswerUse, of key: PublicKey) -> Bool {
        content.withLock { content in
            if content.known != key {
                content = Content()
                if kept == key.text { content = Content(known: key, isKept: true) }
            }
            guard use == .older else {
                if !content.isKept {
                    content.isKept = KeyValueFile.keep([(Self.name, key.text)], at: path)
                    if !content.isKept, content.known == nil {
                        log("\(path) cannot be written: \(String(cString: strerror(errno)))")
                    }
                    content.known = key
                }
                return true
            }
            guard content.known == key else { return true }
            if !content.isOlderLogged {
                log(
                    "the backend answers in an older form than before, which is not believed: something stands "
                        + "between, or an older backend was installed again; for that one, take away \(path) "
                        + "and start the machine again")
            }
            content.isOlderLogged = true
            return false
        }
    }

    private var kept: String? {
        guard access(path, F_OK) == 0 else { return nil }
        return try? KeyValueFile(path, kind: "record of the backend's answers")[Self.name]
    }
}
