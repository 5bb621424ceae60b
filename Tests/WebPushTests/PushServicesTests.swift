import Testing

@testable import WebPush

@Suite("The list of push services")
struct PushServicesTests {
    private static let text =
        "fcm.googleapis.com,*.push.apple.com,https://push.example.it:8443,http://127.0.0.1:8080"
        + ",http://[::1]:8081,https://[fd00::1]"

    @Test(
        "Endpoints of the services are contained",
        arguments: [
            "https://fcm.googleapis.com/fcm/send/abc:APA91b-_x~y",
            "https://fcm.googleapis.com:443/x", "https://fcm.googleapis.com/",
            "https://fcm.googleapis.com/@/%2e%2e/x?a=b&c", "https://web.push.apple.com/QG",
            "https://a.b.push.apple.com/", "https://push.example.it:8443/x",
            "http://127.0.0.1:8080/p", "http://[::1]:8081/p", "https://[fd00::1]/p",
        ])
    func contained(endpoint: String) throws {
        #expect(try #require(PushServices(Self.text)).contains(endpoint))
    }

    @Test(
        "Everything that leads elsewhere, or may be read in two ways, is not",
        arguments: [
            // Another scheme, or none.
            "", "fcm.googleapis.com/x", "//fcm.googleapis.com/x", "http://fcm.googleapis.com/x",
            "ftp://fcm.googleapis.com/x", "HTTPS://fcm.googleapis.com/x",
            "https:/fcm.googleapis.com/x",
            "https:fcm.googleapis.com/x", "file:///etc/passwd", "https:///x", "https://",
            " https://fcm.googleapis.com/x", "https://push.example.it/x",
            "http://push.example.it:8443/x", "https://127.0.0.1:8080/p",
            // Another host.
            "https://example.com/x", "https://fcm.googleapis.com.evil.example/x",
            "https://evilfcm.googleapis.com/x", "https://x.fcm.googleapis.com/x",
            "https://googleapis.com/x", "https://push.apple.com/x", "https://evilpush.apple.com/x",
            "https://.push.apple.com/x", "https://a..push.apple.com/x",
            "https://-a.push.apple.com/x", "https://a_b.push.apple.com/x",
            "https://*.push.apple.com/x", "https://web.push.apple.com.evil.example/x",
            "https://evil.example/.push.apple.com/x", "https://evil.example?.push.apple.com/x",
            "https://fcm.googleapis.com./x", "https://FCM.googleapis.com/x",
            "https://fcm.googleapis.com?/x", "https://fcm.googleapis.com",
            "https://fcm%2egoogleapis.com/x", "https://fcm.googleapis.com%2f@evil.example/x",
            "https://fcm。googleapis.com/x", "https://fcm.google\u{430}pis.com/x",
            "https://2130706433/x", "https://127.1/x", "https://[::1]/x",
            "https://[fd00::1%25lo]/p",
            "http://127.0.0.1:8081/p", "http://127.0.0.2:8080/p", "http://localhost:8080/p",
            // User information.
            "https://fcm.googleapis.com@evil.example/x", "https://user@fcm.googleapis.com/x",
            "https://user:word@fcm.googleapis.com/x", "https://@fcm.googleapis.com/x",
            "https://evil.example\\@fcm.googleapis.com/x",
            "https://evil.example/@fcm.googleapis.com",
            // Another port.
            "https://fcm.googleapis.com:8443/x", "https://fcm.googleapis.com:/x",
            "https://fcm.googleapis.com:0443/x", "https://fcm.googleapis.com:+443/x",
            "https://fcm.googleapis.com:65979/x", "https://fcm.googleapis.com:443:443/x",
            "https://fcm.googleapis.com:443@evil.example/x",
            // Characters.
            "https://fcm.googleapis.com\\x", "https:\\\\fcm.googleapis.com/x",
            "https://fcm.googleapis.com/\\x", "https://fcm.googleapis.com/x y",
            "https://fcm.googleapis.com/\tx", "https://fcm.\tgoogleapis.com/x",
            "https://fcm.googleapis.com/x\r\nX: y", "https://fcm.googleapis.com/x\n",
            "https://fcm.googleapis.com/x\u{0}", "https://fcm.googleapis.com/\u{7F}",
            "https://fcm.googleapis.com/é", "https://fcm.googleapis.com/x#y",
            "https://fcm.googleapis.com/{x}", "https://fcm.googleapis.com/<x>",
        ])
    func others(endpoint: String) throws {
        #expect(try !#require(PushServices(Self.text)).contains(endpoint))
    }

    @Test("An endpoint has at most 1,024 bytes")
    func length() throws {
        let services = try #require(PushServices(Self.text))
        let start = "https://fcm.googleapis.com/"
        let longest = start + String(repeating: "x", count: 1_024 - start.count)
        #expect(services.contains(longest))
        #expect(!services.contains(longest + "x"))
    }

    @Test(
        "A list that is not written as it should be is refused",
        arguments: [
            "", ",", "a.example,", ",a.example", "a.example, b.example", "a.example b.example",
            "localhost", "com", "*.com", "*", "*.", "*example.com", "*.*.example.com", "a.*.com",
            "A.example", "a.example.", ".a.example", "a..example", "-a.example", "a_b.example",
            "a.example:443", "a.example/", "127.0.0.1", "*.127.0.0.1", "127.1", "1.2.3.0x7f",
            "[::1]", "é.example", "http://", "https://", "http://push.example.it",
            "http://10.0.0.1:80", "http://8.8.8.8", "http://[fd00::1]:80", "https://*.example.it",
            "https://push.example.it/", "https://push.example.it/x", "https://push.example.it:0",
            "https://push.example.it:", "https://push.example.it:65536",
            "https://push.example.it:08443", "https://user@push.example.it", "https://127.1",
            "https://127.0.0.01", "http://[0:0:0:0:0:0:0:1]:80", "http://[::1", "http://::1",
            "HTTPS://push.example.it", "ftp://push.example.it", "http://[]", "http://[::1]x",
            "http://127.0.0.1.:80", "https://0x7f000001",
        ])
    func refused(text: String) { #expect(PushServices(text) == nil) }

    @Test("An endpoint's origin, and where its addresses may be, follow from its service")
    func match() throws {
        let services = try #require(
            PushServices("push.example.it,https://push.example.it:443,\(Self.text)"))
        for (endpoint, origin, reach) in [
            ("https://fcm.googleapis.com:443/x", "https://fcm.googleapis.com", .global),
            ("https://fcm.googleapis.com/x", "https://fcm.googleapis.com", .global),
            ("https://web.push.apple.com/x", "https://web.push.apple.com", .global),
            ("https://push.example.it:8443/x", "https://push.example.it:8443", .any),
            ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080", .loopback),
            // An origin is allowed more than the same host in the list.
            ("https://push.example.it/x", "https://push.example.it", .any),
        ] as [(String, String, PushServices.Reach)] {
            let match = try #require(services.match(endpoint))
            #expect(match.origin == origin && match.service.reach == reach, "\(endpoint)")
        }
    }
}
