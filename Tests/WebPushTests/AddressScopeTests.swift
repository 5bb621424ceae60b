import TestSupport
import Testing

@testable import OutgoingHTTP

@Suite("How far an address reaches")
struct AddressScopeTests {
    private static let addresses: [(AddressScope, [String])] = [
        (
            .global,
            [
                "1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
                "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255",
                "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.88.98.255", "192.167.255.255",
                "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "203.0.114.0",
                "223.255.255.255", "142.250.180.74", "2000::", "2001:200::", "2001:4860:4860::8888",
                "2003::1", "2606:4700::1111", "3ffe:ffff::1", "3fff:1000::", "::ffff:8.8.8.8",
                "64:ff9b::8.8.8.8",
            ]
        ),
        (
            .loopback,
            [
                "127.0.0.0", "127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1",
            ]
        ),
        (
            .privateNetwork,
            [
                "10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0",
                "192.168.255.255", "fc00::1", "fdff::1", "::ffff:10.0.0.1",
            ]
        ),
        (
            .special,
            [
                "0.0.0.0", "0.255.255.255", "100.64.0.0",
                "100.127.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255", "192.0.0.0",
                "192.0.0.255", "192.0.2.1", "192.88.99.1", "198.18.0.0", "198.19.255.255",
                "198.51.100.1", "203.0.113.255",
                "224.0.0.1", "239.255.255.255", "240.0.0.0", "255.255.255.255",
                // Unspecified, link-local, site-local, multicast, discard-only.
                "::", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ffff::1",
                "100::1",
                // Protocol assignments with Teredo, documentation, 6to4, segment routing, unassigned.
                "2001::1", "2001:1ff::1", "2001:db8::1", "2001:db8:ffff::1", "2002::1",
                "2002:808:808::1",
                "2002:7f00:1::", "3fff::1", "3fff:fff::1", "5f00::1", "4000::1", "1fff::1", "0:1::",
                // Addresses of version 4 inside: compatible, mapped, behind translators.
                "::8.8.8.8", "::127.0.0.1", "::2", "::ffff:169.254.169.254",
                "::ffff:0.0.0.0", "::ffff:0:8.8.8.8", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1",
                "64:ff9b:1::8.8.8.8", "64:ff9b:0:1::8.8.8.8",
            ]
        ),
    ]

    @Test(
        "An address of the Internet, this computer, a private network, or neither, is known",
        arguments: addresses.flatMap { scope, addresses in addresses.map { ($0, scope) } })
    func scope(address: String, scope: AddressScope) {
        #expect(SocketAddress.with(address) { AddressScope($0) } == scope)
    }

    @Test("Bytes that are no whole address of IP")
    func bytes() {
        for bytes: [UInt8] in [
            [], [2], [2, 0], [2, 0, 1, 187, 8, 8, 8, 8], [10, 0, 1, 187, 0x20, 1],
            [1, 0] + Array("/run/socket".utf8), Array(repeating: 0xFF, count: 128),
        ] {
            #expect(bytes.withUnsafeBytes { AddressScope($0) } == .special, "\(bytes)")
        }
    }
}
