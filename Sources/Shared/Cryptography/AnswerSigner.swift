public import BackendAPI
internal import Reservations

/// Signs answers as the backend does (RFC 9421 3.1 in the profile of `AnswerSignature`).
public struct AnswerSigner: Sendable {
    private let key: SigningKey
    private let keyID: String

    /// The key that machines pin.
    public var publicKey: PublicKey { key.publicKey }

    public init(key: SigningKey) {
        self.key = key
        keyID = key.publicKey.keyID
    }

    /// The answer with digest and signature; unchanged if the request was not signed.
    ///
    /// `created` is in seconds since 1970. A client that does not ask for an answer that is bound to its whole
    /// request gets the older form, but no refusal of a request that was not verified: an attacker could pass it off
    /// as the answer to another request. The exception is the 401, which reports the time to such a machine.
    public func sign(
        _ answer: WireResponse, to request: WireRequest, created: Int64, isVerified: Bool = true
    ) -> WireResponse {
        let isAsked = AnswerSignature.isAsked(by: request)
        guard let binding = AnswerSignature.binding(of: request),
            isAsked || isVerified || answer.status == Refusal.notAuthentic.status
        else { return answer }
        let use: AnswerUse = isAsked ? (isVerified ? .decided : .unverified) : .older
        var signed = answer
        signed.fields.reserveCapacity(answer.fields.count + 3)
        signed.fields[HeaderField.contentDigest] = ContentDigest.field(for: answer.body)
        let parameters = SignatureParameters(
            components: AnswerSignature.components(of: signed, to: request, use),
            created: created, keyID: keyID, tag: use.rawValue)
        guard let base = parameters.base(for: signed, to: request, binding: binding) else {
            return answer
        }
        signed.fields.merge(key.signatureFields(parameters, base)) { $1 }
        return signed
    }
}

/// Verifies answers with the one key of the backend that was pinned.
public struct AnswerVerifier: Sendable {
    private let key: PublicKey
    private static let names = ["created", "keyid", "tag"]

    public init(key: PublicKey) { self.key = key }

    /// The backend's time and the use of the answer; nil if it is not this backend's answer to this request.
    public func verified(_ answer: WireResponse, to request: WireRequest) -> VerifiedAnswer? {
        guard let inputField = answer.fields[HeaderField.signatureInput],
            let signatureField = answer.fields[HeaderField.signature],
            let input = SignatureText.input(inputField),
            let named = SignatureText.signature(signatureField),
            let signature = Base64.decode(named.base64), input.label == MachineSignature.label,
            named.label == MachineSignature.label,
            input.parameters.names.sorted() == Self.names,
            let use = input.parameters.tag.flatMap(AnswerUse.init),
            input.parameters.keyID == key.keyID,
            input.parameters.components == AnswerSignature.components(of: answer, to: request, use),
            let created = input.parameters.created,
            let digest = answer.fields[HeaderField.contentDigest],
            ContentDigest.matches(digest, body: answer.body),
            let binding = AnswerSignature.binding(of: request),
            let base = input.parameters.base(for: answer, to: request, binding: binding),
            key.verify(signature, of: base)
        else { return nil }
        return (created, use)
    }
}

/// Texts that the backend gives out and recognises again, on every server that has its key.
///
/// The signed bytes begin with a word: a signature base of RFC 9421 begins with a quotation mark (2.5), so that a
/// signed text can never be taken for an answer, nor the reverse.
extension AnswerSigner {
    /// The text, a dot and the code in base64url by which this backend recognizes it.
    public func authenticated(_ text: String) -> String {
        "\(text).\(Base64.encode(key.authenticate(Array(text.utf8)), .urlSafe))"
    }

    /// The text that this backend has made `authenticated`; nil for any other.
    public func text(ofAuthenticated authenticated: String) -> String? {
        guard let (text, code) = Self.parts(of: authenticated) else { return nil }
        return Cryptography.equal(key.authenticate(Array(text.utf8)), code) ? text : nil
    }

    /// The text, a dot and its signature in base64url, which every holder of the public key can verify.
    public func signed(_ text: String) -> String {
        "\(text).\(Base64.encode(key.sign(Self.signedBytes(text)), .urlSafe))"
    }

    /// Bytes that can be made of the text with this key only, at most 32, and that are the same each time: the beginning
    /// of a digest of its signature (RFC 8032 5.1.6).
    public func proof(of text: String, bytes count: Int) -> [UInt8] {
        Array(SHA256.digest(key.sign(Self.signedBytes(text))).prefix(count))
    }

    fileprivate static func signedBytes(_ text: String) -> [UInt8] {
        Array("clup-vouched \(text)".utf8)
    }

    /// The longest text that is read, with what was added to it, in bytes.
    private static let maxTextBytes = 512

    /// A text, and what was added to it after a dot; nil if it is not of this form, or too long.
    fileprivate static func parts(of text: String) -> (text: String, added: [UInt8])? {
        guard text.utf8.count <= maxTextBytes, let dot = text.lastIndex(of: "."),
            let added = Base64.decode(String(text[text.index(after: dot)...]), .urlSafe)
        else { return nil }
        return (String(text[..<dot]), added)
    }
}

extension PublicKey {
    /// The text that the holder of this key signed; nil for anything that the key did not sign.
    public func text(ofSigned signed: String) -> String? {
        guard let (text, signature) = AnswerSigner.parts(of: signed) else { return nil }
        return verify(signature, of: AnswerSigner.signedBytes(text)) ? text : nil
    }
}
