internal import Glibc

/// How far a network address reaches.
public enum AddressScope: Sendable {
    /// An address of the public Internet.
    case global
    /// An address of this computer.
    case loopback
    /// An address of a private network (RFC 1918, RFC 4193).
    case privateNetwork
    /// Any other one: link-local, shared, multicast, unspecified, reserved, or no address of IP.
    case special

    /// Judges a socket address (ip(7), ipv6(7)) of this many bytes.
    public init(_ address: UnsafeRawBufferPointer) {
        self = .special
        guard address.count >= MemoryLayout<sa_family_t>.size else { return }
        switch Int32(address.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            guard address.count >= MemoryLayout<sockaddr_in>.size else { return }
            self.init(
                version4: address.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr.bigEndian)
        case AF_INET6:
            guard address.count >= MemoryLayout<sockaddr_in6>.size else { return }
            var host = address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self.init(version6: withUnsafeBytes(of: &host) { Array($0) })
        default: return
        }
    }

    private struct Prefix {
        let bits: UInt32
        let length: Int

        init(_ parts: [UInt32], _ length: Int) {
            bits = parts.reduce(0) { $0 << 8 | $1 } << (8 * UInt32(4 - parts.count))
            self.length = length
        }

        func contains(_ address: UInt32) -> Bool { (address ^ bits) >> UInt32(32 - length) == 0 }
    }

    private static let privateNetworks = [
        Prefix([10], 8), Prefix([172, 16], 12), Prefix([192, 168], 16),
    ]

    /// The other blocks that are not of the public Internet (IANA IPv4 Special-Purpose Address Registry, RFC 6890), except
    /// the loopback.
    private static let version4 = [
        Prefix([0], 8),  // this network, RFC 791 3.2
        Prefix([100, 64], 10),  // shared by providers' customers, RFC 6598
        Prefix([169, 254], 16),  // link-local, RFC 3927
        Prefix([192, 0, 0], 24),  // protocol assignments, RFC 6890
        Prefix([192, 0, 2], 24),  // documentation, RFC 5737
        Prefix([192, 88, 99], 24),  // relays of 6to4, RFC 7526
        Prefix([198, 18], 15),  // measurements, RFC 2544
        Prefix([198, 51, 100], 24),  // documentation, RFC 5737
        Prefix([203, 0, 113], 24),  // documentation, RFC 5737
        Prefix([224], 4),  // multicast, RFC 5771
        Prefix([240], 4),  // reserved, and broadcast, RFC 1112 4
    ]

    /// - Parameter address: its first byte is the most significant one.
    private init(version4 address: UInt32) {
        if Prefix([127], 8).contains(address) {
            self = .loopback
        } else if Self.privateNetworks.contains(where: { $0.contains(address) }) {
            self = .privateNetwork
        } else {
            self = Self.version4.contains { $0.contains(address) } ? .special : .global
        }
    }

    /// The beginnings of addresses, as 32 bits, that are not of the public Internet although they are below 2000::/3,
    /// the only block of it (IANA IPv6 Special-Purpose Address Registry, RFC 6890).
    private static let version6 = [
        Prefix([0x20, 0x01, 0x00], 23),  // protocol assignments, Teredo among them, RFC 2928
        Prefix([0x20, 0x01, 0x0D, 0xB8], 32),  // documentation, RFC 3849
        Prefix([0x20, 0x02], 16),  // 6to4, whose relays are gone, RFC 7526
        Prefix([0x3F, 0xFF, 0x00], 20),  // documentation, RFC 9637
    ]

    private init(version6 address: [UInt8]) {
        func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
            bytes.reduce(0) { $0 << 8 | UInt32($1) }
        }
        let start = number(address[..<4])
        let zeros = address.prefix { $0 == 0 }.count
        if zeros == 15, address[15] == 1 {
            self = .loopback
        } else if zeros == 10, address[10] == 0xFF, address[11] == 0xFF {
            // An address of version 4 on a socket of version 6 (RFC 4291 2.5.5.2).
            self.init(version4: number(address[12...]))
        } else if address[..<12] == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] {
            // An address of version 4 behind a translator (RFC 6052 2.1), which connects to that one.
            let behind = AddressScope(version4: number(address[12...]))
            self = behind == .global ? .global : .special
        } else if Prefix([0xFC], 7).contains(start) {
            self = .privateNetwork
        } else {
            let isUnicast = Prefix([0x20], 3).contains(start)
            self = isUnicast && !Self.version6.contains { $0.contains(start) } ? .global : .special
        }
    }
}
