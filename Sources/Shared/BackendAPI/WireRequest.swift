/// A request as both sides hand it on: what HTTP carries, and nothing of a library.
public struct WireRequest: Hashable, Sendable {
    public var method: String
    /// Host and, unless it is the scheme's default, port; lower case.
    public var authority: String
    /// The absolute path as on the wire, without the query.
    public var path: String
    /// What follows "?", empty where nothing does.
    public var query: String
    /// Field values by name in lower case.
    public var fields: [String: String]
    public var body: [UInt8]
    /// The address it came from, as limits tell strangers apart by it; empty for this computer, and on the
    /// side that sends.
    public var client: String

    public init(
        method: String, authority: String, path: String, query: String = "",
        fields: [String: String] = [:], body: [UInt8] = [], client: String = ""
    ) {
        self.method = method
        self.authority = authority
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
        self.client = client
    }

    /// What a signature can cover of it.
    public var signable: SignableRequest {
        SignableRequest(
            method: method, authority: authority, path: path, query: query, fields: fields)
    }
}

/// An answer as both sides hand it on.
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

/// An open WebSocket as the server hands it on (RFC 6455); safe from any thread.
public struct WireSocket: Sendable {
    /// Sends a text message after those before; a reader who is too slow for them is dropped.
    public let send: @Sendable (_ text: [UInt8]) -> Void
    /// Ends it with a status code (RFC 6455 7.4).
    public let close: @Sendable (_ code: UInt16) -> Void

    public init(
        send: @escaping @Sendable ([UInt8]) -> Void, close: @escaping @Sendable (UInt16) -> Void
    ) {
        self.send = send
        self.close = close
    }
}

/// What becomes of a request to open a WebSocket.
public enum SocketAdmission: Sendable {
    /// `opened` gets the socket and answers what is to be done at its end, however it comes.
    case admitted(opened: @Sendable (WireSocket) -> @Sendable () -> Void)
    case refused(WireResponse)
}
