/// A request as both sides pass it on: the content of the HTTP message, independent of any library.
public struct WireRequest: Hashable, Sendable {
    public var method: String
    /// Host and, unless it is the scheme's default, port; lower case (RFC 9421 2.2.3).
    public var authority: String
    /// The absolute path as on the wire, at least "/", without the query (RFC 9421 2.2.6).
    public var path: String
    /// The text after "?", empty if there is none (RFC 9421 2.2.7).
    public var query: String
    /// Field values by name in lower case, leading and trailing space removed.
    public var fields: [String: String]
    public var body: [UInt8]
    /// The client's address, by which limits distinguish clients without a key; empty for this computer, and on the
    /// sending side.
    public var client: String
    /// The same by the first 64 bits of an IPv6 address, which a household or a phone has for itself, instead of 48.
    public var network: String

    public init(
        method: String, authority: String, path: String, query: String = "",
        fields: [String: String] = [:], body: [UInt8] = [], client: String = "",
        network: String? = nil
    ) {
        self.method = method
        self.authority = authority
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
        self.client = client
        self.network = network ?? client
    }

    /// The key of an attempt, without the quotation marks that the field has as a structured field (RFC 8941 3.3.3;
    /// draft-ietf-httpapi-idempotency-key-header); empty if there is none.
    public var idempotencyKey: String {
        let value = fields[HeaderField.idempotencyKey] ?? ""
        let isQuoted = value.utf8.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
        return isQuoted ? String(value.dropFirst().dropLast()) : value
    }

    /// The value of a component that a signature can cover (RFC 9421 2.2); nil if the request has none or the name is
    /// not supported.
    func component(_ name: String) -> String? {
        switch name {
        case "@method": method
        case "@authority": authority
        case "@path": path
        case "@query": "?" + query
        default: name.utf8.first == UInt8(ascii: "@") ? nil : fields[name]
        }
    }
}

/// An answer as both sides pass it on.
public struct WireResponse: Hashable, Sendable {
    public var status: Int
    /// Field values by name in lower case.
    public var fields: [String: String]
    public var body: [UInt8]

    public init(status: Int, fields: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// An open WebSocket as the server passes it on (RFC 6455); safe from any thread.
public struct WireSocket: Sendable {
    /// Sends a text message after those before; a reader that is too slow for them is dropped.
    public let send: @Sendable (_ text: [UInt8]) -> Void
    /// Ends the socket with a status code (RFC 6455 7.4).
    public let close: @Sendable (_ code: UInt16) -> Void

    public init(
        send: @escaping @Sendable ([UInt8]) -> Void, close: @escaping @Sendable (UInt16) -> Void
    ) {
        self.send = send
        self.close = close
    }
}

/// The decision on a request to open a WebSocket.
public enum SocketAdmission: Sendable {
    /// `opened` gets the socket and answers a function for its end, which is called however the socket ends.
    case admitted(opened: @Sendable (WireSocket) -> @Sendable () -> Void)
    case refused(WireResponse)
}
