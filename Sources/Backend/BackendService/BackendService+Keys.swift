internal import BackendAPI
internal import Cryptography
internal import ReservationStore

extension BackendService {
    /// A machine's change of its keys on the allow list: a new key beside the old one, or one key instead of all
    /// others.
    func keyChange(_ call: Call) throws(RefusedCall) -> MachineRequest {
        let key = try publicKey(call.request)
        log.note("machine-key", ["machine": call.caller.machine.rawValue], level: .info)
        return .keys(key == call.caller.key ? .keepOnlyThis : .add(key.bytes, id: key.keyID))
    }

    /// The key in the body of a `KeyRequest`.
    func publicKey(_ request: WireRequest) throws(RefusedCall) -> PublicKey {
        guard let body = JSONText.value(KeyRequest.self, request.body),
            let key = PublicKey(text: body.key)
        else { throw RefusedCall(.malformed, "the body must be {\"key\": an Ed25519 public key}") }
        return key
    }
}
