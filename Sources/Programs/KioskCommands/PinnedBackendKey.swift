import CommandSyntax
import Cryptography
import Glibc
import KeyFile

/// The backend's public key as enrolment has pinned it: no other backend's answers are believed.
struct PinnedBackendKey {
    private let path: String
    private static let name = "backend-key"

    init(state: String) { path = "\(state)/backend.conf" }

    /// Another value once the file is another one; nil if there is none.
    var version: FileVersion? { FileVersion(of: path) }

    private static let cure =
        "Write it again as \"\(name) = KEY\", KEY being what \"clup-backend key\" prints."

    /// What is to be said where a key was pinned and its file is gone.
    var gone: CommandError {
        CommandError.configuration("\(path) is gone. \(Self.cure)")
    }

    /// The pinned key; nil where none was pinned. A file that is damaged is no reason to trust anybody.
    var key: PublicKey? {
        get throws {
            guard access(path, F_OK) == 0 else { return nil }
            let lines: [(number: Int, name: String, value: String)]
            do { lines = try KeyValueFile.read(path, kind: "pinned key") } catch {
                throw CommandError.configuration("\(error) \(Self.cure)")
            }
            guard let value = lines.first(where: { $0.name == Self.name })?.value,
                let key = PublicKey(text: value)
            else {
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
