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

    public init(
        method: String, authority: String, path: String, query: String = "",
        fields: [String: String] = [:], body: [UInt8] = []
    ) {
        self.method = method
        self.authority = authority
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
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
