public import BackendAPI
public import Cryptography
import Glibc

extension WireRequest {
    /// A call of the contract, with an Idempotency-Key if it needs one.
    public init(
        _ route: Route, _ body: some Sequence<UInt8> = [], to authority: String,
        key: @autoclosure () -> String = RequestSigner.makeNonce()
    ) {
        let body = Array(body)
        var fields: [String: String] = [:]
        if route.endpoint.carriesKey { fields[HeaderField.idempotencyKey] = key() }
        if !body.isEmpty { fields[HeaderField.contentType] = "application/json" }
        self.init(
            method: route.endpoint.method.rawValue, authority: authority, path: route.path,
            fields: fields, body: body)
    }

    /// The request with a signature made now.
    public func signed(by signer: RequestSigner) -> WireRequest {
        signer.sign(self, created: Int64(time(nil)), nonce: RequestSigner.makeNonce())
    }

    /// The request as an ordinary client sends it (HTTP/1.1).
    public var bytes: [UInt8] {
        var head = "\(method) \(path)"
        if !query.isEmpty { head += "?\(query)" }
        head += " HTTP/1.1\r\nhost: \(authority)\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        if !body.isEmpty || method == "POST" { head += "content-length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }
}
