import BackendAPI
import Cryptography
import Foundation
import HTTPServer
import TestSupport

/// The program that was built together with these tests, serving a database with one shop.
final class ServedProgram {
    let command: BackendCommand
    let address: ListenAddress
    let process: RunningProgram
    private let output = Pipe()
    var database: String { command.path }
    /// All fields of its first line.
    let firstLine: [String: String]

    /// `keys` are the keys of machines and devices, with their roles.
    ///
    /// - Parameter files: its soft and hard limit of open files (prlimit(1)); those of the tests if nil.
    init(
        keys: [(String, SigningKey)], options: [String] = [], files: (Int, Int)? = nil
    ) throws {
        command = try BackendCommand()
        var added = [try command.addShop(capacity: 90_000, stay: 1)]
        for (index, (role, key)) in keys.enumerated() {
            let kind = role == "machine" ? "machine add" : "device add --role \(role)"
            added.append(
                try command.command(
                    "\(kind) --shop ROM1 --name n\(index) --key=\(key.publicKey.text)"))
        }
        guard added.allSatisfy({ $0.status == 0 }) else {
            throw RawClient.Failure(operation: added.map(\.errors).joined())
        }
        let log = command.directory.file("log")
        let limit = files.map { ["prlimit", "--nofile=\($0.0):\($0.1)"] } ?? []
        // Each program replaces itself with the next one, so the process becomes the server's.
        process = try Tool.start(
            "env",
            limit + [BackendCommand.program.path, "serve", "--database", command.path]
                + ["--listen", "127.0.0.1:0", "--rate-limit", "0"] + options,
            streams: .output(output.fileHandleForWriting.fileDescriptor, errors: log))
        try output.fileHandleForWriting.close()
        let line = output.fileHandleForReading.availableData
        firstLine =
            (try? JSONSerialization.jsonObject(with: line)) as? [String: String] ?? [:]
        guard let listening = firstLine["listening"],
            let address = ListenAddress(String(listening.dropFirst("http://".count)))
        else {
            process.waitBlocking()
            let said = try String(contentsOfFile: log, encoding: .utf8)
            throw RawClient.Failure(operation: "start: \(said)")
        }
        self.address = address
    }

    deinit { process.stopBlocking(SIGKILL) }

    func request(_ route: Route, _ body: String = "", key: SigningKey) -> WireRequest {
        WireRequest(route, body.utf8, to: String("\(address)".dropFirst("http://".count)))
            .signed(by: RequestSigner(key: key))
    }

    /// Opens the socket of a display.
    func openSocket(_ key: SigningKey) throws -> SocketClient {
        let raw = try RawClient(address)
        let session = raw.call(request(.sessions, key: key))
        var request = WireRequest(method: "GET", authority: "localhost", path: Route.turns.path)
        SocketClient.upgrade(
            &request, ticket: try session?.decoded(SessionReply.self).ticket ?? "none")
        guard raw.call(request)?.status == 101 else {
            throw RawClient.Failure(operation: "no WebSocket")
        }
        return SocketClient(upgraded: raw)
    }
}
