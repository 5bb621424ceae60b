import BackendAPI
import Cryptography
import TestSupport

extension ReverseProxy {
    /// A signed call as it is sent, the last one on its connection, with more fields.
    static func call(
        _ route: Route, _ body: [UInt8] = [], as key: SigningKey, to authority: String,
        _ fields: [String: String] = [:]
    ) -> [UInt8] {
        var request = WireRequest(route, body, to: authority).signed(by: RequestSigner(key: key))
        request.fields.merge(fields) { $1 }
        request.fields["connection"] = "close"
        return request.bytes
    }

    /// The answer to a signed call without a backslash in its body.
    func answer(
        to route: Route, _ body: String = "", as key: SigningKey,
        from address: String = "127.0.0.1", _ fields: [String: String] = [:]
    ) async throws -> String {
        let bytes = Self.call(route, Array(body.utf8), as: key, to: "localhost:\(port)", fields)
        return try await answer(to: String(decoding: bytes, as: UTF8.self), from: address)
    }

    /// What opens the WebSocket of a display or a reader.
    static func opening(_ ticket: Substring, at authority: String) -> String {
        """
        GET /v1/turns?ticket=\(ticket) HTTP/1.1\r
        Host: \(authority)\r
        Connection: keep-alive, Upgrade\r
        Upgrade: websocket\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
        \r

        """
    }

    /// Asks for a ticket with a display's key and opens its WebSocket; returns what came until the socket was closed
    /// or, if it was not, within this many seconds.
    func turns(_ key: SigningKey, within seconds: Int = 3) async throws -> String {
        let opening = Self.opening(try await ticket(key), at: "localhost:\(port)")
        return try await answer(to: opening, within: seconds)
    }

    /// A ticket that opens the WebSocket of a display's or a reader's key, once.
    func ticket(_ key: SigningKey) async throws -> Substring {
        // The backend knows a new key within a second (rules: one-server).
        var ticket: Substring?
        _ = try await eventually {
            let answer = try await self.answer(to: .sessions, as: key)
            ticket = answer.split(separator: "\"ticket\":\"").dropFirst().first?
                .prefix { $0 != "\"" }
            return ticket != nil
        }
        guard let ticket else { throw TestSupportError("no ticket for a WebSocket") }
        return ticket
    }
}
