import BackendClient
import Cryptography
import KioskFlow
import Reservations

extension Doctor {
    static func backend(
        _ found: BackendClient.Probe, _ address: BackendAddress, _ key: SigningKey
    ) -> Finding {
        switch found {
        case .unreachable:
            return .wrong(
                "\(address) does not answer. Is it running, is the address right, does "
                    + "the network reach it?")
        case .notABackend(let status) where status == Refusal.misdirected.status:
            return .wrong(
                "\(address) is not called by this name: is the address right? If it is, set it at the "
                    + "backend (clup-backend serve --name).")
        case .notABackend(let status):
            return .wrong("\(address) answers with status \(status), but not as a CLup backend.")
        case .foreign(let status):
            return .wrong(
                "\(address) answers with status \(status), but not with the signature of "
                    + "the backend whose key is pinned: is it another backend, or something between? "
                    + "If the backend's key was made again, pin it with --backend-key; if an older "
                    + "backend was installed again, take away backend-answers.conf in --state.")
        case .notAuthentic(let clockOffset):
            if let offset = clockOffset, abs(offset) > 60 { return .wrong(clockSentence(offset)) }
            return .wrong(
                "the backend does not accept this machine's key: add it there with "
                    + "\"clup-backend machine add ... --key \(key.publicKey.text)\". If it "
                    + "was added a second ago, ask again. If it was revoked, give the machine another "
                    + "key: \"clup-kiosk enrol --replace\".")
        case .good(let shop, let machine, let latency, _):
            return .good("\(shop), machine \(machine), \(latency.wholeMilliseconds) ms")
        }
    }

    /// Screens and logs use the machine's own clock; nil if no answer shows whether it is right.
    static func clock(_ found: BackendClient.Probe) -> Finding? {
        guard case .good(_, _, _, let offset) = found else { return nil }
        return abs(offset) > HealthThresholds.clockOffset
            ? .weak(clockSentence(offset)) : .good("agrees with the backend's")
    }

    static func clockSentence(_ offset: Int) -> String {
        "the clock of this machine is \(abs(offset)) s " + (offset < 0 ? "ahead of" : "behind")
            + " the backend's: set it (timedatectl set-ntp true)."
    }

    static func backendKey(_ machine: MachineAdapters) -> Finding {
        do {
            return try machine.backendPin.key().map { .good($0.fingerprint) }
                ?? .weak(
                    "none is pinned, so that anybody's answers are believed: give --backend-key with "
                        + "what \"clup-backend key\" prints at the backend.")
        } catch { return .wrong("\(error)") }
    }
}
