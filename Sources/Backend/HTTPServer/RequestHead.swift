internal import BackendAPI
internal import Reservations
internal import TextForms

/// The head of a request, checked: either valid, or refused with a status.
///
/// MHD 0.9.75 is lenient; a head that two parsers could read differently is refused here (RFC 9112 6.3, 11.2). The
/// comments at the checks say what MHD lets through with the options of `clup_mhd_start`, as a trial of each has shown.
struct RequestHead {
    let method: String
    let authority: String
    let path: String
    let query: String
    /// The fields by name in lower case; several lines of one name are joined by ", " (RFC 9110 5.3).
    let fields: [String: String]
    let contentLength: Int?

    func request(_ body: [UInt8], from client: ClientAddress.Texts) -> WireRequest {
        WireRequest(
            method: method, authority: authority, path: path, query: query, fields: fields,
            body: body, client: client.site, network: client.network)
    }

    /// Fields that may appear only once: those of framing, and all that the contract gives a meaning.
    private static let single: Set = [
        "host", "content-length", "transfer-encoding", "content-type", "content-encoding",
        "content-digest", "idempotency-key", "accept-signature", "expect", ClientAddress.field,
    ]
    /// Methods to which a service can answer 405; others are not implemented here (RFC 9110 15.6.2).
    private static let methods: Set = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "QUERY",
    ]

    init(
        method: String, target: [UInt8], version: String, lines: HeadLines
    ) throws(WireResponse) {
        func malformed(_ reason: String) -> WireResponse { .refusal(.malformed, reason) }
        // MHD lets every HTTP/1.x through, and answers other versions itself.
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw .refusal(.versionNotSupported, "HTTP/1.1 is spoken here")
        }
        // MHD lets every word through.
        guard Self.methods.contains(method) else {
            throw .refusal(.notImplemented, "the method does not exist here")
        }
        // MHD lets every byte through except a space, also absolute targets and escapes that are cut off.
        let parts = target.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard target.first == UInt8(ascii: "/"), target.allSatisfy(Self.isTargetByte),
            let path = parts.first, !path.contains(UInt8(ascii: "\\")), Self.decodesToText(path)
        else { throw malformed("the request target is not a path") }

        var fields: [String: String] = [:]
        fields.reserveCapacity(lines.lines.count)
        for line in lines.lines {
            let (rawName, rawValue) = (lines.bytes[line.name], lines.bytes[line.value])
            // MHD only asks for a colon: names may be empty or have spaces, values any byte.
            guard let name = Self.name(rawName),
                let value = Self.value(rawValue, isText: Self.single.contains(name))
            else { throw malformed("a header field is not well formed") }
            if let present = fields[name] {
                // MHD lets every field repeat, also Host and Content-Length.
                guard !Self.single.contains(name) else {
                    throw malformed("a header field stands there twice")
                }
                fields[name] = present + ", " + value
            } else {
                fields[name] = value
            }
        }
        if let coding = fields["transfer-encoding"] {
            // MHD lets both fields of length through together, and every coding.
            guard fields["content-length"] == nil, coding.lowercased() == "chunked",
                version == "HTTP/1.1"
            else { throw malformed("the length of the body is ambiguous") }
            // MHD ends a chunk's line also at a bare LF, at which another parser reads on (RFC 9112 11.2). No call
            // needs chunks, and refusing them is allowed (RFC 9110 15.5.12).
            throw .refusal(.lengthRequired, "a body needs a Content-Length")
        }
        contentLength = fields["content-length"].flatMap { Int($0) }
        if let length = fields["content-length"] {
            // MHD refuses such a length itself; it is checked here too, as `contentLength` limits the body.
            guard length.isASCIIDigits, contentLength != nil else {
                throw malformed("the length of the body is not a number")
            }
        }
        // MHD asks for the field of HTTP/1.1 only, and lets every value through, also an empty one.
        guard let host = fields["host"], !host.isEmpty,
            host.hasOnlyBytes(where: {
                $0.isASCIIDigit || $0.isASCIILetter || ".-:[]_".utf8.contains($0)
            })
        else { throw malformed("the Host field is missing or not well formed") }
        self.method = method
        authority = Self.authority(host)
        self.path = String(decoding: path, as: UTF8.self)
        query = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
        self.fields = fields
    }

    /// The authority in lower case and without the default port, as signatures have it (RFC 9421 2.2.3).
    ///
    /// This server does not know whether a proxy with TLS is in front of it, so that the default ports of both
    /// schemes are removed.
    private static func authority(_ host: String) -> String {
        let host = host.lowercased()
        for port in [":443", ":80"] where host.hasSuffix(port) {
            return String(host.dropLast(port.count))
        }
        return host
    }

    /// Whether browsers send the byte as it is: visible ASCII but for those that the URL Standard escapes in every query. In
    /// a query they leave `\ ^ ` { | }` as they are, in a path some of these, which RFC 3986 2 would have escaped.
    private static func isTargetByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"): false
        default: (0x21...0x7E).contains(byte)
        }
    }

    /// Whether escapes are complete and encode UTF-8 without control characters.
    private static func decodesToText(_ path: ArraySlice<UInt8>) -> Bool {
        guard path.contains(UInt8(ascii: "%")) else { return true }
        guard let bytes = PercentEncoding.bytes(path) else { return false }
        return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            && String(validating: bytes, as: UTF8.self) != nil
    }

    /// A token (RFC 9110 5.6.2) in lower case.
    private static func name(_ raw: ArraySlice<UInt8>) -> String? {
        var hasCapitals = false
        for byte in raw {
            switch byte {
            case 0x41...0x5A: hasCapitals = true
            case 0x30...0x39, 0x61...0x7A, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60,
                0x7C, 0x7E:
                break
            default: return nil
            }
        }
        guard !raw.isEmpty else { return nil }
        return hasCapitals
            ? String(decoding: raw.map { $0.isASCIIUppercase ? $0 | 0x20 : $0 }, as: UTF8.self)
            : String(decoding: raw, as: UTF8.self)
    }

    /// A value without control characters, with the spaces at both ends removed.
    ///
    /// - Parameter isText: Whether it must be UTF-8. In others, which the contract gives no meaning, such as Referer, other
    ///   bytes (`obs-text`, RFC 9110 5.5) are replaced by U+FFFD: they can harm nothing. A signature of one does not match.
    private static func value(_ raw: ArraySlice<UInt8>, isText: Bool) -> String? {
        guard raw.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
        let bytes = raw.trimmed { $0 == 0x20 || $0 == 0x09 }
        return isText
            ? String(validating: bytes, as: UTF8.self) : String(decoding: bytes, as: UTF8.self)
    }
}
