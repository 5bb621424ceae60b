internal import BackendAPI
internal import Cryptography
internal import ReservationStore
internal import Reservations

/// Machines that are not on the allow list yet ask for a code to show; the request proves that they have their key.
extension BackendService {
    func openPairing(
        _ asked: PairingRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        // Unknown machines have no name yet, so that they are distinguished by their address.
        if let pairingLimiter, let wait = pairingLimiter.take(asked.origin) {
            return respond(limited("pairings-limited", ["from": asked.origin], wait).response)
        }
        store.openPairing(asked) { [self] result in respond(answer(to: result, asked)) }
    }

    /// The request for a code with the key of the body; fails if the request does not prove possession of the key.
    func pairingRequest(_ request: WireRequest) -> Result<PairingRequest, RefusedCall> {
        if let refusal = misshapen(request, .pairings) { return .failure(refusal) }
        guard let body = JSONText.value(KeyRequest.self, request.body),
            let key = PublicKey(text: body.key)
        else { return .failure(Self.noKey) }
        let now = realTime
        let verified = SignatureVerifier.verify(request, now: now.seconds) { keyID in
            keyID == key.keyID ? key : nil
        }
        switch verified {
        case .failure(let reason): return .failure(notAuthentic(reason.rawValue))
        case .success(let signature):
            return .success(
                PairingRequest(
                    keyID: key.keyID, publicKey: key.bytes, nonce: signature.nonce,
                    nonceExpires: nonceExpires, now: now, origin: request.client))
        }
    }

    private func answer(
        to result: Result<PairingOutcome, StoreError>, _ asked: PairingRequest
    ) -> WireResponse {
        switch result {
        case .success(.open(let code, let expires)):
            guard let backendKey else { return Answers.unavailable }
            log.note("pairing", ["key": asked.keyID, "from": asked.origin])
            return Answers.created(
                PairingReply(
                    code: code, seconds: Int((expires - asked.now).wholeMilliseconds / 1_000),
                    backendKey: backendKey.text))
        case .success(.keyKnown): return RefusedCall(.keyTaken).response
        case .success(.originFull):
            log.note("pairings-full", ["from": asked.origin])
            return RefusedCall(
                .tooManyRequests, "too many machines of this address show a code already",
                fields: [HeaderField.retryAfter: "60"]
            ).response
        case .success(.full):
            log.note("pairings-full")
            return RefusedCall(
                .tooManyRequests, "too many machines show a code already",
                fields: [HeaderField.retryAfter: "60"]
            ).response
        case .success(.nonceSeen): return notAuthentic("replayed").response
        case .failure(let error):
            return unavailable(error)
        }
    }
}
