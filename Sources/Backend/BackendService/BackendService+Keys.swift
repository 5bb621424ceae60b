internal import BackendAPI
internal import Cryptography
internal import ReservationStore
internal import Reservations

/// The keys of machines: a machine that is not on the allow list yet asks for a code to show, with a request that proves
/// that it has its key; a machine on the list changes its keys.
extension BackendService {
    func openPairing(
        _ asked: PairingRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        // Unknown machines have no name yet, so that they are distinguished by their address.
        do throws(RefusedCall) {
            try take(.pairings, of: asked.origin, ["from": asked.origin])
        } catch { return respond(error.response) }
        store.openPairing(asked) { [self] result in respond(answer(to: result, asked)) }
    }

    /// The request for a code with the key of the body; fails if the request does not prove possession of the key.
    func pairingRequest(_ request: WireRequest) throws(RefusedCall) -> PairingRequest {
        try checkForm(of: request, API.pairings.route())
        let key = try publicKey(request)
        let now = clock()
        let verified = SignatureVerifier.verify(request, now: now.seconds) { keyID in
            keyID == key.keyID ? key : nil
        }
        switch verified {
        case .failure(let reason): throw notAuthentic(reason.rawValue)
        case .success(let signature):
            return PairingRequest(
                publicKey: key.bytes, nonce: nonce(signature.nonce, of: key.keyID), now: now,
                origin: request.client)
        }
    }

    private func answer(
        to result: Result<PairingOutcome, StoreError>, _ asked: PairingRequest
    ) -> WireResponse {
        switch result {
        case .success(.open(let code, let expires)):
            guard let backendKey = options.answerSigner?.publicKey else {
                return Answers.unavailable
            }
            log.note("pairing", ["key": asked.keyID, "from": asked.origin])
            return Answers.created(
                PairingReply(
                    code: code, seconds: (expires - asked.now).wholeSeconds,
                    backendKey: backendKey.text))
        case .success(.keyKnown): return RefusedCall(.keyTaken).response
        case .success(.originFull): return full("machines of this address", ["from": asked.origin])
        case .success(.full): return full("machines", [:])
        case .success(.nonceSeen): return notAuthentic("replayed").response
        case .failure(let error): return unavailable(error)
        }
    }

    private func full(_ machines: String, _ detail: [String: String]) -> WireResponse {
        log.note("pairings-full", detail)
        return RefusedCall(
            .tooManyRequests, "too many \(machines) show a code already",
            fields: [HeaderField.retryAfter: "60"]
        ).response
    }

    /// A machine's change of its keys on the allow list: a new key beside the old one, or one key instead of all
    /// others.
    func keyChange(_ call: Call) throws(RefusedCall) -> MachineRequest {
        let key = try publicKey(call.request)
        log.note("machine-key", ["machine": call.caller.machine.rawValue], level: .info)
        return .keys(key == call.caller.key ? .keepOnlyThis : .add(key.bytes, id: key.keyID))
    }

    func publicKey(_ request: WireRequest) throws(RefusedCall) -> PublicKey {
        let form = "{\"key\": an Ed25519 public key}"
        guard let key = PublicKey(text: try request.decoded(KeyRequest.self, form).key) else {
            throw .wrongBody(form)
        }
        return key
    }
}
