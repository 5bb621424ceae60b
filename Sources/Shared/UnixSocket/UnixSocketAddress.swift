public import Glibc

/// The address of a socket in the file system or in the abstract namespace of Linux (unix(7)).
public struct UnixSocketAddress: Sendable {
    private var name = sockaddr_un()
    private let length: socklen_t

    /// - Parameter path: of a file, or `@` and a name of the abstract namespace, as systemd writes it; nil if it is
    ///   empty or longer than the 107 bytes of an address.
    public init?(path: String) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: name.sun_path) else {
            return nil
        }
        name.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = bytes[0] == UInt8(ascii: "@")
        withUnsafeMutableBytes(of: &name.sun_path) { room in
            room.copyBytes(from: bytes)
            if isAbstract { room[0] = 0 }
        }
        // A zero byte at the end would be part of an abstract name.
        length =
            isAbstract
            ? socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
            : socklen_t(MemoryLayout<sockaddr_un>.size)
    }

    /// The address as bind(2), connect(2) and sendto(2) take it.
    public func withSocketAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
    ) rethrows -> Result {
        try withUnsafePointer(to: name) { name in
            try name.withMemoryRebound(to: sockaddr.self, capacity: 1) { try body($0, length) }
        }
    }

    /// Binds a new socket to the address and listens; nil with `errno` if that fails. The file is created with the
    /// process's mask (umask(2)).
    public func listen(backlog: Int32, flags: Int32 = 0) -> Int32? {
        socket(flags) { Glibc.bind($0, $1, $2) == 0 && Glibc.listen($0, backlog) == 0 }
    }

    /// Connects a new socket to the address; nil with `errno` if no process listens there.
    public func connect() -> Int32? { socket(0) { Glibc.connect($0, $1, $2) == 0 } }

    /// A new socket that `use` could bind or connect to the address; nil with `errno` if it could not.
    private func socket(
        _ flags: Int32, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> Int32? {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) | flags
        let descriptor = Glibc.socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        if withSocketAddress({ use(descriptor, $0, $1) }) { return descriptor }
        let error = errno
        close(descriptor)
        errno = error
        return nil
    }
}
