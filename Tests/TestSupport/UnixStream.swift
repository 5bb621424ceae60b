import Glibc
import UnixSocket

/// Stream sockets (unix(7)).
public enum UnixStream {
    /// A connection to the socket at a path.
    public static func connected(to path: String) throws -> Int32 {
        guard let descriptor = UnixSocketAddress(path: path)?.connect() else {
            throw TestSupportError("\(path): \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    /// Sends all bytes.
    public static func send(_ bytes: [UInt8], to descriptor: Int32) throws {
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw TestSupportError("send: \(String(cString: strerror(errno)))")
        }
    }

    /// Waits for exactly this many bytes.
    public static func receive(_ count: Int, from descriptor: Int32) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count else {
            throw TestSupportError("recv: \(String(cString: strerror(errno)))")
        }
        return bytes
    }
}
