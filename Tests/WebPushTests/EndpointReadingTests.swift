import CCurl
import TestSupport
import Testing

@testable import WebPush

/// The list decides where a push goes, and libcurl, which reads the endpoint again, where it really goes.
@Suite("An endpoint is read as libcurl reads it")
struct EndpointReadingTests {
    private static let starts =
        Array(repeating: "https://", count: 8)
        + ["http://", "http://", "HTTPS://", "https:/", "https:///", ""]
    private static let users =
        Array(repeating: "", count: 12) + ["user@", "user:word@", "@", "evil.example\\@"]
    private static let hosts = [
        "fcm.googleapis.com", "web.push.apple.com", "a-b.c.push.apple.com", "push.example.it",
        "127.0.0.1", "[::1]", "[fd00::1]", "push.apple.com", "evil.example", "127.1", "localhost",
        "fcm.googleapis.com.", "xn--a.push.apple.com",
    ]
    private static let ports = ["", "", "", ":443", ":8443", ":8080", ":8081", ":0443", ":", ":x"]
    private static let ends = ["/", "/x", "/x?y=z", "/@b/", "?x", "", "/%2e%2e/x", "//x", "/x:1@y"]
    private static let odd: [Character] = [
        "@", ":", "/", "\\", "?", "#", "%", ".", "[", "]", "\t", " ", "\r", "\n", "é", "。", "a",
        "0", "-", "_", "*", "&", ";", "|", "'", "(", "\u{7F}", "\u{AD}",
    ]

    private func endpoint(_ numbers: inout SystemRandomNumberGenerator) -> String {
        var text = [Self.starts, Self.users, Self.hosts, Self.ports, Self.ends]
            .map { $0.randomElement(using: &numbers) ?? "" }.joined()
        // Most of the wrong ones are wrong in one place.
        if Bool.random(using: &numbers), let character = Self.odd.randomElement(using: &numbers) {
            let offset = Int.random(in: 0...text.count, using: &numbers)
            text.insert(character, at: text.index(text.startIndex, offsetBy: offset))
        }
        return text
    }

    /// A part of the URL in libcurl's reading; nil if it has none (curl_url_get(3)).
    private func part(_ part: CURLUPart, of url: OpaquePointer?, _ flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, UInt32(flags)) == CURLUE_OK, let text else {
            return nil
        }
        defer { curl_free(text) }
        return String(cString: text)
    }

    @Test("Scheme, host and port of every endpoint that is contained are libcurl's")
    func agreement() throws {
        let services = try #require(
            PushServices(
                "fcm.googleapis.com,*.push.apple.com,https://push.example.it:8443,"
                    + "http://127.0.0.1:8080,http://[::1]:8081,https://[fd00::1]"))
        var numbers = SystemRandomNumberGenerator()
        var count = 0
        for _ in 0..<50_000 {
            let endpoint = endpoint(&numbers)
            guard let match = services.match(endpoint) else { continue }
            count += 1
            let url = curl_url()
            defer { curl_url_cleanup(url) }
            guard curl_url_set(url, CURLUPART_URL, endpoint, 0) == CURLUE_OK else { continue }
            let scheme = try #require(part(CURLUPART_SCHEME, of: url))
            let host = try #require(part(CURLUPART_HOST, of: url))
            let port = try #require(part(CURLUPART_PORT, of: url, CURLU_DEFAULT_PORT))
            let isStandard = port == "\(match.service.standardPort)"
            #expect(
                match.origin == "\(scheme)://\(host)\(isStandard ? "" : ":\(port)")", "\(endpoint)")
            #expect(port == "\(match.service.port)", "\(endpoint)")
            for other in [
                CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_FRAGMENT, CURLUPART_ZONEID,
            ] { #expect(part(other, of: url) == nil, "\(endpoint)") }
        }
        #expect(count > 500, "\(count)")
    }
}
