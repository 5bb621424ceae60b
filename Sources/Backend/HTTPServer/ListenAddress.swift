private import Glibc
internal import TextForms
internal import UnixSocket

/// The address a server listens on: an IP address of this computer, or a socket in the file system.
public enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// An IPv4 or IPv6 address as digits; port 0 takes a free one.
    case tcp(address: String, port: UInt16)
    case unix(path: String)

    /// Parses `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080` or `unix:/path`.
    public init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"),
            case let digits = text[text.index(after: colon)...],
            digits.isASCIIDigits, let port = UInt16(digits)
        else { return nil }
        var address = String(text[..<colon])
        if address == "localhost" { address = "127.0.0.1" }
        if address.hasPrefix("["), address.hasSuffix("]") {
            address = String(address.dropFirst().dropLast())
            guard address.contains(":") else { return nil }
        } else if address.contains(":") {
            return nil
        }
        guard Self.isAddress(address) else { return nil }
        self = .tcp(address: address, port: port)
    }

    /// The address as a client writes it: `http://127.0.0.1:8080` or `unix:/path`.
    public var description: String {
        switch self {
        case .tcp(let address, let port):
            address.contains(":") ? "http://[\(address)]:\(port)" : "http://\(address):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    /// Whether only this computer can reach it.
    public var isLocal: Bool {
        switch self {
        case .tcp(let address, _): address == "::1" || address.hasPrefix("127.")
        case .unix: true
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
    }
}

/// Why a server could not start, in words for an administrator.
public enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    case notLocal(ListenAddress)
    case inUse(ListenAddress)
    case pathTooLong(ListenAddress)
    case system(ListenAddress, operation: String, code: Int32)
    case library

    public var description: String {
        switch self {
        case .notLocal(let address):
            "\(address) can be reached from other machines, but this server speaks plain HTTP: "
                + "listen on 127.0.0.1 or a unix socket, or say --behind-proxy when a proxy "
                + "with TLS stands before it"
        case .inUse(let address): "\(address) is in use by another program: choose another one"
        case .pathTooLong(let address): "the path of \(address) is longer than 107 bytes"
        case .system(let address, let operation, let code):
            "cannot listen on \(address): \(operation): \(String(cString: strerror(code)))"
        case .library: "libmicrohttpd could not start: are there enough threads and files?"
        }
    }
}

/// A listening socket; the holder of the descriptor closes it.
struct ListeningSocket {
    let descriptor: Int32
    /// The address with the port that was taken.
    let address: ListenAddress

    /// Binds and listens; a socket file that a dead server left behind is replaced.
    init(_ address: ListenAddress) throws(HTTPServerError) {
        switch address {
        case .tcp(let host, let port): try self.init(address, host: host, port: port)
        case .unix(let path): try self.init(address, path: path)
        }
    }

    private init(_ address: ListenAddress, host: String, port: UInt16) throws(HTTPServerError) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let name = found?.pointee else {
            throw Self.error(address, "getaddrinfo")
        }
        defer { freeaddrinfo(found) }
        descriptor = socket(name.ai_family, name.ai_socktype | Self.flags, 0)
        guard descriptor >= 0 else { throw Self.error(address, "socket") }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var length = name.ai_addrlen
        guard Glibc.bind(descriptor, name.ai_addr, length) == 0,
            Glibc.listen(descriptor, SOMAXCONN) == 0,
            getsockname(descriptor, name.ai_addr, &length) == 0
        else {
            let error = errno == EADDRINUSE ? .inUse(address) : Self.error(address, "bind")
            close(descriptor)
            throw error
        }
        // The port is in the same place of an IPv4 and of an IPv6 name.
        let bound = UnsafeRawPointer(name.ai_addr).loadUnaligned(as: sockaddr_in.self).sin_port
        self.address = .tcp(address: host, port: UInt16(bigEndian: bound))
    }

    private init(_ address: ListenAddress, path: String) throws(HTTPServerError) {
        guard let name = UnixSocketAddress(path: path) else { throw .pathTooLong(address) }
        if let server = name.connect() {
            close(server)
            throw .inUse(address)
        }
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unlink(path) }
        // The proxy runs as another user of the same group.
        let mask = umask(0o117)
        defer { umask(mask) }
        guard let descriptor = name.listen(backlog: SOMAXCONN, flags: Int32(SOCK_NONBLOCK.rawValue))
        else { throw errno == EADDRINUSE ? .inUse(address) : Self.error(address, "bind") }
        self.descriptor = descriptor
        self.address = address
    }

    private static let flags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

    private static func error(_ address: ListenAddress, _ operation: String) -> HTTPServerError {
        .system(address, operation: operation, code: errno)
    }
}
