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

    /// A call of a phone's page.
    public init(
        _ call: PublicCall, _ body: some Sequence<UInt8>, to authority: String,
        cookie: String? = nil, key: String? = nil
    ) {
        self.init(
            method: call.method.rawValue, authority: authority, path: call.path,
            fields: [HeaderField.contentType: "application/json"], body: Array(body))
        fields["cookie"] = cookie
        fields[HeaderField.idempotencyKey] = key
    }

    /// The answer over a connection of its own, since a kept one may be one to a killed server; nil if none comes.
    ///
    /// - Parameter port: of 127.0.0.1; that of the authority unless given.
    public func exchange(at port: UInt16? = nil, within seconds: Int = 60) -> LoopbackWire.Message?
    {
        let own = authority.split(separator: ":").last.flatMap { UInt16($0) }
        guard var wire = LoopbackWire.connected(to: port ?? own ?? 0) else { return nil }
        defer { wire.end() }
        wire.giveUp(afterMilliseconds: seconds * 1_000)
        return wire.send(bytes) ? wire.read() : nil
    }

    /// As `exchange`, without blocking a thread of tests; fails if no answer comes.
    func answer() async throws -> LoopbackWire.Message {
        guard let answer = try await onThread({ exchange() }) else {
            throw TestSupportError("no answer to \(method) \(authority)\(path)")
        }
        return answer
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
