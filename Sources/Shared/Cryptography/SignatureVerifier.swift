public import BackendAPI
internal import Reservations

/// The content of a valid signature; the caller decides which actions it permits.
public struct VerifiedSignature: Hashable, Sendable {
    public let keyID: String
    /// A nonce may be accepted once: the caller must refuse a replay within `MachineSignature.windowSeconds`.
    public let nonce: String
    /// The time of signing in seconds since 1970, by the signer's clock.
    public let created: Int64
}

/// Why a signature was refused: for the log, never for the sender.
public enum SignatureRefusal: String, Error, Sendable, CaseIterable {
    case absent
    /// The fields are not one signature in the form of RFC 9421.
    case malformed
    /// Labels, tag, algorithm, parameters or components are not those of machines.
    case otherProfile = "other-profile"
    /// `created` is too far from the backend's clock.
    case stale
    /// The body is not the one that was signed, or its digest is missing.
    case wrongDigest = "wrong-digest"
    /// The key is unknown or revoked, or the signature is not that key's.
    case wrongSignature = "wrong-signature"
}

/// Verifies requests of machines (RFC 9421 3.2 in the profile of `MachineSignature`).
public enum SignatureVerifier {
    /// The parameters that a machine's signature must have; it may have `alg` besides.
    private static let required = ["created", "nonce", "keyid", "tag"]
    private static let optional = "alg"

    /// The key for the verification when a key is unknown, so that both cases take the same time. It is never
    /// believed: the base point of the curve, 4/5 (RFC 8032 5.1).
    private static let unknownKey = PublicKey(bytes: [0x58] + Array(repeating: 0x66, count: 31))

    /// Decides on a request at `now`, seconds since 1970; `key` answers nil for an unknown key.
    public static func verify(
        _ request: WireRequest, now: Int64, key: (_ keyID: String) -> PublicKey?
    ) -> Result<VerifiedSignature, SignatureRefusal> {
        guard let inputField = request.fields[HeaderField.signatureInput],
            let signatureField = request.fields[HeaderField.signature]
        else { return .failure(.absent) }
        guard let input = SignatureText.input(inputField),
            let named = SignatureText.signature(signatureField),
            let signature = Base64.decode(named.base64)
        else { return .failure(.malformed) }

        let parameters = input.parameters
        let hasBody = !request.body.isEmpty
        guard input.label == named.label,
            required.allSatisfy(parameters.names.contains),
            parameters.names.allSatisfy({ required.contains($0) || $0 == optional }),
            parameters.tag == MachineSignature.tag,
            parameters.algorithm == nil || parameters.algorithm == "ed25519",
            parameters.components
                == MachineSignature.components(
                    hasBody: hasBody, changesSomething: request.changesSomething),
            let created = parameters.created, let nonce = parameters.nonce,
            MachineSignature.isNonce(nonce), let keyID = parameters.keyID, PlainName.isValid(keyID)
        else { return .failure(.otherProfile) }

        // `created` has at most 15 digits: the difference cannot overflow for any clock.
        guard abs(created - now) <= MachineSignature.windowSeconds else { return .failure(.stale) }
        if hasBody {
            guard let digest = request.fields[HeaderField.contentDigest],
                ContentDigest.matches(digest, body: request.body)
            else { return .failure(.wrongDigest) }
        }
        guard let base = parameters.base(for: request) else { return .failure(.otherProfile) }
        let known = key(keyID)
        guard let checked = known ?? unknownKey,
            checked.verify(signature, of: base), known != nil
        else { return .failure(.wrongSignature) }
        return .success(VerifiedSignature(keyID: keyID, nonce: nonce, created: created))
    }
}
