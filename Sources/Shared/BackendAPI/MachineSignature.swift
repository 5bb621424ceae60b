internal import TextForms

/// The components that a signature covers and its parameters: the inner list of `Signature-Input` (RFC 9421 2.3).
public struct SignatureParameters: Hashable, Sendable {
    /// Component names in the order of the signature base.
    public var components: [String]
    /// The time of signing in seconds since 1970, by the signer's clock.
    public var created: Int64?
    public var nonce: String?
    public var keyID: String?
    public var tag: String?
    public var algorithm: String?
    /// The names of all parameters, each once, including those that this profile does not know.
    public let names: [String]
    /// The inner list as it is written in the field; the base repeats it literally.
    public let text: String

    /// Bytes of most inner lists and of most bases, so that their memory is allocated once.
    private static let usualTextBytes = 288
    private static let usualBaseBytes = 640

    /// Makes the parameters of a signature; nonce, key and tag must consist of the characters that `PlainName` allows.
    ///
    /// - Parameters:
    ///   - created: in seconds since 1970, by the signer's clock.
    ///   - nonce: nil in the signature of an answer.
    public init(
        components: [String], created: Int64, nonce: String? = nil, keyID: String, tag: String
    ) {
        var text: [UInt8] = []
        text.reserveCapacity(Self.usualTextBytes)
        for name in components {
            text.append(UInt8(ascii: text.isEmpty ? "(" : " "))
            Self.append(identifier: name, to: &text)
        }
        text += (components.isEmpty ? "()" : ")").utf8
        text += ";created=".utf8
        text += String(created).utf8
        func append(_ name: String, _ value: String) {
            text += name.utf8
            text += value.utf8
            text.append(UInt8(ascii: "\""))
        }
        if let nonce { append(";nonce=\"", nonce) }
        append(";keyid=\"", keyID)
        append(";tag=\"", tag)
        self.components = components
        self.created = created
        self.nonce = nonce
        self.keyID = keyID
        self.tag = tag
        names = nonce == nil ? ["created", "keyid", "tag"] : ["created", "nonce", "keyid", "tag"]
        self.text = String(decoding: text, as: UTF8.self)
    }

    init(components: [String], parameters: [(name: String, value: String)], text: String) {
        self.components = components
        func value(_ name: String) -> String? { parameters.last { $0.name == name }?.value }
        created = value("created").flatMap { Int64($0) }
        nonce = value("nonce")
        keyID = value("keyid")
        tag = value("tag")
        algorithm = value("alg")
        names = parameters.map(\.name)
        self.text = text
    }

    /// The octets that are signed (RFC 9421 2.5); nil if the request lacks a covered component.
    public func base(for request: WireRequest) -> [UInt8]? { base(request.component) }

    /// The base with the value of each component, nil for one that is not there.
    func base(_ component: (String) -> String?) -> [UInt8]? {
        var base: [UInt8] = []
        base.reserveCapacity(Self.usualBaseBytes)
        for name in components {
            guard let value = component(name) else { return nil }
            Self.append(identifier: name, to: &base)
            base += ": ".utf8
            base += value.utf8
            base.append(UInt8(ascii: "\n"))
        }
        base += "\"@signature-params\": ".utf8
        base += text.utf8
        return base
    }
}

/// How requests of machines are signed: one profile of RFC 9421 for both sides.
public enum MachineSignature {
    /// The label of this product's machines. A single signature may have any other one, such as `sig1`.
    public static let label = "clup"
    public static let tag = "clup-machine"
    /// A signature is refused when its `created` is further than this from the backend's clock.
    public static let windowSeconds: Int64 = 60

    /// The components that must be covered, among them the body's digest and the Idempotency-Key if the request has
    /// them.
    public static func components(hasBody: Bool, changesSomething: Bool) -> [String] {
        var names = ["@method", "@authority", "@path", "@query"]
        if hasBody { names.append(HeaderField.contentDigest) }
        if changesSomething { names.append(HeaderField.idempotencyKey) }
        return names
    }

    /// Whether a text can be a nonce: 1 to 128 visible characters without `"` and `\`, such as base64 of 64 random bytes.
    public static func isNonce(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.hasOnlyBytes {
                (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
    }

    /// The value of `Signature-Input`.
    public static func inputField(_ parameters: SignatureParameters) -> String {
        "\(label)=\(parameters.text)"
    }

    /// The value of `Signature`, or of `Content-Digest` with its own label, for bytes in base64.
    public static func byteField(label: String = label, base64: String) -> String {
        "\(label)=:\(base64):"
    }
}
