import Glibc
import UnixSocket

/// A service manager's end of sd_notify(3): a datagram socket that programs report to.
public final class NoticeSocket: Sendable {
    /// The value for `NOTIFY_SOCKET`.
    public let path: String
    private let descriptor: Int32
    private let folder: TemporaryFolder

    public init() throws {
        folder = try TemporaryFolder()
        path = folder.file("notify")
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let bound = UnixSocketAddress(path: path)?.withSocketAddress { bind(descriptor, $0, $1) }
        guard bound == 0 else { throw TestSupportError("no socket at \(path)") }
    }

    deinit { close(descriptor) }

    /// The next message; nil if there is none.
    public func message() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    /// All messages that have come.
    public func messages() -> [String] {
        var all: [String] = []
        while let message = message() { all.append(message) }
        return all
    }
}
