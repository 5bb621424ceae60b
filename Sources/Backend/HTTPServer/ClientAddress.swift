internal import Glibc

/// The client of a request: the other end of the connection or, if that is a proxy on this computer, the client that
/// the proxy names.
enum ClientAddress {
    /// The one field by which a proxy names its client, in lower case; from any other sender it is only a claim.
    static let field = "x-real-ip"

    private static let loopback = [UInt8](repeating: 0, count: 15) + [1]
    private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// The client's address as limits use it.
    struct Texts: Hashable {
        /// An IPv4 address, or the first 48 bits of an IPv6 one: a client with one address of those has all of them. Empty
        /// for this computer itself, and for a peer that is not known.
        var site = ""
        /// The same with the first 64 bits of an IPv6 address: one of the site's networks.
        var network = ""
    }

    static func texts(peer: UnsafePointer<sockaddr>?, _ fields: [String: String]) -> Texts {
        guard let peer else { return Texts() }
        switch Int32(peer.pointee.sa_family) {
        case AF_UNIX: return named(fields)
        case AF_INET:
            let address = UnsafeRawPointer(peer).loadUnaligned(as: sockaddr_in.self).sin_addr
            let bytes = withUnsafeBytes(of: address) { Array($0) }
            return bytes[0] == 127 ? named(fields) : texts(bytes)
        case AF_INET6:
            let address = UnsafeRawPointer(peer).loadUnaligned(as: sockaddr_in6.self).sin6_addr
            let bytes = withUnsafeBytes(of: address) { Array($0) }
            let isLocal = bytes == loopback || bytes.starts(with: mapped + [127])
            return isLocal ? named(fields) : texts(bytes)
        default: return Texts()
        }
    }

    /// The client that the proxy names; empty for text that is no address, as nginx calls a client on a unix socket.
    private static func named(_ fields: [String: String]) -> Texts {
        guard let named = fields[field] else { return Texts() }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, named, &bytes) == 1 { return texts(Array(bytes.prefix(4))) }
        return inet_pton(AF_INET6, named, &bytes) == 1 ? texts(bytes) : Texts()
    }

    /// The texts of 4 bytes, or of 16, of which a mapped IPv4 address counts as IPv4 (RFC 4291 2.5.5.2).
    private static func texts(_ bytes: [UInt8]) -> Texts {
        if bytes.starts(with: mapped) { return texts(Array(bytes.suffix(4))) }
        if bytes.count == 4 {
            let text = bytes.map(String.init).joined(separator: ".")
            return Texts(site: text, network: text)
        }
        func prefix(_ bits: Int) -> String {
            let groups = stride(from: 0, to: bits / 8, by: 2).map { index in
                String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16)
            }
            return "\(groups.joined(separator: ":"))::/\(bits)"
        }
        return Texts(site: prefix(48), network: prefix(64))
    }
}
