import BackendAPI
import Cryptography
import Foundation
import HTTPServer
import Reservations
import Testing

@Suite("The program clup-backend")
struct ProgramTests {
    @Test(
        "The configuration of nginx is checked: Debian's own settings are too small, the delivered ones suffice"
    )
    func proxy() throws {
        let folder = try TemporaryDirectory()
        let root = folder.path
        let files = FileManager.default
        let delivered = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Kiosk/nginx/clup-backend.conf")
        try files.createDirectory(atPath: root + "/conf.d", withIntermediateDirectories: true)
        let backend = try BackendCommand()
        let missing = try backend.run("proxy", "check", "--nginx", root)
        #expect(missing.status == 1 && missing.errors.contains("nginx.conf cannot be read"))
        func main(_ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: root + "/nginx.conf"))
        }
        let own = URL(filePath: root + "/conf.d/clup-backend.conf")
        try files.copyItem(at: delivered, to: own)
        try main("events {\n\tworker_connections 768;\n\t# worker_connections 9999;\n}\n")
        let small = try backend.run("proxy", "check", "--nginx", root)
        #expect(small.status == 1 && small.output.contains("WRONG worker_connections: 768"))
        #expect(small.output.contains("worker_connections 4096;"))
        try main("worker_rlimit_nofile 8192;\nevents { worker_connections 4096; }\n")
        let good = try backend.run("proxy", "check", "--nginx", root)
        #expect(good.status == 0 && !good.output.contains("WRONG"), "\(good)")
        let text = try String(contentsOf: own, encoding: .utf8)
        try Data(
            text.replacing("proxy_request_buffering off", with: "proxy_request_buffering on").utf8
        )
        .write(to: own)
        let old = try backend.run("proxy", "check", "--nginx", root)
        #expect(old.status == 1 && old.output.contains("WRONG \"proxy_request_buffering off\""))
    }

    @Test("From an empty folder to a machine that is answered, and to a stop without a loss")
    func whole() throws {
        let backend = try BackendCommand()
        let path = backend.path
        let shop = try backend.addShop()
        #expect(shop.status == 0 && shop.errors.isEmpty)
        #expect(try BackendCommand.field("name", of: shop.output) == "Città")
        #expect(shop.output.contains("\"visitSharePercent\":50"))
        try Cryptography.start()
        let key = try SigningKey.generate()
        let added = try backend.run(
            "machine", "add", "--database", path, "--shop", "ROM1", "--name", "north",
            "--key=\(key.publicKey.text)")
        #expect(added.status == 0)
        #expect(
            try BackendCommand.field("fingerprint", of: added.output) == key.publicKey.fingerprint)
        let again = try backend.run(
            "machine", "add", "--database", path, "--shop", "ROM1", "--name", "south", "--key",
            key.publicKey.text)
        #expect(again.status == 1 && again.errors.contains("on the allow list already"))
        let server = Process()
        let output = Pipe()
        server.executableURL = BackendCommand.program
        server.arguments = ["serve", "--database", path, "--listen", "127.0.0.1:0"]
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        try server.run()
        defer { if server.isRunning { server.terminate() } }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let listening = try #require(try BackendCommand.field("listening", of: line))
        let address = try #require(ListenAddress(String(listening.dropFirst("http://".count))))
        let second = try backend.run("serve", "--database", path, "--listen", "127.0.0.1:0")
        #expect(second.status == 1 && second.errors.contains("another server"))
        let request = RequestSigner(key: key).sign(
            WireRequest(
                method: "GET", authority: String(listening.dropFirst(7)), path: "/v1/machine"),
            created: Int64(Date().timeIntervalSince1970), nonce: RequestSigner.makeNonce())
        let answer = try RawClient(address).call(request)
        #expect(try answer?.decoded(MachineProfile.self).shopName == "Città")
        server.terminate()
        server.waitUntilExit()
        #expect(server.terminationReason == .exit && server.terminationStatus == 0)
    }

    @Test(
        "A device has its role, is listed and revoked apart from machines, and needs a role of devices"
    )
    func devices() throws {
        let backend = try BackendCommand.withShop()
        let path = backend.path
        try Cryptography.start()
        let device = try SigningKey.generate().publicKey
        let shown = try backend.run(
            "device", "add", "--database", path, "--shop", "ROM1", "--role", "entrance", "--name",
            "door", "--key", device.text)
        #expect(shown.status == 0)
        #expect(try BackendCommand.field("role", of: shown.output) == "entrance")
        #expect(
            try backend.run("machine", "revoke", "--database", path, "--machine", "door").status
                == 1)
        #expect(
            try !backend.run("machine", "list", "--database", path).output.contains(device.keyID))
        let revoked = try backend.run("device", "revoke", "--database", path, "--device", "door")
        #expect(revoked.output.contains("\"revoked\":true"))
        #expect(try backend.run("device", "list", "--database", path).output == revoked.output)
        let wrong = try backend.run(
            "device", "add", "--database", path, "--shop", "ROM1", "--role", "ticket-machine",
            "--name", "door", "--key", device.text)
        #expect(wrong.status == 64 && wrong.errors.contains("must be one of display"))
    }

    @Test(
        "If the data of time zones are missing, no shop is served with the hours of another zone")
    func noTimeZones() throws {
        let backend = try BackendCommand()
        let path = backend.path
        try #require(backend.addShop().status == 0)
        // glibc and GLib look for them in another folder then (tzset(3)).
        let served = try backend.run(
            ["serve", "--database", path, "--listen", "127.0.0.1:0"],
            environment: ["TZDIR": backend.directory.path])
        #expect(served.status == 78, "\(served)")
        #expect(
            served.errors.contains("the time zone Europe/Rome of the shop Città is unknown")
                && served.errors.contains("tzdata"), "\(served)")
    }

    @Test("Every command explains itself")
    func help() throws {
        let backend = try BackendCommand()
        let overview = try backend.run("--help")
        #expect(overview.status == 0)
        for words in [
            ["serve"], ["shop", "add"], ["shop", "list"], ["machine", "add"],
            ["machine", "revoke"], ["machine", "pair"], ["device", "pair"], ["audit", "list"],
            ["audit", "verify"], ["key"],
        ] {
            #expect(overview.output.contains(words.joined(separator: " ")))
            let ended = try backend.run(words + ["--help"])
            #expect(ended.status == 0 && ended.output.hasPrefix("Usage: clup-backend"))
        }
        #expect(try backend.run("--version").output.hasPrefix("clup-backend "))
    }

    @Test("A closed day is stored; when it is removed, the day follows the week again")
    func exceptions() throws {
        let backend = try BackendCommand()
        let path = backend.path
        _ = try backend.addShop()
        let closed = try backend.run(
            "shop", "hours-exception", "add", "--database", path, "--shop", "ROM1", "--day",
            "2026-12-25", "--closed")
        #expect(closed.output.contains("\"exceptions\":{\"2026-12-25\":\"\"}"))
        let short = try backend.run(
            "shop", "hours-exception", "add", "--database", path, "--shop", "ROM1", "--day",
            "2026-12-24", "--hours", "09:00-13:00")
        #expect(short.output.contains("\"2026-12-24\":\"09:00-13:00\""))
        _ = try backend.run(
            "shop", "hours-exception", "remove", "--database", path, "--shop", "ROM1", "--day",
            "2026-12-25")
        let list = try backend.run("shop", "list", "--database", path)
        #expect(list.output.contains("\"exceptions\":{\"2026-12-24\":\"09:00-13:00\"}"))
    }
}
