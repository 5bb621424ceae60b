import BackendAPI
import Cryptography
import Foundation
import HTTPServer

/// The program that was built together with these tests, serving a database with one shop.
final class ServedProgram {
    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "clup-backend")

    let directory: TemporaryDirectory
    let address: ListenAddress
    let process = Process()
    private let log: URL
    var database: String { directory.path + "/database" }
    /// The text that it has written to its standard error so far.
    var said: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }
    /// All fields of its first line.
    let firstLine: [String: String]

    /// `keys` are the keys of machines and devices, with their roles.
    ///
    /// - Parameter files: its soft and hard limit of open files (prlimit(1)); those of the tests if nil.
    init(
        keys: [(String, SigningKey)], options: [String] = [], files: (Int, Int)? = nil
    ) throws {
        directory = try TemporaryDirectory()
        log = URL(filePath: directory.path + ".log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let database = directory.path + "/database"
        try Self.run([
            "shop", "add", "--database", database, "--name", "Città", "--tag", "ROM1",
            "--time-zone", "Europe/Rome", "--hours", "Mon-Sun 00:00-24:00", "--capacity", "90000",
            "--stay", "1", "--languages", "it",
        ])
        for (index, (role, key)) in keys.enumerated() {
            let isMachine = role == "machine"
            try Self.run(
                [
                    isMachine ? "machine" : "device", "add", "--database", database, "--shop",
                    "ROM1", "--name", "n\(index)", "--key=\(key.publicKey.text)",
                ] + (isMachine ? [] : ["--role", role]))
        }
        let output = Pipe()
        let limit = files.map { ["prlimit", "--nofile=\($0.0):\($0.1)"] } ?? []
        // Each program replaces itself with the next one, so the process becomes the server's.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            limit + [Self.program.path, "serve", "--database", database]
            + ["--listen", "127.0.0.1:0", "--rate-limit", "0"] + options
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        let line = output.fileHandleForReading.availableData
        firstLine =
            (try? JSONSerialization.jsonObject(with: line)) as? [String: String] ?? [:]
        guard let listening = firstLine["listening"],
            let address = ListenAddress(String(listening.dropFirst("http://".count)))
        else {
            process.waitUntilExit()
            throw RawClient.Failure(
                operation: "start: \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
        }
        self.address = address
    }

    deinit {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        for suffix in ["", ".key", ".wrapping-key"] { unlink(database + suffix) }
        unlink(log.path)
    }

    private static func run(_ words: [String]) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = words
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw RawClient.Failure(operation: words.joined(separator: " "))
        }
    }

    func request(_ route: Route, _ body: String = "", key: SigningKey) -> WireRequest {
        var request = WireRequest(
            method: route.endpoint.method.rawValue,
            authority: String("\(address)".dropFirst("http://".count)), path: route.path,
            body: Array(body.utf8))
        if route.endpoint.carriesKey {
            request.fields["idempotency-key"] = RequestSigner.makeNonce()
        }
        if !body.isEmpty { request.fields["content-type"] = "application/json" }
        return RequestSigner(key: key).sign(
            request, created: Int64(Date().timeIntervalSince1970), nonce: RequestSigner.makeNonce())
    }

    func get(_ path: String) -> WireRequest {
        WireRequest(method: "GET", authority: "localhost", path: path)
    }
}
