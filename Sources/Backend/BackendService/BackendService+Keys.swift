internal import BackendAPI
internal import Cryptography
internal import ReservationStore

extension BackendService {
    static let noKey = RefusedCall(.malformed, "the body must be {\"key\": an Ed25519 public key}")

    /// A machine's change of its keys on the allow list: a new key beside the old one, or one key instead of all
    /// others.
    func keyChange(_ call: Call) -> Result<MachineRequest, RefusedCall> {
        guard let body = JSONText.value(KeyRequest.self, call.request.body),
            let key = PublicKey(text: body.key)
        else { return .failure(Self.noKey) }
        log.note("machine-key", ["machine": call.caller.machine.rawValue], level: .info)
        return .success(
            .keys(key == call.caller.key ? .keepOnlyThis : .add(key.bytes, id: key.keyID)))
    }
}
