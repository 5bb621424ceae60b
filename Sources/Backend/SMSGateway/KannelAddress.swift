internal import Glibc
internal import OutgoingHTTP

/// The address of Kannel's `sendsms`, as `http://127.0.0.1:13013/cgi-bin/sendsms`.
public struct KannelAddress: Hashable, Sendable {
    let url: String
    /// Whether it is `https`. Otherwise only private addresses are connected to, since the password, the number and
    /// the text can be read on the way.
    let isSecure: Bool

    /// Nil unless the text is an absolute URL of at most 500 printable bytes of ASCII with a path and without user
    /// information, query and fragment: `https`, or `http` with a host that is a name, a loopback address or a private
    /// one.
    public init?(_ text: String) {
        isSecure = text.hasPrefix("https://")
        guard isSecure || text.hasPrefix("http://"), text.utf8.count <= 500,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.excluded.contains($0) })
        else { return nil }
        let rest = text.dropFirst(isSecure ? "https://".count : "http://".count)
        let authority = rest.prefix { $0 != "/" }
        guard authority.count < rest.count, let host = Self.host(authority) else { return nil }
        guard isSecure || Self.isName(host) || Self.isPrivateLiteral(host) else { return nil }
        url = text
    }

    private static let excluded = Set("@?#\\\"<>^`{|}".utf8)

    /// The host of `HOST` or `HOST:PORT`; nil if the port is none, or there is no host.
    private static func host(_ authority: Substring) -> Substring? {
        let afterBracket = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[afterBracket...].firstIndex(of: ":") else {
            return authority.isEmpty ? nil : authority
        }
        let digits = authority[authority.index(after: colon)...]
        guard let port = UInt16(digits), port > 0, digits == "\(port)" else { return nil }
        return colon == authority.startIndex ? nil : authority[..<colon]
    }

    /// Whether it is a name (RFC 1123 2.1), whose last label is not that of an address.
    private static func isName(_ host: Substring) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
        } && labels.last?.first?.isNumber == false
    }

    private static func isPrivateLiteral(_ host: Substring) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            return inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address.sin6_addr) == 1
                && withUnsafeBytes(of: &address) { isPrivate($0) }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        return inet_pton(AF_INET, String(host), &address.sin_addr) == 1
            && withUnsafeBytes(of: &address) { isPrivate($0) }
    }

    /// Whether a socket address (ip(7), ipv6(7)) is of this computer or of a private network.
    static func isPrivate(_ address: UnsafeRawBufferPointer) -> Bool {
        switch AddressScope(address) {
        case .loopback, .privateNetwork: true
        case .global, .special: false
        }
    }
}
