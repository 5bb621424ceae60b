import CommandSyntax
import Glibc
import KeyFile

/// `enrol`: makes the machine's key pair, pins the backend's key and prints the public half for the backend's allow
/// list.
enum Enrol {
    /// Puts the machine's present key away under another name; all other files stay as they are: people, printouts
    /// and events.
    static func putAway(_ configuration: Configuration) throws {
        let key = SealedKey.ofMachine(state: configuration.state)
        if try key.exists { try key.putAway() }
    }

    static func run(_ configuration: Configuration) throws {
        try StateDirectory.make(configuration.state)
        let key = SealedKey.ofMachine(state: configuration.state)
        guard try !key.exists else { throw KeyFileError.alreadyThere(key.path) }
        try configuration.check("backend-key")
        let pin = PinnedBackendKey(configuration)
        if let pinned = configuration.givenBackendKey { try pin.keep(pinned) }
        let wrapping = try WrappingKey(
            credentials: StateDirectory.credentials, file: configuration.wrappingKeyFile
        ).ensure()
        let made = try key.make(under: wrapping)
        print(made.publicKey.text)
        printError(
            """
            This machine has a key now: \(made.publicKey.fingerprint)
            Its secret lies sealed in \(configuration.state). Let the backend know the public half:
              clup-backend machine add --database DATABASE --shop SHOP --name NAME \
            --key \(made.publicKey.text)
            """)
        if configuration.givenBackendKey == nil, try pin.stored == nil {
            printError(
                """
                No backend is pinned yet: until it is, this machine believes whoever answers at the \
                address. Give --backend-key with what "clup-backend key" prints, or enrol by \
                "clup-kiosk enrol --pair".
                """)
        }
    }
}

enum StateDirectory {
    static func make(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CommandError.system(errno) {
                "The state directory \(path) cannot be made: "
                    + "\($0). Make it, or name another with --state."
            }
        }
    }

    /// The directory in which systemd put this unit's credentials (systemd.exec(5)).
    static var credentials: String? { getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) } }
}
