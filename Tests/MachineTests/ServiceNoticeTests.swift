import Glibc
import ServiceNotice
import TestSupport
import Testing

/// The service manager's end: a datagram socket that a program reports to.
private final class Manager {
    let path: String
    private let descriptor: Int32
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("notify")
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0 else { throw TestSupportError("no socket at \(path)") }
    }

    deinit { close(descriptor) }

    /// The next message; nil where there is none.
    func message() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}

@Suite("What the service manager is told")
struct ServiceNoticeTests {
    @Test("Ready, alive and stopping are a message each")
    func messages() throws {
        let manager = try Manager()
        let notice = try #require(ServiceNotice { $0 == "NOTIFY_SOCKET" ? manager.path : nil })
        notice.ready()
        notice.beat()
        notice.stopping()
        #expect(manager.message() == "READY=1")
        #expect(manager.message() == "WATCHDOG=1")
        #expect(manager.message() == "STOPPING=1")
        #expect(manager.message() == nil)
    }

    @Test("A sign of life is wanted twice as often as the manager waits for it")
    func interval() throws {
        func notice(_ microseconds: String?) -> ServiceNotice? {
            ServiceNotice {
                $0 == "NOTIFY_SOCKET" ? "/run/x" : $0 == "WATCHDOG_USEC" ? microseconds : nil
            }
        }
        #expect(notice("15000000")?.beatInterval == .microseconds(7_500_000))
        for nothing in [nil, "", "0", "-5", "soon"] {
            let silent = try #require(notice(nothing))
            #expect(silent.beatInterval == nil)
        }
    }

    @Test("Without a manager, or with one at a strange address, nobody is told")
    func nobody() {
        for path in [
            nil, "", "vsock:2:1", "/", "@", "relative", "/" + String(repeating: "x", count: 108),
        ] {
            #expect(ServiceNotice { $0 == "NOTIFY_SOCKET" ? path : nil } == nil)
        }
    }

    @Test("A manager that is gone, or does not read, holds nothing up")
    func deafManager() throws {
        let gone = try #require(ServiceNotice { $0 == "NOTIFY_SOCKET" ? "/nowhere/notify" : nil })
        gone.beat()
        let manager = try Manager()
        let notice = try #require(ServiceNotice { $0 == "NOTIFY_SOCKET" ? manager.path : nil })
        for _ in 0..<5_000 { notice.beat() }
        #expect(manager.message() == "WATCHDOG=1")
    }
}
