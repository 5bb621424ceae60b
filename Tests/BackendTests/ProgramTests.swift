import BackendAPI
import Cryptography
import Foundation
import HTTPServer
import SQLite
import Reservations
import Testing

@Suite("The program clup-backend")
struct ProgramTests {
    /// The program that was built together with these tests.
    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "clup-backend")

    struct Ended {
        let status: Int32
        let output: String
        let errors: String
    }

    private func run(_ words: String...) throws -> Ended { try run(words) }

    private func run(_ words: [String], environment: [String: String] = [:]) throws -> Ended {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = Self.program
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Ended(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaint, as: UTF8.self))
    }

    private func addShop(_ path: String, tag: String = "ROM1") throws -> Ended {
        try run(
            "shop", "add", "--database", path, "--name", "Città", "--tag", tag, "--time-zone",
            "Europe/Rome", "--hours", "Mon-Sun 00:00-24:00", "--capacity", "9", "--stay", "20",
            "--languages", "it,en")
    }

    private func field(_ name: String, of line: String) throws -> String? {
        try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?[name]
            as? String
    }

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
        defer {
            for name in ["conf.d", "nginx.conf"] {
                try? files.removeItem(atPath: "\(root)/\(name)")
            }
        }
        let missing = try run("proxy", "check", "--nginx", root)
        #expect(missing.status == 1 && missing.errors.contains("nginx.conf cannot be read"))
        func main(_ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: root + "/nginx.conf"))
        }
        let own = URL(filePath: root + "/conf.d/clup-backend.conf")
        try files.copyItem(at: delivered, to: own)
        try main("events {\n\tworker_connections 768;\n\t# worker_connections 9999;\n}\n")
        let small = try run("proxy", "check", "--nginx", root)
        #expect(small.status == 1 && small.output.contains("WRONG worker_connections: 768"))
        #expect(small.output.contains("worker_connections 4096;"))
        try main("worker_rlimit_nofile 8192;\nevents { worker_connections 4096; }\n")
        let good = try run("proxy", "check", "--nginx", root)
        #expect(good.status == 0 && !good.output.contains("WRONG"), "\(good)")
        let text = try String(contentsOf: own, encoding: .utf8)
        try Data(
            text.replacing("proxy_request_buffering off", with: "proxy_request_buffering on").utf8
        )
        .write(to: own)
        let old = try run("proxy", "check", "--nginx", root)
        #expect(old.status == 1 && old.output.contains("WRONG \"proxy_request_buffering off\""))
    }

    @Test("From an empty folder to a machine that is answered, and to a stop without a loss")
    func whole() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/database"
        let shop = try addShop(path)
        #expect(shop.status == 0 && shop.errors.isEmpty)
        #expect(try field("name", of: shop.output) == "Città")
        #expect(shop.output.contains("\"visitSharePercent\":50"))
        try Cryptography.start()
        let key = try SigningKey.generate()
        let added = try run(
            "machine", "add", "--database", path, "--shop", "ROM1", "--name", "north",
            "--key=\(key.publicKey.text)")
        #expect(added.status == 0)
        #expect(try field("fingerprint", of: added.output) == key.publicKey.fingerprint)
        let again = try run(
            "machine", "add", "--database", path, "--shop", "ROM1", "--name", "south", "--key",
            key.publicKey.text)
        #expect(again.status == 1 && again.errors.contains("on the white list already"))

        let device = try SigningKey.generate().publicKey
        let shown = try run(
            "device", "add", "--database", path, "--shop", "ROM1", "--role", "entrance", "--name",
            "door", "--key", device.text)
        #expect(shown.status == 0)
        #expect(try field("role", of: shown.output) == "entrance")
        #expect(try run("machine", "revoke", "--database", path, "--machine", "door").status == 1)
        #expect(try !run("machine", "list", "--database", path).output.contains(device.keyID))
        let revoked = try run("device", "revoke", "--database", path, "--device", "door")
        #expect(revoked.output.contains("\"revoked\":true"))
        #expect(try run("device", "list", "--database", path).output == revoked.output)
        let wrong = try run(
            "device", "add", "--database", path, "--shop", "ROM1", "--role", "ticket-machine",
            "--name", "door", "--key", device.text)
        #expect(wrong.status == 64 && wrong.errors.contains("must be one of display"))

        let server = Process()
        let output = Pipe()
        server.executableURL = Self.program
        server.arguments = ["serve", "--database", path, "--listen", "127.0.0.1:0"]
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        try server.run()
        defer { if server.isRunning { server.terminate() } }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let listening = try #require(try field("listening", of: line))
        let address = try #require(ListenAddress(String(listening.dropFirst("http://".count))))
        let second = try run("serve", "--database", path, "--listen", "127.0.0.1:0")
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

    @Test("A machine is seen and controlled remotely, and its papers are in the reports")
    func fleet() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/database"
        let database = ["--database", path]
        // One name that a spreadsheet, a browser or a shell could take for a command (faults 58).
        let evil = "=cmd|'/C calc'!A0<script>alert(1)</script>\",{{7*7}}%s%n"
        #expect(
            try run(
                ["shop", "add"] + database + [
                    "--name", evil, "--tag", "ROM1", "--time-zone", "Europe/Rome", "--hours",
                    "Mon-Sun 00:00-24:00", "--capacity", "9", "--stay", "20",
                ]
            ).status == 0)
        try Cryptography.start()
        for (shop, name) in [("ROM1", "north"), ("ROM1", "south")] {
            _ = try run(
                ["machine", "add"] + database + [
                    "--shop", shop, "--name", name, "--key",
                    try SigningKey.generate().publicKey.text,
                ])
        }
        let silent = try run(["machine", "list"] + database)
        #expect(silent.output.split(separator: "\n").count == 2)
        #expect(try field("light", of: String(silent.output.prefix { $0 != "\n" })) == "silent")
        for words in [
            ["show"], ["in-service"], ["restart"], ["rotate"], ["unlock"], ["logs"],
            ["out-of-service", "--message", "x"],
        ] {
            let wrong = try run(["machine"] + words + database + ["--machine", "west"])
            #expect(wrong.status == 1 && wrong.errors.contains("there is no machine \"west\""))
        }
        let long = try run(
            ["machine", "out-of-service"] + database + [
                "--machine", "north", "--message", String(repeating: "x", count: 161),
            ])
        #expect(long.status == 64 && long.errors.contains("at most 160"))
        let out = try run(
            ["machine", "out-of-service"] + database + [
                "--machine", "north", "--message", "Chiuso\u{1B}[2J per\ninventario",
            ])
        #expect(out.status == 0)
        #expect(try field("message", of: out.output) == "Chiuso[2J per inventario")

        let connection = try Connection(path: path, opening: .existing)
        let shop = try #require(
            try connection.rows("SELECT shop_id FROM shop") { $0.text(0) }.first)
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let condition =
            #"{"clockOffset":0,"diskFree":50,"fingerprint":"ab","outOfService":"S1","printers":"#
            + #"[{"name":"roll","paperLow":true,"trouble":"jam"}],"reader":true,"version":"1.0"}"#
        try connection.execute(
            """
            INSERT INTO machine_status (shop_id, machine, seen_ms, condition, memory,
                events_through, events_dropped)
                VALUES ('\(shop)', 'north', \(now), '\(condition)', 'm', 1, 2);
            INSERT INTO machine_event VALUES ('\(shop)', 1, 'north', \(now), 60, '\u{1B}]0;x',
                'reprint', '042 =1+1');
            INSERT INTO machine_paper_day VALUES ('\(shop)', '2026-11-20', 'north', 'm', 5, 2, 1, 3),
                ('\(shop)', '2026-11-20', 'south', 'm', 1, 0, 0, 1);
            """)
        let shown = try run(["machine", "show"] + database + ["--machine", "north"])
        #expect(try field("light", of: shown.output) == "trouble")
        for text in [
            "out of service (S1)", "roll: jam", "roll: paper low", "\"eventsDropped\":2",
            "Chiuso[2J per inventario",
        ] { #expect(shown.output.contains(text), "\(text)") }
        let list = try run(["machine", "list"] + database)
        #expect(list.output.contains("\"version\":\"1.0\""))
        let logs = try run(["machine", "logs"] + database + ["--machine", "north"])
        #expect(try field("detail", of: logs.output) == "042 =1+1")
        #expect(!logs.output.contains("\u{1B}"))

        let days = ["--shop", "ROM1", "--from", "2026-11-20", "--to", "2026-11-20"]
        let csv = try run(["report", "days"] + database + days).output
        let lines = csv.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        #expect(lines.count == 2 && lines.allSatisfy { $0.count == lines[0].count })
        #expect(
            lines[0].dropLast(5).suffix(4) == [
                "papers_printed", "papers_failed", "papers_copied", "papers_unknown",
            ])
        #expect(lines[1].dropLast(5).suffix(4) == ["6", "2", "1", "4"])
        #expect(!csv.contains("=") && !csv.contains("<"))
        let page = directory.path + "/page.html"
        #expect(try run(["report", "page"] + database + days + ["--output", page]).status == 0)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(!html.contains("<script"))
        #expect(html.contains("&lt;script&gt;") && html.contains("<td>2</td><td>1</td><td>4</td>"))
    }

    @Test(
        "If the data of time zones are missing, no shop is served with the hours of another zone")
    func noTimeZones() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/database"
        defer { for suffix in ["", ".key", ".wrapping-key"] { unlink(path + suffix) } }
        try #require(addShop(path).status == 0)
        // glibc and GLib look for them in another folder then (tzset(3)).
        let served = try run(
            ["serve", "--database", path, "--listen", "127.0.0.1:0"],
            environment: ["TZDIR": directory.path])
        #expect(served.status == 78, "\(served)")
        #expect(
            served.errors.contains("the time zone Europe/Rome of the shop Città is unknown")
                && served.errors.contains("tzdata"), "\(served)")
    }

    @Test("Every wrong use ends with a sentence that names it and with its exit status")
    func wrongUse() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/database"
        #expect(try addShop(path).status == 0)
        let other = directory.path + "/none"
        let cases: [([String], Int32, String)] = [
            ([], 64, "a command is missing"),
            (["brew"], 64, "\"brew\" does not exist"),
            (["shop"], 64, "shop add"),
            (["serve"], 64, "--database is missing"),
            (["serve", "--database"], 64, "--database needs a value"),
            (["serve", "--database", "--listen"], 64, "--database needs a value"),
            (["serve", "--databas", path], 64, "--databas does not exist"),
            (["serve", path], 64, "is not an option"),
            (["serve", "--database", path, "--database", path], 64, "given twice"),
            (["serve", "--database", path, "--name", "a", "--name", "b:1"], 64, "without ports"),
            (["serve", "--database", path, "--behind-proxy=yes"], 64, "takes no value"),
            (["serve", "--database", path, "--listen", "8080"], 64, "--listen is \"8080\""),
            (["serve", "--database", path, "--rate-limit", "-1"], 64, "--rate-limit is \"-1\""),
            (["serve", "--database", path, "--code-limit", "x"], 64, "--code-limit is \"x\""),
            (
                [
                    "shop", "add", "--database", path, "--name", "N", "--tag", "NNNN",
                    "--time-zone",
                    "Europe/Rome", "--hours", "Mon 08:00-20:00", "--capacity", "9", "--stay", "20",
                    "--visit-share", "101",
                ], 64, "--visit-share is \"101\""
            ),
            (["serve", "--database", path, "--listen", "0.0.0.0:0"], 1, "--behind-proxy"),
            (["serve", "--database", path, "--metrics", "9100"], 64, "--metrics is \"9100\""),
            (
                [
                    "serve", "--database", path, "--listen", "127.0.0.1:0", "--metrics",
                    "0.0.0.0:0",
                ], 1, "--metrics: "
            ),
            (["serve", "--database", path, "--log-level", "loud"], 64, "--log-level is \"loud\""),
            (["database", "backup", "--database", path], 64, "--to is missing"),
            (["database", "backup", "--database", path, "--to", path], 1, "already"),
            (["database", "backup", "--database", other, "--to", other], 1, "no database at"),
            (
                ["database", "backup", "--database", "postgresql://x/y", "--to", other], 1,
                "pg_dump"
            ),
            (["database", "restore", "--database", path, "--from", other], 1, "no backup at"),
            (["database", "restore", "--database", path, "--from", Self.program.path], 1, "not a"),
            (["database", "check", "--database", other], 1, "there is no database at \(other)"),
            (["database", "prune", "--database", path, "--keep-days", "60"], 64, "--keep-days is"),
            (["serve", "--database", other], 1, "there is no database at \(other)"),
            (["shop", "list", "--database", "postgresql:///y?host=/no"], 75, "cannot be reached"),
            (["serve", "--database", "postgresql://u:p4ss@h/d"], 1, "must not hold a password"),
            (["serve", "--database", "postgresql://u:p4ss@h:x/d?a"], 1, "is not understood"),
            (["key", "--database", "postgresql:///y"], 64, "--state is missing"),
            (["shop", "list", "--database", other], 1, "there is no database at \(other)"),
            (
                [
                    "machine", "add", "--database", path, "--shop", "ROM1", "--name", "n", "--key",
                    "x",
                ], 64, "--key is not"
            ),
            (
                // A public key may begin like an option.
                [
                    "machine", "add", "--database", path, "--shop", "ROM1", "--name", "n", "--key",
                    "--x",
                ], 64, "--key is not"
            ),
            (["machine", "revoke", "--database", path, "--machine", "x"], 1, "no machine \"x\""),
            (
                [
                    "machine", "pair", "--database", path, "--shop", "ROM1", "--name", "n",
                    "--code", "1234 567",
                ], 64, "eight digits"
            ),
            (
                [
                    "machine", "pair", "--database", path, "--shop", "ROM1", "--name", "n",
                    "--code", "1234 5678",
                ], 1, "no machine shows the code 12345678"
            ),
            (
                [
                    "shop", "hours-exception", "add", "--database", path, "--shop", "ROM2", "--day",
                    "2026-12-25", "--closed",
                ], 1, "no shop \"ROM2\""
            ),
            (
                [
                    "shop", "hours-exception", "add", "--database", path, "--shop", "ROM1", "--day",
                    "2026-02-30", "--closed",
                ], 64, "--day is"
            ),
        ]
        for (words, status, sentence) in cases {
            let ended = try run(words)
            #expect(ended.status == status, "\(words)")
            #expect(ended.errors.contains(sentence), "\(words): \(ended.errors)")
            #expect(!ended.errors.contains("p4ss"))
        }
        #expect(!FileManager.default.fileExists(atPath: other), "no file was made by mistake")
        #expect(try addShop(path).errors.contains("the tag ROM1"))
        #expect(
            try run("shop", "list", "--database", path).output.split(separator: "\n").count == 1)
    }

    @Test("A database is backed up, damaged, checked, restored and pruned")
    func database() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/database"
        let copy = directory.path + "/socket"
        #expect(try addShop(path).status == 0)
        let backup = try run("database", "backup", "--database", path, "--to", copy)
        #expect(backup.status == 0 && backup.output.contains("\"bytes\":"))
        #expect(try run("database", "backup", "--database", path, "--to", copy).status == 1)
        #expect(
            try run("database", "backup", "--database", path, "--to", copy, "--force").status == 0)
        let honest = try run("database", "check", "--database", path)
        #expect(honest.status == 0 && honest.output == "{\"checked\":1}\n")
        do {
            try Connection(path: path, opening: .existing).execute(
                "INSERT INTO day_counter (shop_id, day, last_number) "
                    + "SELECT shop_id, '2026-11-20', 7 FROM shop")
        }
        let damaged = try run("database", "check", "--database", path)
        #expect(damaged.status == 1 && damaged.errors.contains("1 faults"))
        #expect(try field("shop", of: damaged.output) == "ROM1")
        #expect(damaged.output.contains("the counter of 2026-11-20 stands at 7"))
        let restored = try run("database", "restore", "--database", path, "--from", copy)
        #expect(restored.status == 0)
        let former = try #require(try field("former", of: restored.output))
        #expect(former.hasPrefix(path + ".before-restore-"))
        defer { for part in ["", "-wal", "-shm"] { unlink(former + part) } }
        #expect(try run("database", "check", "--database", path).status == 0)
        #expect(try run("database", "check", "--database", former).status == 1)
        let pruned = try run("database", "prune", "--database", former)
        #expect(pruned.status == 0 && pruned.output.contains("\"reservations\":0"))
    }

    @Test(
        "A backend whose key is lost or replaced does not start; a new key is made on request"
    )
    func lostKey() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/database"
        _ = try addShop(path)
        let first = try run("key", "--database", path)
        #expect(first.status == 0)
        // No machine knows the key yet, so another one is made.
        try FileManager.default.removeItem(atPath: "\(path).key")
        let second = try run("key", "--database", path)
        #expect(second.status == 0 && second.output != first.output)
        try Cryptography.start()
        let added = try run(
            "machine", "add", "--database", path, "--shop", "ROM1", "--name", "north",
            "--key=\(SigningKey.generate().publicKey.text)")
        #expect(added.status == 0)
        try FileManager.default.moveItem(atPath: "\(path).key", toPath: "\(path).kept")
        for command in [["serve"], ["key"]] {
            let ended = try run(command + ["--database", path])
            #expect(ended.status == 78 && ended.errors.contains("clup-backend key --new"))
        }
        #expect(!FileManager.default.fileExists(atPath: "\(path).key"))
        try FileManager.default.copyItem(atPath: "\(path).kept", toPath: "\(path).key")
        #expect(try run("key", "--database", path).output == second.output)
        let new = try run("key", "--database", path, "--new")
        #expect(new.status == 0 && new.output != second.output)
        #expect(try run("key", "--database", path).output == new.output)
        #expect(try run("audit", "list", "--database", path).output.contains("backend-key-made"))
        // The copy of the old key is no longer valid.
        try FileManager.default.removeItem(atPath: "\(path).key")
        try FileManager.default.moveItem(atPath: "\(path).kept", toPath: "\(path).key")
        let other = try run("serve", "--database", path, "--listen", "127.0.0.1:0")
        #expect(other.status == 78 && other.errors.contains("is another key than"))
    }

    @Test(
        "The audit names the administrator of each command, and is verified; status 1 if it was changed"
    )
    func audit() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/database"
        _ = try addShop(path)
        _ = try run(
            "shop", "change", "--database", path, "--shop", "ROM1", "--capacity", "12")
        let list = try run("audit", "list", "--database", path, "--shop", "ROM1")
        let lines = list.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 2)
        let user = try #require(getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) })
        #expect(try field("actor", of: lines[1])?.hasPrefix(user) == true)
        #expect(try field("detail", of: lines[1]) == "capacity 9 -> 12")
        let verified = try run("audit", "verify", "--database", path)
        #expect(verified.status == 0)
        let head = try #require(try field("head", of: verified.output))
        let words = ["audit", "verify", "--database", path, "--shop", "ROM1", "--kept"]
        #expect(try run(words + [head]).status == 0)
        #expect(try run(words + [String(head.reversed())]).status == 64)
        try Connection(path: path, opening: .existing).execute(
            "UPDATE audit SET detail = 'capacity 9 -> 10' WHERE sequence = 2")
        let broken = try run("audit", "verify", "--database", path)
        #expect(broken.status == 1)
        #expect(broken.output.contains("\"sequence\":2") && broken.output.contains("was changed"))
    }

    @Test("The backend's signature reveals an audit whose end was cut off together with its head")
    func signedAudit() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/database"
        _ = try addShop(path)
        _ = try run(
            "shop", "change", "--database", path, "--shop", "ROM1", "--capacity", "12")
        let verify = ["audit", "verify", "--database", path]
        #expect(try run(verify).status == 0, "there is no key yet")
        let key = try #require(try field("key", of: run("key", "--database", path).output))
        let whole = try run(verify)
        #expect(whole.status == 0 && whole.output.contains("\"signed\":2"))
        let connection = try Connection(path: path, opening: .existing)
        try connection.execute(
            """
            DELETE FROM audit WHERE sequence = 2;
            UPDATE audit_head SET sequence = 1, hash = (SELECT hash FROM audit);
            """)
        let cut = try run(verify)
        #expect(cut.status == 1 && cut.output.contains("cut off"))
        // No key has signed it, and without its signature the audit is not valid either.
        try connection.execute("DELETE FROM audit_seal")
        let signed = try run("key", "--database", path)
        #expect(signed.status == 0 && signed.errors.contains("not as it was signed"))
        #expect(try run(verify).output.contains("no row is signed"))
        #expect(try run(verify + ["--backend-key", key]).status == 1)
        #expect(try run(verify + ["--backend-key", "x"]).status == 64)
        #expect(try run("audit", "list", "--database", path).status == 0)
    }

    @Test("Every command explains itself")
    func help() throws {
        let overview = try run("--help")
        #expect(overview.status == 0)
        for words in [
            ["serve"], ["shop", "add"], ["shop", "list"], ["machine", "add"],
            ["machine", "revoke"], ["machine", "pair"], ["device", "pair"], ["audit", "list"],
            ["audit", "verify"], ["key"],
        ] {
            #expect(overview.output.contains(words.joined(separator: " ")))
            let ended = try run(words + ["--help"])
            #expect(ended.status == 0 && ended.output.hasPrefix("Usage: clup-backend"))
        }
        #expect(try run("--version").output.hasPrefix("clup-backend "))
    }

    @Test("A closed day is stored; when it is removed, the day follows the week again")
    func exceptions() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/database"
        _ = try addShop(path)
        let closed = try run(
            "shop", "hours-exception", "add", "--database", path, "--shop", "ROM1", "--day",
            "2026-12-25", "--closed")
        #expect(closed.output.contains("\"exceptions\":{\"2026-12-25\":\"\"}"))
        let short = try run(
            "shop", "hours-exception", "add", "--database", path, "--shop", "ROM1", "--day",
            "2026-12-24", "--hours", "09:00-13:00")
        #expect(short.output.contains("\"2026-12-24\":\"09:00-13:00\""))
        _ = try run(
            "shop", "hours-exception", "remove", "--database", path, "--shop", "ROM1", "--day",
            "2026-12-25")
        let list = try run("shop", "list", "--database", path)
        #expect(list.output.contains("\"exceptions\":{\"2026-12-24\":\"09:00-13:00\"}"))
    }
}
