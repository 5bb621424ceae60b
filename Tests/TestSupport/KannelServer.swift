import Foundation
import Glibc
import Synchronization

/// Debian's Kannel with the configuration that the package has as an example, at ports of its own.
public final class KannelServer: Sendable {
    /// What the example has.
    public static let user = "clup"
    public static let password = "change-this-sending-password"
    public static let answersSecret = "change-this-secret-of-answers"
    /// The sender of SMS for which the backend names none.
    public static let sender = "12345"

    /// The address of its `sendsms`.
    public let address: String
    private let ports: [String: ReservedPort]
    private let folder: TemporaryFolder
    private let boxes = Mutex<[RunningProgram]>([])

    /// - Parameters:
    ///   - answersTo: Where the answers of telephones go, as `127.0.0.1:8680`, if they go anywhere.
    ///   - queueLimit: How many SMS wait in it without an operator.
    public init(answersTo: String? = nil, queueLimit: Int = 100) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        let bound = Dictionary(
            uniqueKeysWithValues: try ["13000", "13001", "13013", "10000"].map {
                ($0, try ReservedPort())
            })
        ports = bound
        address = "http://127.0.0.1:\(bound["13013"]?.number ?? 0)/cgi-bin/sendsms"
        var configuration = try String(
            contentsOf: Tool.repository.appending(path: "Kiosk/debian/conf/kannel.conf"),
            encoding: .utf8)
        let changes = [
            ("admin-port = 13000", "admin-port = \(bound["13000"]?.number ?? 0)"),
            ("port = 13001", "port = \(bound["13001"]?.number ?? 0)"),
            ("sendsms-port = 13013", "sendsms-port = \(bound["13013"]?.number ?? 0)"),
            ("\nport = 10000", "\nport = \(bound["10000"]?.number ?? 0)"),
            ("127.0.0.1:8680", answersTo ?? "127.0.0.1:1"),
            ("/var/log/kannel", folder.path),
            ("queue-limit = 100", "queue-limit = \(queueLimit)"),
            // A test does not wait for long.
            ("http-queue-delay = 10", "http-queue-delay = 1"),
        ]
        for (text, other) in changes {
            guard configuration.contains(text) else {
                throw TestSupportError("kannel.conf has no \(text)")
            }
            configuration = configuration.replacing(text, with: other)
        }
        _ = try folder.write(configuration.utf8, to: "kannel.conf")
        try await start()
    }

    deinit { end() }

    /// Starts both of its programs, after `end`, and waits until they listen for their clients and the operator, and are
    /// connected with one another.
    public func start() async throws {
        try await start("bearerbox") { sockets in
            ["13001", "10000"].allSatisfy { name in
                sockets.contains { $0.isListening && $0.own == ports[name]?.number }
            }
        }
        try await start("smsbox") { sockets in
            sockets.contains { $0.isListening && $0.own == ports["13013"]?.number }
                && sockets.contains { $0.isConnected && $0.other == ports["13001"]?.number }
        }
    }

    private func start(
        _ box: String, isReady: ([LoopbackWire.Socket]) -> Bool
    ) async throws {
        let process = try Tool.start(
            "/usr/sbin/\(box)", ["-v", "4", folder.file("kannel.conf")],
            output: folder.file("\(box).said"), errors: folder.file("\(box).errors"))
        boxes.withLock { $0.append(process) }
        try await process.waits(box, log: folder.file("\(box).log")) {
            try isReady(LoopbackWire.sockets())
        }
    }

    /// Connects the telephones of an operator, which end with the result.
    public func telephones() throws -> FakeTelephones {
        try FakeTelephones(port: ports["10000"]?.number ?? 0)
    }

    /// Ends both programs at once; what waited in them is lost.
    public func end() {
        let running = boxes.withLock { boxes in
            defer { boxes = [] }
            return boxes
        }
        for box in running.reversed() { box.stopBlocking(SIGKILL) }
    }

    /// Everything that it has written into its logs and its folder.
    public func written() throws -> String {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0 != "kannel.conf" }
            .map {
                String(
                    decoding: try Data(contentsOf: URL(filePath: folder.file($0))), as: UTF8.self)
            }
            .joined()
    }
}
