internal import BackendAPI
internal import Glibc
internal import OutgoingHTTP

/// The push services to which notices may be sent.
///
/// Endpoints come from browsers, and a caller can invent one. This list keeps the backend from being used to send
/// requests to other servers, and `AddressScope` keeps a name on it from leading into the own network.
public struct PushServices: Hashable, Sendable {
    /// The addresses to which a connection may be opened.
    enum Reach: Hashable, Sendable {
        case global
        case loopback
        case any

        func includes(_ scope: AddressScope) -> Bool {
            switch self {
            case .global: scope == .global
            case .loopback: scope == .loopback
            case .any: true
            }
        }
    }

    /// One entry of the list.
    struct Service: Hashable, Sendable {
        let isSecure: Bool
        /// Below this host with a name of its own, and not the host itself.
        let isWildcard: Bool
        /// As it is in a URL: a name in small letters, or an address.
        let host: String
        let port: UInt16
        let reach: Reach

        var standardPort: UInt16 { isSecure ? 443 : 80 }
        var scheme: String { isSecure ? "https" : "http" }
    }

    /// What an endpoint leads to.
    struct Match: Hashable {
        /// The place of its service in the list.
        let index: Int
        let service: Service
        /// Its scheme, host and, unless it is the scheme's own, port (RFC 6454 6.2).
        let origin: String
    }

    let services: [Service]

    /// Reads a list with commas and without spaces, or returns nil if a part is none of these, or there is none:
    ///
    /// - `HOST`, or `*.HOST` for all names below it: `https` on port 443, at a public address.
    /// - An origin, as `https://push.example.it:8443` or `http://127.0.0.1:8080`: also at a private address; `http` at a
    ///   loopback only.
    ///
    /// Names are in small letters, as browsers write them.
    public init?(_ text: String) {
        var services: [Service] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let service = Self.origin(part) ?? Self.host(part) else { return nil }
            services.append(service)
        }
        self.init(services: services)
    }

    /// Origins come first: what is allowed there is allowed, even if the host is in the list too.
    init(services: [Service]) {
        self.services =
            services.filter { $0.reach != .global } + services.filter { $0.reach == .global }
    }

    /// Whether an endpoint is an absolute URL of one of the services, as browsers write one: without user information
    /// and fragment, of at most 1,024 printable bytes of ASCII.
    public func contains(_ endpoint: String) -> Bool { match(endpoint) != nil }

    /// Scheme, host and, unless it is the scheme's own, port of an endpoint of one of the services; nil for any other one.
    public func origin(of endpoint: String) -> String? { match(endpoint)?.origin }

    func match(_ endpoint: String) -> Match? {
        guard endpoint.utf8.count <= SubscriptionRequest.maxEndpointBytes,
            endpoint.utf8.allSatisfy({ Self.isURLByte($0) }),
            let (isSecure, rest) = Self.withoutScheme(endpoint[...])
        else { return nil }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        // Without a path it is no endpoint; "?" directly after the host is read in different ways.
        guard rest.dropFirst(authority.count).first == "/",
            let (host, port) = Self.hostAndPort(authority, isSecure: isSecure)
        else { return nil }
        for (index, service) in services.enumerated()
        where service.isSecure == isSecure && service.port == port
            && (service.isWildcard
                ? Self.isName(host) && host.hasSuffix(".\(service.host)") : host == service.host)
        {
            let end = port == service.standardPort ? "" : ":\(port)"
            return Match(
                index: index, service: service, origin: "\(service.scheme)://\(host)\(end)")
        }
        return nil
    }

    // MARK: Parts of the list

    private static func host(_ part: Substring) -> Service? {
        let isWildcard = part.hasPrefix("*.")
        let host = isWildcard ? part.dropFirst(2) : part
        // Everything below a top-level domain would be too much. A last label without a letter makes an address.
        guard isName(host), host.contains("."), !endsAsAddress(host) else { return nil }
        return Service(
            isSecure: true, isWildcard: isWildcard, host: String(host), port: 443, reach: .global)
    }

    private static func origin(_ part: Substring) -> Service? {
        guard let (isSecure, authority) = withoutScheme(part),
            let (host, port) = hostAndPort(authority, isSecure: isSecure)
        else { return nil }
        let scope = literalScope(host)
        guard scope != nil || isName(host) && !endsAsAddress(host),
            isSecure || scope == .loopback || host == "localhost"
        else { return nil }
        return Service(
            isSecure: isSecure, isWildcard: false, host: String(host), port: port,
            reach: isSecure ? .any : .loopback)
    }

    // MARK: Parts of a URL

    private static func withoutScheme(_ text: Substring) -> (isSecure: Bool, rest: Substring)? {
        if text.hasPrefix("https://") { return (true, text.dropFirst("https://".count)) }
        if text.hasPrefix("http://") { return (false, text.dropFirst("http://".count)) }
        return nil
    }

    /// Splits at the colon before a port, which an address of version 6 has after its bracket.
    private static func hostAndPort(
        _ authority: Substring, isSecure: Bool
    ) -> (host: Substring, port: UInt16)? {
        let afterBracket = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[afterBracket...].firstIndex(of: ":") else {
            return (authority, isSecure ? 443 : 80)
        }
        let digits = authority[authority.index(after: colon)...]
        guard let port = UInt16(digits), port > 0, digits == "\(port)" else { return nil }
        return (authority[..<colon], port)
    }

    /// The bytes of a URL (RFC 3986 2) without the number sign, which begins a fragment.
    private static func isURLByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
            UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: (0x21...0x7E).contains(byte)
        }
    }

    /// Whether these are labels of small letters, digits and hyphens with a dot between each two (RFC 1123 2.1).
    private static func isName(_ host: Substring) -> Bool {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return host.utf8.count <= 253
            && labels.allSatisfy { label in
                let hyphen = UInt8(ascii: "-")
                return (1...63).contains(label.count) && label.first != hyphen
                    && label.last != hyphen
                    && label.allSatisfy {
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == hyphen
                    }
            }
    }

    /// Whether a URL's reader may take a name for an address of version 4: its last label begins with a digit, as in
    /// `127.1` and `0x7f` (inet_aton(3)).
    private static func endsAsAddress(_ host: Substring) -> Bool {
        host.split(separator: ".").last?.utf8.first.map { (48...57).contains($0) } ?? true
    }

    /// The scope of an address as URLs have it, in its shortest form; nil if the host is none.
    private static func literalScope(_ host: Substring) -> AddressScope? {
        let isVersion6 = host.hasPrefix("[") && host.hasSuffix("]")
        let text = String(isVersion6 ? host.dropFirst().dropLast() : host)
        var shortest = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let scope: AddressScope
        if isVersion6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            guard inet_pton(AF_INET6, text, &address.sin6_addr) == 1 else { return nil }
            inet_ntop(AF_INET6, &address.sin6_addr, &shortest, socklen_t(shortest.count))
            scope = withUnsafeBytes(of: &address) { AddressScope($0) }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return nil }
            inet_ntop(AF_INET, &address.sin_addr, &shortest, socklen_t(shortest.count))
            scope = withUnsafeBytes(of: &address) { AddressScope($0) }
        }
        let length = shortest.firstIndex(of: 0) ?? 0
        let isShortest = shortest[..<length].elementsEqual(text.utf8.map { CChar(bitPattern: $0) })
        return isShortest ? scope : nil
    }
}
