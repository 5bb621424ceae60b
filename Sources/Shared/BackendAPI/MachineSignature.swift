/// The parts of a request that a signature can cover (RFC 9421 2).
public struct SignableRequest: Hashable, Sendable {
    public var method: String
    /// Host and, unless it is the scheme's default, port; lower case (RFC 9421 2.2.3).
    public var authority: String
    /// The absolute path as sent, at least "/" (RFC 9421 2.2.6).
    public var path: String
    /// The query without its "?", empty where there is none (RFC 9421 2.2.7).
    public var query: String
    /// Field values by name in lower case, leading and trailing space removed.
    public var fields: [String: String]

    public init(
        method: String, authority: String, path: String, query: String = "",
        fields: [String: String] = [:]
    ) {
        self.method = method
        self.authority = authority
        self.path = path
        self.query = query
        self.fields = fields
    }

    /// The value of a component; nil where the request has none or the name is not supported.
    func component(_ name: String) -> String? {
        switch name {
        case "@method": method
        case "@authority": authority
        case "@path": path
        case "@query": "?" + query
        default: name.hasPrefix("@") ? nil : fields[name]
        }
    }
}

/// What a signature covers and says of itself: the inner list of `Signature-Input` (RFC 9421 2.3).
public struct SignatureParameters: Hashable, Sendable {
    /// Component names in the order of the signature base.
    public var components: [String]
    /// Seconds since 1970 at the signer.
    public var created: Int64?
    public var nonce: String?
    public var keyID: String?
    public var tag: String?
    public var algorithm: String?
    /// The names of all parameters, those this profile does not know among them.
    public let names: Set<String>
    /// The inner list as it stands in the field, which the base repeats to the letter.
    public let text: String

    /// Makes the parameters of a request of ours.
    ///
    /// Nonce and key must be of the characters that `PlainName` allows.
    public init(components: [String], created: Int64, nonce: String, keyID: String, tag: String) {
        self.components = components
        self.created = created
        self.nonce = nonce
        self.keyID = keyID
        self.tag = tag
        algorithm = nil
        names = ["created", "nonce", "keyid", "tag"]
        let list = components.map { "\"\($0)\"" }.joined(separator: " ")
        text = "(\(list));created=\(created);nonce=\"\(nonce)\";keyid=\"\(keyID)\";tag=\"\(tag)\""
    }

    init(components: [String], parameters: [(name: String, value: String)], text: String) {
        self.components = components
        func value(_ name: String) -> String? { parameters.last { $0.name == name }?.value }
        created = value("created").flatMap { Int64($0) }
        nonce = value("nonce")
        keyID = value("keyid")
        tag = value("tag")
        algorithm = value("alg")
        names = Set(parameters.map(\.name))
        self.text = text
    }

    /// The octets that are signed (RFC 9421 2.5); nil where the request lacks a covered component.
    public func base(for request: SignableRequest) -> String? { base(request.component) }

    /// The base with the value of each component, nil for one that is not there.
    func base(_ component: (String) -> String?) -> String? {
        var lines = ""
        for name in components {
            guard let value = component(name) else { return nil }
            lines += "\(Self.identifier(name)): \(value)\n"
        }
        return lines + "\"@signature-params\": \(text)"
    }
}

/// How requests of machines are signed: one profile of RFC 9421 for both sides.
public enum MachineSignature {
    public static let label = "clup"
    public static let tag = "clup-machine"
    /// A signature is refused when its `created` is further than this from the backend's clock.
    public static let windowSeconds: Int64 = 60

    /// What must be covered; the body's digest and the key where the request has them.
    public static func components(hasBody: Bool, changesSomething: Bool) -> [String] {
        var names = ["@method", "@authority", "@path", "@query"]
        if hasBody { names.append(HeaderField.contentDigest) }
        if changesSomething { names.append(HeaderField.idempotencyKey) }
        return names
    }

    /// The value of `Signature-Input`.
    public static func inputField(_ parameters: SignatureParameters) -> String {
        "\(label)=\(parameters.text)"
    }

    /// The value of `Signature`, or of `Content-Digest` with its own label, of bytes in base64.
    public static func byteField(label: String = label, base64: String) -> String {
        "\(label)=:\(base64):"
    }
}
