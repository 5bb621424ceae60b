import BackendAPI
import Cryptography
import Glibc
import TestSupport

extension ReverseProxy {
    /// Asks for a ticket with a display's key and opens its WebSocket; returns what came until the socket was closed
    /// or, if it was not, within this many seconds.
    func turns(_ key: SigningKey, within seconds: Int = 3) async throws -> String {
        let host = "localhost:\(port)"
        let ticket = try await ticket(key)
        return try await answer(
            to: "GET /v1/turns?ticket=\(ticket) HTTP/1.1\\r\\nHost: \(host)"
                + "\\r\\nConnection: keep-alive, Upgrade\\r\\nUpgrade: websocket\\r\\n"
                + "Sec-WebSocket-Version: 13\\r\\n"
                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\\r\\n\\r\\n", within: seconds)
    }

    /// A ticket that opens the WebSocket of a display's or a reader's key, once.
    func ticket(_ key: SigningKey) async throws -> Substring {
        let host = "localhost:\(port)"
        // The backend knows a new key within a second (rules 27).
        var ticket: Substring?
        _ = try await eventually {
            let request = RequestSigner(key: key).sign(
                WireRequest(
                    method: "POST", authority: host, path: Route.sessions.path,
                    fields: ["idempotency-key": RequestSigner.makeNonce()]),
                created: Int64(time(nil)), nonce: RequestSigner.makeNonce())
            let fields = request.fields.map { "\($0.key): \($0.value)\\r\\n" }.joined()
            let answer = try await self.answer(
                to: "POST \(request.path) HTTP/1.1\\r\\nHost: \(host)\\r\\n\(fields)"
                    + "Content-Length: 0\\r\\nConnection: close\\r\\n\\r\\n")
            ticket = answer.split(separator: "\"ticket\":\"").dropFirst().first?
                .prefix { $0 != "\"" }
            return ticket != nil
        }
        guard let ticket else { throw TestSupportError("no ticket for a WebSocket") }
        return ticket
    }
}
