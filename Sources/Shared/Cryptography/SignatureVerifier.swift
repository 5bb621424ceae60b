public import BackendAPI
internal import Reservations

/// What a good signature says; who may do what is for the caller to decide.
public struct VerifiedSignature: Hashable, Sendable {
    public let keyID: String
    /// To be accepted once: replay is for the caller to refuse, within `MachineSignature.windowSeconds`.
    public let nonce: String
    /// Seconds since 1970 at the signer.
    public let created: Int64
}

/// Why a signature was refused: for the log, never for whoever sent it.
public enum SignatureRefusal: String, Error, Sendable, CaseIterable {
    case absent
    /// The fields are not one signature in the form of RFC 9421.
    case malformed
    /// Label, tag, algorithm, parameters or components are not those of machines.
    case otherProfile = "other-profile"
    /// `created` is too far from the backend's clock.
    case stale
    /// The body is not the one that was signed, or its digest is missing.
    case wrongDigest = "wrong-digest"
    /// The key is unknown or revoked, or the signature is not its own.
    case wrongSignature = "wrong-signature"
}

/// Verifies requests of machines (RFC 9421 3.2 in the profile of `MachineSignature`).
public enum SignatureVerifier {
    /// What a machine's signature has at least and at most to say of itself.
    private static let required: Set = ["created", "nonce", "keyid", "tag"]
    private static let allowed = required.union(["alg"])

    /// Verified against when a key is unknown, so that both cost the same, and never believed:
    /// the base point of the curve, 4/5 (RFC 8032 5.1).
    private static let nobody = PublicKey(bytes: [0x58] + Array(repeating: 0x66, count: 31))

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
        guard input.label == MachineSignature.label, named.label == MachineSignature.label,
            required.isSubset(of: parameters.names), allowed.isSuperset(of: parameters.names),
            parameters.tag == MachineSignature.tag,
            parameters.algorithm == nil || parameters.algorithm == "ed25519",
            parameters.components
                == MachineSignature.components(
                    hasBody: hasBody, changesSomething: request.changesSomething),
            let created = parameters.created,
            let nonce = parameters.nonce, PlainName.isValid(nonce),
            let keyID = parameters.keyID, PlainName.isValid(keyID)
        else { return .failure(.otherProfile) }

        // `created` has at most 15 digits: the difference cannot overflow for any clock.
        guard abs(created - now) <= MachineSignature.windowSeconds else { return .failure(.stale) }
        if hasBody {
            guard let digest = request.fields[HeaderField.contentDigest],
                ContentDigest.matches(digest, body: request.body)
            else { return .failure(.wrongDigest) }
        }
        guard let base = parameters.base(for: request.signable) else {
            return .failure(.otherProfile)
        }
        let known = key(keyID)
        guard let checked = known ?? nobody,
            checked.verify(signature, of: Array(base.utf8)), known != nil
        else { return .failure(.wrongSignature) }
        return .success(VerifiedSignature(keyID: keyID, nonce: nonce, created: created))
    }
}
