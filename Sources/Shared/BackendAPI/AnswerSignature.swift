/// How the backend's answers are signed: a second profile of RFC 9421, bound to the request by the
/// request's own signature, whose nonce is new each time (RFC 9421 2.4).
public enum AnswerSignature {
    public static let label = MachineSignature.label
    public static let tag = "clup-backend"

    /// Longest value of a request's `signature` that an answer is bound to; ours have 95 bytes.
    public static let longestBinding = 256

    /// What must be covered: all of the answer that the machine heeds, and the request's signature.
    public static func components(of answer: WireResponse) -> [String] {
        var names = ["@status", HeaderField.contentDigest]
        for name in [HeaderField.contentType, HeaderField.retryAfter]
        where answer.fields[name] != nil { names.append(name) }
        return names + ["\(HeaderField.signature)\(SignatureParameters.ofRequest)"]
    }

    /// The request's `signature` where an answer can be bound to it; nil for an unsigned request.
    public static func binding(of request: WireRequest) -> String? {
        request.fields[HeaderField.signature].flatMap {
            $0.utf8.count <= longestBinding && SignatureText.bytes($0) != nil ? $0 : nil
        }
    }

    /// The parameters of an answer of ours; `created` is in seconds since 1970 at the backend.
    public static func parameters(
        of answer: WireResponse, created: Int64, keyID: String
    ) -> SignatureParameters {
        SignatureParameters(
            components: components(of: answer), created: created, keyID: keyID, tag: tag)
    }
}

extension SignatureParameters {
    /// Ends the name of a component that is the request's and not the answer's (RFC 9421 2.4).
    static let ofRequest = ";req"

    /// Makes the parameters of an answer of ours.
    init(components: [String], created: Int64, keyID: String, tag: String) {
        let values = [
            (name: "created", value: "\(created)"), (name: "keyid", value: keyID),
            (name: "tag", value: tag),
        ]
        let list = components.map(Self.identifier).joined(separator: " ")
        self.init(
            components: components, parameters: values,
            text: "(\(list));created=\(created);keyid=\"\(keyID)\";tag=\"\(tag)\"")
    }

    /// The octets that are signed of an answer to the request; nil where one lacks a component.
    public func base(for answer: WireResponse, to request: WireRequest) -> String? {
        base { name in
            switch name {
            case "@status": "\(answer.status)"
            case "\(HeaderField.signature)\(Self.ofRequest)": AnswerSignature.binding(of: request)
            default: name.hasPrefix("@") ? nil : answer.fields[name]
            }
        }
    }

    /// A component's name as a base and an inner list write it (RFC 9421 2).
    static func identifier(_ name: String) -> String {
        name.hasSuffix(ofRequest)
            ? "\"\(name.dropLast(ofRequest.count))\"\(ofRequest)" : "\"\(name)\""
    }
}
