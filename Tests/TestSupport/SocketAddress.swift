import Foundation

/// The bytes of a socket's address, as system calls hand it over; `unix` is one of a local socket.
public enum SocketAddress {
    /// Calls the body with the address of this text in its usual form; nil if the text is no address.
    public static func with<Value>(
        _ text: String, _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value? {
        if text == "unix" {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            return try withUnsafeBytes(of: &address) { try body($0) }
        }
        if text.contains(":") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            guard inet_pton(AF_INET6, text, &address.sin6_addr) == 1 else { return nil }
            return try withUnsafeBytes(of: &address) { try body($0) }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return nil }
        return try withUnsafeBytes(of: &address) { try body($0) }
    }
}
