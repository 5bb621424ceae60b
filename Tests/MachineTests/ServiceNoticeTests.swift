import ServiceNotice
import TestSupport
import Testing

@Suite("Notifications to the service manager")
struct ServiceNoticeTests {
    @Test("Ready, alive and stopping are a message each")
    func messages() throws {
        let manager = try NoticeSocket()
        let notice = try #require(ServiceNotice { $0 == "NOTIFY_SOCKET" ? manager.path : nil })
        notice.ready()
        notice.beat()
        notice.stopping()
        #expect(manager.message() == "READY=1")
        #expect(manager.message() == "WATCHDOG=1")
        #expect(manager.message() == "STOPPING=1")
        #expect(manager.message() == nil)
    }

    @Test("The longer start that the session asked for ends with the program's first frame")
    func readyAgain() throws {
        let manager = try NoticeSocket()
        let surroundings = ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "15000000"]
        try #require(ServiceNotice { surroundings[$0] }).ready()
        #expect(manager.message() == "READY=1")
        #expect(manager.message() == "WATCHDOG_USEC=15000000\nWATCHDOG=1")
    }

    @Test("Notifications are sent twice as often as the manager requires")
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

    @Test("Without a manager, or with one at an invalid address, nothing is sent")
    func noListener() {
        for path in [
            nil, "", "vsock:2:1", "/", "@", "relative", "/" + String(repeating: "x", count: 108),
        ] {
            #expect(ServiceNotice { $0 == "NOTIFY_SOCKET" ? path : nil } == nil)
        }
    }

    @Test("A manager that is gone, or does not read, blocks nothing")
    func deafManager() throws {
        let gone = try #require(ServiceNotice { $0 == "NOTIFY_SOCKET" ? "/nowhere/notify" : nil })
        gone.beat()
        let manager = try NoticeSocket()
        let notice = try #require(ServiceNotice { $0 == "NOTIFY_SOCKET" ? manager.path : nil })
        for _ in 0..<5_000 { notice.beat() }
        #expect(manager.message() == "WATCHDOG=1")
    }
}
