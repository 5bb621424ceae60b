/// Texts that the backend gives out and recognises again, on every server that has its key.
///
/// The signed bytes begin with a word: a signature base of RFC 9421 begins with a quotation mark (2.5), so that a
/// signed text can never be taken for an answer, nor the reverse.
extension AnswerSigner {
    /// The text, a dot and its signature in base64url.
    public func signed(_ text: String) -> String {
        "\(text).\(Base64.encode(sign(Self.signedBytes(text)), .urlSafe))"
    }

    fileprivate static func signedBytes(_ text: String) -> [UInt8] {
        Array("clup-vouched \(text)".utf8)
    }
}

extension PublicKey {
    /// The longest text with its signature that is verified, in bytes.
    private static let maxTextBytes = 512

    /// The text that the holder of this key signed; nil for anything that the key did not sign.
    public func text(ofSigned signed: String) -> String? {
        guard signed.utf8.count <= Self.maxTextBytes, let dot = signed.lastIndex(of: "."),
            let signature = Base64.decode(String(signed[signed.index(after: dot)...]), .urlSafe)
        else { return nil }
        let text = String(signed[..<dot])
        return verify(signature, of: AnswerSigner.signedBytes(text)) ? text : nil
    }
}
