import BackendAPI
import Cryptography
import Glibc
import Synchronization

/// Which form of answers the backend of a key is known to sign: once it has bound one to the whole request, its
/// older form is believed no more, also after a restart. Otherwise who is in the path could ask for the older one.
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

    /// `state` is the machine's own directory.
    init(state: String, log: @escaping @Sendable (String) -> Void) {
        path = "\(state)/backend-answers.conf"
        self.log = log
    }

    /// Whether an answer of this standing is to be believed, which `key` has signed; remembers what it shows.
    func allows(_ standing: AnswerUse, of key: PublicKey) -> Bool {
        content.withLock { content in
            if content.known != key {
                content = Content()
                if kept == key.text { content = Content(known: key, isKept: true) }
            }
            guard standing == .older else {
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
                        + "and start the machine anew")
            }
            content.isOlderLogged = true
            return false
        }
    }

    /// The key in the file; nil where there is none.
    private var kept: String? {
        guard access(path, F_OK) == 0 else { return nil }
        return try? KeyValueFile.read(path, kind: "record of the backend's answers")
            .first { $0.name == Self.name }?.value
    }
}
