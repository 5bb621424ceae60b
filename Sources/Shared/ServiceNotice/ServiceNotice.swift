public import Glibc
internal import UnixSocket

/// What a service tells the manager that started it: a datagram of `NAME=value` (sd_notify(3)).
///
/// Twenty lines instead of libsystemd: its `sd_watchdog_enabled` answers "no" to a program that the
/// service's own process has started, which the kiosk always is (WATCHDOG_PID is that of the session).
public struct ServiceNotice: Sendable {
    private let address: UnixSocketAddress
    /// Half of the time the manager waits for a sign of life (sd_watchdog_enabled(3)); nil for no watchdog.
    public let beatInterval: Duration?
    /// That time in microseconds, as the manager's unit says it.
    private let watchdog: Int64?

    /// As `NOTIFY_SOCKET` and `WATCHDOG_USEC` say; nil for a program that no manager listens to.
    public init?(environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        // "/path", or "@name" for a name of the abstract namespace; other families are for machines.
        guard let path = environment("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@"),
            path.utf8.count > 1, let address = UnixSocketAddress(path: path)
        else { return nil }
        self.address = address
        let microseconds = environment("WATCHDOG_USEC").flatMap { Int64($0) }
        watchdog = microseconds.flatMap { $0 > 1 ? $0 : nil }
        beatInterval = microseconds.flatMap { $0 > 1 ? .microseconds($0 / 2) : nil }
    }

    /// The service does what it is there for; from now on a sign of life is wanted as often as the unit says,
    /// however long the session has asked the manager to wait for a program that starts.
    public func ready() {
        send("READY=1")
        if let watchdog { send("WATCHDOG_USEC=\(watchdog)\nWATCHDOG=1") }
    }

    /// A sign of life, wanted at least every `beatInterval`.
    public func beat() { send("WATCHDOG=1") }

    /// The service ends because it was told to.
    public func stopping() { send("STOPPING=1") }

    /// Never waits and never fails: a manager that does not read is no reason to stop serving.
    private func send(_ text: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        _ = address.withSocketAddress { name, length in
            text.withCString { sendto(descriptor, $0, strlen($0), flags, name, length) }
        }
    }
}
