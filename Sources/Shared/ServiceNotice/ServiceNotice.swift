public import Glibc
internal import UnixSocket

/// Messages of a service to the manager that started it: a datagram of `NAME=value` (sd_notify(3)).
///
/// These twenty lines replace libsystemd: its `sd_watchdog_enabled` answers "no" to a program that the service's own
/// process has started, which the kiosk always is (WATCHDOG_PID is that of the session).
public struct ServiceNotice: Sendable {
    private let address: UnixSocketAddress
    /// Half of the time the manager waits for a sign of life (sd_watchdog_enabled(3)); nil for no watchdog.
    public var beatInterval: Duration? { watchdog.map { .microseconds($0 / 2) } }
    /// The full time in microseconds, as the manager's unit sets it.
    private let watchdog: Int64?

    /// Reads `NOTIFY_SOCKET` and `WATCHDOG_USEC`; nil for a program that no manager listens to.
    public init?(environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        // The address is "/path", or "@name" for a name of the abstract namespace; other families are for virtual
        // machines.
        guard let path = environment("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@"),
            path.utf8.count > 1, let address = UnixSocketAddress(path: path)
        else { return nil }
        self.address = address
        watchdog = environment("WATCHDOG_USEC").flatMap { Int64($0) }.flatMap { $0 > 1 ? $0 : nil }
    }

    /// Reports that the service has started. From now on the manager expects a sign of life as often as the unit
    /// says, however long the session has asked it to wait for a program that starts.
    public func ready() {
        send("READY=1")
        if let watchdog { send("WATCHDOG_USEC=\(watchdog)\nWATCHDOG=1") }
    }

    /// Reports a sign of life, which is expected at least every `beatInterval`.
    public func beat() { send("WATCHDOG=1") }

    /// Reports that the service ends on request.
    public func stopping() { send("STOPPING=1") }

    /// Sends without waiting or failing: a manager that does not read is no reason to stop serving.
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
