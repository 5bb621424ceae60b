public import BackendAPI
private import Glibc
internal import Reservations

/// Signs requests as a machine does (RFC 9421 3.1 in the profile of `MachineSignature`).
public struct RequestSigner: Sendable {
    private let key: SigningKey
    private let keyID: String

    /// `keyID` is the name by which the backend knows the key: the key's own unless another one is given.
    public init(key: SigningKey, keyID: String? = nil) {
        self.key = key
        self.keyID = keyID ?? key.publicKey.keyID
    }

    /// A nonce in the form that `sign` takes: the time and 80 random bits, so that the backend stores the nonces of one
    /// time together.
    public static func makeNonce() -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let now = Moment(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
        return Crockford.encode(now, RandomBytes.make(10))
    }

    /// The request with `content-digest` if it has a body, `signature-input` and `signature`.
    ///
    /// `created` is in seconds since 1970. A request must be signed again, with another nonce, each time it is sent.
    /// A request that changes something must already carry its Idempotency-Key.
    public func sign(_ request: WireRequest, created: Int64, nonce: String) -> WireRequest {
        var signed = request
        let hasBody = !request.body.isEmpty
        if hasBody {
            signed.fields[HeaderField.contentDigest] = ContentDigest.field(for: request.body)
        }
        let parameters = SignatureParameters(
            components: MachineSignature.components(
                hasBody: hasBody, changesSomething: request.changesSomething),
            created: created, nonce: nonce, keyID: keyID, tag: MachineSignature.tag)
        guard PlainName.isValid(nonce), let base = parameters.base(for: signed) else {
            preconditionFailure("a nonce is plain, and a changing request has an idempotency-key")
        }
        signed.fields.merge(key.signatureFields(parameters, base)) { $1 }
        return signed
    }
}

extension SigningKey {
    /// The two signature fields of a message with this base.
    func signatureFields(
        _ parameters: SignatureParameters, _ base: [UInt8]
    ) -> [String: String] {
        [
            HeaderField.signatureInput: MachineSignature.inputField(parameters),
            HeaderField.signature: MachineSignature.byteField(base64: Base64.encode(sign(base))),
        ]
    }
}

extension WireRequest {
    /// In this contract every method except GET changes something.
    var changesSomething: Bool { method != HTTPMethod.get.rawValue }
}
