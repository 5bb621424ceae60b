import Cryptography
import Glibc
import KeyFile

/// The key that this backend signs its answers with; made and sealed beside the database file, or where
/// `--state` says, where there is none.
func answerKey(_ arguments: Arguments) throws(CommandError) -> SigningKey {
    let path: String
    switch try DatabasePlace(arguments) {
    case .file(let database):
        guard access(database, F_OK) == 0 else {
            throw .failure(
                "there is no database at \(database); `clup-backend shop add` makes one")
        }
        path = database
    case .postgresql:
        guard let state = arguments.optional("state") else {
            throw .usage(
                "--state is missing: the folder for this backend's own key, which has the same "
                    + "content on every server of one database")
        }
        path = "\(state)/backend"
    }
    let sealed = SealedKey.ofBackend(database: path)
    let credentials = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
    let file = arguments.optional("wrapping-key") ?? "\(path).wrapping-key"
    do {
        if try sealed.exists {
            return try sealed.load(
                under: WrappingKey.load(
                    credentials: credentials, file: file, named: WrappingKey.ofBackend))
        }
        return try sealed.make(
            under: WrappingKey.ensure(
                credentials: credentials, file: file, named: WrappingKey.ofBackend))
    } catch {
        throw .failure("\(error)")
    }
}

extension Command {
    static let key = Command(
        words: ["key"], summary: "print the public key that machines know this backend by",
        usage: """
            Usage: clup-backend key --database FILE [--wrapping-key FILE]
                   clup-backend key --database postgresql://... --state DIRECTORY
                                    [--wrapping-key FILE]

              --state DIRECTORY     where the key lies when the database is no file: as `backend.key`,
                                    with `backend.wrapping-key`; the same on every server
              --wrapping-key FILE   32 bytes that seal the secret half; FILE.wrapping-key beside the
                                    database unless given, made where it is missing. The systemd
                                    credential `backend-key` comes before it.

            The key is made when it is first asked for or served with, and lies sealed beside the
            database, in FILE.key. Every machine is enrolled with the public half:
            `clup-kiosk enrol --backend-key KEY`. Whoever loses it enrols all machines anew: keep a copy
            of both files.
            """
    ) { words throws(CommandError) in
        let key = try answerKey(Arguments(words, valued: ["database", "wrapping-key", "state"]))
            .publicKey
        printJSON(["key": key.text, "fingerprint": key.fingerprint])
    }
}
