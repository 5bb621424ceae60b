import BackendAPI
import Cryptography
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The program clup-backend")
struct ProgramTests {
    @Test("The settings of nginx are checked: Debian's are too small, the delivered ones suffice")
    func proxy() throws {
        let folder = try TemporaryFolder()
        let root = folder.path
        let files = FileManager.default
        let delivered = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Kiosk/nginx/clup-backend.conf")
        try files.createDirectory(atPath: root + "/conf.d", withIntermediateDirectories: true)
        func check() throws -> BackendCommand.Ended {
            try BackendCommand().run("proxy", "check", "--nginx", root)
        }
        let missing = try check()
        #expect(missing.status == 1 && missing.errors.contains("nginx.conf cannot be read"))
        func main(_ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: root + "/nginx.conf"))
        }
        let own = URL(filePath: root + "/conf.d/clup-backend.conf")
        try files.copyItem(at: delivered, to: own)
        try main("events {\n\tworker_connections 768;\n\t# worker_connections 9999;\n}\n")
        let small = try check()
        #expect(small.status == 1 && small.output.contains("WRONG worker_connections: 768"))
        #expect(small.output.contains("worker_connections 4096;"))
        try main("worker_rlimit_nofile 8192;\nevents { worker_connections 4096; }\n")
        let good = try check()
        #expect(good.status == 0 && !good.output.contains("WRONG"), "\(good)")
        let text = try String(contentsOf: own, encoding: .utf8)
            .replacing("proxy_request_buffering off", with: "proxy_request_buffering on")
        try text.write(to: own, atomically: true, encoding: .utf8)
        let old = try check()
        #expect(old.status == 1 && old.output.contains("WRONG \"proxy_request_buffering off\""))
    }

    @Test("At its start it says that Apple's push service will refuse its notices")
    func refusedSender() throws {
        try Cryptography.start()
        let assets = Tool.repository.appending(path: "Assets").path
        let served = try ServedProgram(
            keys: [],
            options: [
                "--assets", assets, "--phones", "127.0.0.1:0", "--push-services",
                "fcm.googleapis.com,web.push.apple.com",
            ])
        served.process.stopBlocking(SIGTERM)
        let log = try String(
            contentsOfFile: served.command.directory.file("log"), encoding: .utf8)
        #expect(log.contains("\"event\":\"push-subject\""), "\(log)")
        #expect(log.contains("\"service\":\"web.push.apple.com\""))
    }

    @Test("From an empty folder to a machine that is answered, and to a stop without a loss")
    func whole() throws {
        try Cryptography.start()
        let (key, other) = (try SigningKey.generate(), try SigningKey.generate().publicKey)
        let served = try ServedProgram(keys: [("machine", key)])
        let backend = served.command
        let shop = try backend.command("shop list")
        #expect(shop.status == 0 && shop.errors.isEmpty)
        #expect(try BackendCommand.field("name", of: shop.output) == "Città")
        #expect(shop.output.contains("\"visitSharePercent\":50"))
        let added = try backend.addMachine("south", other)
        #expect(added.status == 0)
        #expect(try BackendCommand.field("fingerprint", of: added.output) == other.fingerprint)
        let again = try backend.addMachine("west", other)
        #expect(again.status == 1 && again.errors.contains("on the allow list already"))
        #expect(try backend.run("--version").output.hasPrefix("clup-backend "))
        let second = try backend.command("serve --listen 127.0.0.1:0")
        #expect(second.status == 1 && second.errors.contains("another server"))
        let answer = try RawClient(served.address).call(served.request(.machine, key: key))
        #expect(try answer?.decoded(MachineProfile.self).shopName == "Città")
        served.process.stopBlocking()
        #expect(served.process.endStatus == 0)
    }

    @Test("A device is listed and revoked apart from machines, and needs a role of devices")
    func devices() throws {
        let backend = try BackendCommand.withShop()
        try Cryptography.start()
        let device = try SigningKey.generate().publicKey
        func add(_ role: String) throws -> BackendCommand.Ended {
            try backend.command(
                "device add --shop ROM1 --role \(role) --name door --key", device.text)
        }
        let shown = try add("entrance")
        #expect(shown.status == 0)
        #expect(try BackendCommand.field("role", of: shown.output) == "entrance")
        #expect(try backend.command("machine revoke --machine door").status == 1)
        #expect(try !backend.command("machine list").output.contains(device.keyID))
        let revoked = try backend.command("device revoke --device door")
        #expect(revoked.output.contains("\"revoked\":true"))
        #expect(try backend.command("device list").output == revoked.output)
        let wrong = try add("ticket-machine")
        #expect(wrong.status == 64 && wrong.errors.contains("must be one of display"))
    }

    @Test("Without the data of time zones no shop is served with the hours of another zone")
    func noTimeZones() throws {
        let backend = try BackendCommand.withShop()
        // glibc and GLib look for them in another folder then (tzset(3)).
        let served = try backend.command(
            "serve --listen 127.0.0.1:0", environment: ["TZDIR": backend.directory.path])
        #expect(served.status == 78, "\(served)")
        let unknown = "the time zone Europe/Rome of the shop Città is unknown"
        for words in [unknown, "tzdata"] { #expect(served.errors.contains(words), "\(served)") }
    }

    @Test("A closed day is stored; when it is removed, the day follows the week again")
    func exceptions() throws {
        let backend = try BackendCommand.withShop()
        func except(_ words: String) throws -> BackendCommand.Ended {
            try backend.command("shop hours-exception \(words) --shop ROM1")
        }
        let closed = try except("add --day 2026-12-25 --closed")
        #expect(closed.output.contains("\"exceptions\":{\"2026-12-25\":\"\"}"))
        let short = try except("add --day 2026-12-24 --hours 09:00-13:00")
        #expect(short.output.contains("\"2026-12-24\":\"09:00-13:00\""))
        _ = try except("remove --day 2026-12-25")
        let list = try backend.command("shop list")
        #expect(list.output.contains("\"exceptions\":{\"2026-12-24\":\"09:00-13:00\"}"))
    }
}
