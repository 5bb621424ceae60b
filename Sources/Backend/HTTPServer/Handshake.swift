internal import BackendAPI
internal import CWebSocket
internal import TextForms

/// The client's handshake for a WebSocket, checked (RFC 6455 4.2.1).
struct Handshake {
    /// The value of `Sec-WebSocket-Accept` in the answer.
    let accept: String

    static func isWanted(by head: RequestHead) -> Bool {
        head.method == "GET" && tokens(head.fields["upgrade"]).contains("websocket")
    }

    init(_ head: RequestHead) throws(WireResponse) {
        guard head.fields["sec-websocket-version"] == "13" else {
            var refused = WireResponse.refusal(
                .upgradeRequired, "version 13 of RFC 6455 is spoken here")
            refused.fields["sec-websocket-version"] = "13"
            refused.fields["upgrade"] = "websocket"
            throw refused
        }
        guard Self.tokens(head.fields["connection"]).contains("upgrade"),
            let key = head.fields["sec-websocket-key"], Self.isKey(key)
        else { throw .refusal(.malformed, "the WebSocket's handshake is not well formed") }
        // Pages of other sites must not open a socket with the credentials of a browser (RFC 6455 10.2).
        if let origin = head.fields["origin"]?.lowercased() {
            guard origin == "http://\(head.authority)" || origin == "https://\(head.authority)"
            else { throw .refusal(.forbidden, "the page is another server's") }
        }
        var bytes = [CChar](repeating: 0, count: 29)
        clup_ws_accept(key, key.utf8.count, &bytes)
        accept = String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func tokens(_ field: String?) -> [String] {
        guard let field else { return [] }
        return field.lowercased().split(separator: ",").map { String($0.trimmed { $0 == " " }) }
    }

    /// Whether the text is 16 bytes in base64.
    private static func isKey(_ key: String) -> Bool {
        key.utf8.count == 24 && key.hasSuffix("==")
            && key.utf8.dropLast(2).allSatisfy {
                $0.isASCIIDigit || $0.isASCIILetter || $0 == 0x2B || $0 == 0x2F
            }
    }
}
