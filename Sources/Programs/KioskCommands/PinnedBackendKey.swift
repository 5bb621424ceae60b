import CommandSyntax
import Cryptography
import Glibc
import KeyFile

/// The backend's public key from enrolment: only the answers of this backend are believed.
struct PinnedBackendKey {
    private let path: String
    private static let name = "backend-key"

    init(state: String) { path = "\(state)/backend.conf" }

    /// Changes when the file is replaced; nil if there is none.
    var version: FileVersion? { FileVersion(of: path) }

    private static let cure =
        "Write it again as \"\(name) = KEY\", KEY being what \"clup-backend key\" prints."

    /// The error if a key was pinned and its file is missing.
    var gone: CommandError {
        CommandError.configuration("\(path) is gone. \(Self.cure)")
    }

    /// The pinned key; nil if none was pinned. A damaged file throws, as it must not make the machine trust any
    /// backend.
    var key: PublicKey? {
        get throws {
            guard access(path, F_OK) == 0 else { return nil }
            let file: KeyValueFile
            do { file = try KeyValueFile(path, kind: "pinned key") } catch {
                throw CommandError.configuration("\(error) \(Self.cure)")
            }
            guard let key = file[Self.name].flatMap({ PublicKey(text: $0) }) else {
                throw CommandError.configuration("\(path) holds no public key. \(Self.cure)")
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
