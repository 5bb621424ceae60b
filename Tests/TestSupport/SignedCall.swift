public import BackendAPI
public import Cryptography

/// One signed request of a machine or a reader, on a connection of its own.
public struct SignedCall {
    private let route: Route
    private let body: String
    private let key: SigningKey?
    private let port: UInt16
    /// The authority that it is sent to and signed for.
    private let authority: String

    /// - Parameters:
    ///   - key: nil for a request without a signature.
    ///   - address: `http://127.0.0.1:PORT`.
    ///   - name: the name by which the backend is called; the address's unless given.
    public init(
        _ route: Route, _ body: String = "", as key: SigningKey?, to address: String,
        called name: String? = nil
    ) {
        let address = String(address.dropFirst("http://".count))
        self.route = route
        self.body = body
        self.key = key
        port = address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        authority = name ?? address
    }

    /// The answer; nil if none came.
    public func answer() -> LoopbackWire.Message? {
        var request = WireRequest(route, body.utf8, to: authority)
        if let key { request = request.signed(by: RequestSigner(key: key)) }
        return request.exchange(at: port, within: 10)
    }

    /// The answer's status; nil if none came.
    public func status() -> Int? { answer()?.status }
}
