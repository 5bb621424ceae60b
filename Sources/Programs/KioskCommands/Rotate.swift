import CommandSyntax
import Cryptography
import KioskFlow
import Reservations

/// `rotate`: gives the machine another key while it runs. After an interruption the key on the disk is one that the
/// backend knows, and the command may be given again.
enum Rotate {
    static func run(_ configuration: Configuration) throws {
        let machine = try MachineAdapters(configuration)
        _ = try machine.backendPin.key()
        let next = try rotate(machine)
        StaffSubcommand.note(
            .keyRotated(fingerprint: next.fingerprint), by: "clup-kiosk rotate", configuration)
        print(next.text)
        printError("This machine has a new key now: \(next.fingerprint). The old one is revoked.")
    }

    /// Gives the machine another key; answers its public half once it is the machine's only key. Blocks the thread
    /// for seconds.
    static func rotate(_ machine: MachineAdapters) throws -> PublicKey {
        let next = try machine.watchedKey.next().publicKey
        // This is signed with the old key; then both keys are valid.
        try offer(next, machine, or: "The machine's key is as it was.")
        try machine.watchedKey.becomeNext()
        // This is signed with the new key; then it is the only valid one.
        try offer(
            next, machine,
            or: "The machine has its new key already, but the old one is still valid.")
        return next
    }

    private static func offer(_ key: PublicKey, _ machine: MachineAdapters, or state: String) throws
    {
        let attempt = AttemptKey(RequestSigner.makeNonce())
        let result = waiting { await machine.backendClient().offer(key: key.text, attempt) }
        guard case .failure(let reason) = result else { return }
        throw CommandError.failure(
            "The backend at the configured address did not change the key (\(reason)). \(state) "
                + "Give the command again; \"clup-kiosk doctor\" says more."
        ).with(reason.status)
    }
}

extension BackendFailure {
    /// The exit status after this refusal: the command may succeed later if the backend gave no answer, or has no
    /// capacity now.
    var status: ExitStatus { isUnknown || isTemporary ? .temporary : .failure }
}
