import TestSupport
import Testing

@testable import SMSGateway

@Suite("Kannel's address")
struct KannelAddressTests {
    @Test(
        "An address is https, or http to this computer, a private network or a name",
        arguments: [
            "http://127.0.0.1:13013/cgi-bin/sendsms", "http://localhost:13013/cgi-bin/sendsms",
            "http://[::1]:13013/cgi-bin/sendsms", "http://10.1.2.3/sendsms",
            "http://192.168.0.9:80/x",
            "http://172.16.0.1/x", "http://172.31.255.255/x", "http://[fd00::1]/x",
            "http://kannel.lan/x",
            "https://sms.example.com/cgi-bin/sendsms", "https://8.8.8.8/x",
            "https://[2001:db8::1]:8443/x",
            "http://[::ffff:10.0.0.1]/x",
        ])
    func good(_ text: String) { #expect(KannelAddress(text)?.url == text) }

    @Test(
        "Any other address is refused",
        arguments: [
            "", "http://", "https://", "http:///x", "https:///x", "127.0.0.1:13013/x",
            "ftp://127.0.0.1/x",
            "HTTP://127.0.0.1/x", "http://127.0.0.1:13013", "http://8.8.8.8/x",
            "http://172.32.0.1/x",
            "http://169.254.1.1/x", "http://0.0.0.0/x", "http://[2001:db8::1]/x",
            "http://[::ffff:8.8.8.8]/x",
            "http://[fe80::1]/x", "http://user@127.0.0.1/x", "http://clup:clup@127.0.0.1/x",
            "http://127.0.0.1/x?username=a", "http://127.0.0.1/x#a", "http://127.0.0.1:0/x",
            "http://127.0.0.1:65536/x", "http://127.0.0.1:+80/x", "http://127.0.0.1:080/x",
            "http://:80/x",
            "http://127.1/x", "http://2130706433/x", "http://0x7f.1/x", "http://127.0.0.1 /x",
            "http://127.0.0.1\u{0}/x", "http://127.0.0.1/\u{E9}", "http://127.0.0.1/x\r\nX: y",
            "http://a..b/x", "http://-/x\\", "http://[::1/x",
            "https://ex.it/" + String(repeating: "x", count: 500),
        ])
    func bad(_ text: String) { #expect(KannelAddress(text) == nil) }

    @Test(
        "A socket address is private if it is of this computer or of a private network",
        arguments: [
            ("127.0.0.1", true), ("127.255.255.255", true), ("10.0.0.0", true),
            ("172.15.0.1", false), ("172.16.0.1", true), ("172.32.0.1", false),
            ("192.168.1.1", true), ("192.169.1.1", false), ("8.8.8.8", false), ("0.0.0.0", false),
            ("255.255.255.255", false), ("100.64.0.1", false), ("::1", true), ("fc00::1", true),
            ("fdff::1", true), ("fe80::1", false), ("::", false), ("2001:db8::1", false),
            ("::ffff:127.0.0.1", true), ("::ffff:8.8.8.8", false), ("::2", false),
            ("64:ff9b::7f00:1", false), ("unix", false),
        ])
    func sockets(_ text: String, isPrivate: Bool) {
        #expect(SocketAddress.with(text) { KannelAddress.isPrivate($0) } == isPrivate)
        let start = SocketAddress.with(text) {
            KannelAddress.isPrivate(UnsafeRawBufferPointer(rebasing: $0.prefix(7)))
        }
        #expect(start == false, "a part of an address")
        #expect(!KannelAddress.isPrivate(UnsafeRawBufferPointer(start: nil, count: 0)))
    }
}
