import BackendAPI
import Cryptography
import Foundation
import HTTPServer
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

    private func run(_ words: [String]) throws -> Ended {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = Self.program
        process.arguments = words
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

    @Test("From nothing to a machine that is answered, and to an end without a loss")
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
        #expect(try answer?.decoded(MachineReply.self).shopName == "Città")
        server.terminate()
        server.waitUntilExit()
        #expect(server.terminationReason == .exit && server.terminationStatus == 0)
    }

    @Test("Every wrong use ends with a sentence that names it, and the status for it")
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
            (["serve", "--database", other], 1, "there is no database at \(other)"),
            (["shop", "list", "--database", "postgresql:///y?host=/no"], 1, "cannot be reached"),
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
            (["machine", "revoke", "--database", path, "--machine", "x"], 1, "no machine \"x\""),
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
        #expect(!FileManager.default.fileExists(atPath: other), "nothing was made by mistake")
        #expect(try addShop(path).errors.contains("the tag ROM1"))
        #expect(
            try run("shop", "list", "--database", path).output.split(separator: "\n").count == 1)
    }

    @Test("Every command explains itself")
    func help() throws {
        let overview = try run("--help")
        #expect(overview.status == 0)
        for words in [
            ["serve"], ["shop", "add"], ["shop", "list"], ["machine", "add"],
            ["machine", "revoke"],
        ] {
            #expect(overview.output.contains(words.joined(separator: " ")))
            let ended = try run(words + ["--help"])
            #expect(ended.status == 0 && ended.output.hasPrefix("Usage: clup-backend"))
        }
        #expect(try run("--version").output.hasPrefix("clup-backend "))
    }

    @Test("A closed day is stored, and follows the week again when it is removed")
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
