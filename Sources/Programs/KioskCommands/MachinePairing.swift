import BackendAPI
import BackendClient
import CommandSyntax
import Cryptography
import Glibc
import KeyFile
import KioskFlow
import Reservations
import TerminalSurface

/// `enrol --pair`: shows a code in the terminal, by which an administrator accepts the machine, and then pins the
/// backend's key. After an interruption the command may be given again.
enum MachinePairing {
    private static let pollInterval: Duration = .seconds(2)

    static func run(_ configuration: Configuration) throws {
        let servers = try configuration.neededBackend()
        try configuration.check("backend-key", "backend-ca")
        let pin = PinnedBackendKey(configuration)
        let pinned = try configuration.givenBackendKey ?? pin.stored
        let publicKey = try key(configuration)
        let watchedKey = WatchedKey(configuration)
        let clock = BackendClock()
        let answerForm = AnswerSignatureVersion(state: configuration.state) { printError($0) }
        let authorities = configuration.authorities
        func client(_ backendKey: PublicKey?) -> BackendClient {
            MachineAdapters.client(
                servers, authorities: authorities, clock: clock, isPinned: backendKey != nil,
                backendKey: { backendKey }, answerForm: answerForm, key: watchedKey)
        }
        let asking = client(pinned)
        let attempt = AttemptKey(RequestSigner.makeNonce())
        let address = servers.addresses[0]
        let pairing = try wait(address) { await asking.openPairing(key: publicKey.text, attempt) }
        guard let backendKey = PublicKey(text: pairing.backendKey),
            pinned == nil || pinned == backendKey
        else {
            throw CommandError.failure(
                "\(address) is another backend than the one that is pinned: is the address right? "
                    + "If the backend's key was made again, pin it with --backend-key.")
        }
        print(Self.sheet(pairing, machine: publicKey, backend: backendKey))
        // A reader at the other end of a pipe needs the code now, not at the end.
        fflush(nil)
        let shop = try waitUntilIn(client(backendKey), within: .seconds(pairing.seconds))
        try pin.keep(backendKey)
        printError(
            PlainText.clean(
                "This machine is in: \(shop.shopName), machine \(shop.machine). "
                    + "It believes the backend \(backendKey.fingerprint) only.", limit: 1_000))
    }

    /// The existing key, perhaps from an unfinished pairing, or a new one.
    private static func key(_ configuration: Configuration) throws -> PublicKey {
        try StateDirectory.make(configuration.state)
        let sealed = SealedKey.ofMachine(state: configuration.state)
        if try sealed.exists { return try WatchedKey(configuration).key().publicKey }
        let wrapping = try WrappingKey(
            credentials: StateDirectory.credentials, file: configuration.wrappingKeyFile
        ).ensure()
        return try sealed.make(under: wrapping).publicKey
    }

    private static func wait(
        _ address: BackendAddress,
        _ ask: @escaping @Sendable () async -> Result<PairingReply, BackendFailure>
    ) throws -> PairingReply {
        switch waiting(ask) {
        case .success(let pairing): return pairing
        case .failure(let failure):
            throw CommandError.failure(reason(for: failure, of: address)).with(
                failure.refusal == .keyTaken ? .failure : failure.status)
        }
    }

    private static func reason(for failure: BackendFailure, of address: BackendAddress) -> String {
        if failure.refusal == .keyTaken {
            "The backend knows this machine's key already: \"clup-kiosk doctor\" says how it is. "
                + "If it was revoked, give the machine another one: \"clup-kiosk enrol --replace --pair\"."
        } else if failure.concernsKey {
            "\(address) takes no request of this machine's: is the machine's clock right "
                + "(timedatectl set-ntp true)?"
        } else if failure.isTemporary {
            "\(address) has given out too many codes just now. Try again in a minute, or add the "
                + "machine by its public key (\"clup-kiosk enrol\")."
        } else {
            "\(address) gave no code (\(failure)). Is it running, is the address right, does the "
                + "network reach it? With a pinned key, is it the right backend?"
        }
    }

    private static func waitUntilIn(
        _ client: BackendClient, within lifetime: Duration
    ) throws -> MachineProfile {
        let end = ContinuousClock.now + lifetime
        while ContinuousClock.now < end {
            if case .success(let shop) = waiting({ await client.shop() }) { return shop }
            waiting { try? await Task.sleep(for: pollInterval) }
        }
        throw CommandError.temporary(
            "Nobody has entered the code within its time. Give the command again for a new one.")
    }

    /// The code as large as 80 columns allow, and the instructions for it.
    private static func sheet(
        _ pairing: PairingReply, machine: PublicKey, backend: PublicKey
    ) -> String {
        let spaced = "\(pairing.code.prefix(4)) \(pairing.code.suffix(4))"
        let room = GridSize(columns: 76, rows: 8)
        let large = BigDigits.largest(spaced, fitting: room).map(lines) ?? []
        return """

            \(large.joined(separator: "\n"))

              Code \(spaced), good for \(pairing.seconds / 60) minutes, once.
              At the backend, as its user (with the package: runuser -u clup-backend -- before it):

            clup-backend machine pair --database DATABASE --shop SHOP --name NAME --code \(pairing.code)

              It prints two fingerprints. Compare them:
              this machine  \(machine.fingerprint)
              the backend   \(backend.fingerprint)

            """
    }

    /// Half blocks, two dots above each other in a character.
    private static func lines(_ bitmap: Bitmap) -> [String] {
        (0..<bitmap.rows).map { row in
            "  "
                + (0..<bitmap.columns).map { column in
                    switch (bitmap[2 * row, column], bitmap[2 * row + 1, column]) {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                }.joined()
        }
    }
}
