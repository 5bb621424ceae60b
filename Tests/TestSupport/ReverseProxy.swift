import Foundation
import Glibc

/// Debian's nginx with the project's configuration, before one backend or two, with a certificate of its own.
public final class ReverseProxy: Sendable {
    public var port: UInt16 { reserved.number }
    /// The certificate that machines trust: the proxy's own.
    public let certificate: String

    private let reserved: ReservedPort
    private let folder: TemporaryFolder
    private let process: RunningProgram

    /// The connections that nginx itself may have, as in the guide.
    public static let guidedConnections = 4_096

    /// - Parameters:
    ///   - phones: where the backend answers phones; nil if it does not.
    ///   - connections: nginx's `worker_connections`.
    ///   - perConnection: whether limits of an address treat each connection as one from an address of its own.
    private init(
        to backends: [String], phones: String?, connections: Int, perConnection: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        let (certificate, key) = try await Nginx.certificate(for: "DNS:localhost", in: folder)
        self.certificate = certificate
        reserved = try ReservedPort()
        var server = try String(
            contentsOf: Tool.repository.appending(path: "Kiosk/nginx/clup-backend.conf"),
            encoding: .utf8)
        let upstream = backends.map { String($0.dropFirst("http://".count)) }
        let more = upstream.count > 1 ? [("# server 127.0.0.1:8481", "server \(upstream[1])")] : []
        for (line, other) in more + [
            ("listen 443 ssl", "listen \(reserved.address) ssl"),
            ("127.0.0.1:8480", upstream[0]),
            ("127.0.0.1:8580", phones.map { String($0.dropFirst("http://".count)) } ?? upstream[0]),
            ("server_name queue.example.it", "server_name localhost"),
            ("/etc/clup/tls/certificate.pem", certificate), ("/etc/clup/tls/key.pem", key),
            ("/var/log/nginx/clup.log", folder.file("log")),
        ]
            + (perConnection
                ? [("$binary_remote_addr zone=clup_addresses", "$connection zone=clup_addresses")]
                : [])
        {
            guard server.contains(line) else {
                throw TestSupportError("the configuration has no \(line)")
            }
            server = server.replacing(line, with: other)
        }
        process = try await Nginx.start(
            server, at: reserved, connections: connections, in: folder)
    }

    /// Starts it before backends at `http://127.0.0.1:PORT`, and ends it after the body.
    public static func with<Value>(
        to backends: String..., phones: String? = nil, connections: Int = guidedConnections,
        perConnection: Bool = false, body: (ReverseProxy) async throws -> Value
    ) async throws -> Value {
        try await ending(
            ReverseProxy(
                to: backends, phones: phones, connections: connections,
                perConnection: perConnection), by: { await $0.stop() }, after: body)
    }

    public func stop() async { await process.stop() }

    /// nginx's log of requests and of errors.
    public var log: String {
        get throws { try String(contentsOfFile: folder.file("log"), encoding: .utf8) }
    }

    public var errors: String {
        get throws { try String(contentsOfFile: folder.file("errors"), encoding: .utf8) }
    }

    /// Sends these bytes (with the escapes of printf(1)) over TLS; returns the answer until the proxy hangs up.
    ///
    /// - Parameters:
    ///   - address: the address of this computer that the proxy sees.
    ///   - seconds: when to hang up if the proxy does not.
    public func answer(
        to bytes: String, from address: String = "127.0.0.1", within seconds: Int = 120
    ) async throws -> String {
        let script =
            "printf '%b' \"$1\" | timeout \(seconds) openssl s_client -quiet -bind $3:0"
            + " -connect 127.0.0.1:$2 -servername localhost | LC_ALL=C tr -cd '\\r\\n -~'"
        let words = ["-c", script, "bash", bytes, "\(port)", address]
        // Only the readable part: a WebSocket's frames begin with bytes that are no text.
        return try await Tool.run("bash", words).output
    }

    /// Sends a file's bytes over TLS; returns the answer until the proxy hangs up.
    public func answer(toFile path: String) async throws -> String {
        try await Self.shell(
            "timeout 30 openssl s_client -quiet -connect localhost:$2 < \"$1\"", path, "\(port)")
    }

    /// Sends a file's bytes to `host:port` without TLS; returns the answer until it hangs up.
    public static func answer(toFile path: String, from address: String) async throws -> String {
        let place = address.replacing(":", with: "/")
        return try await shell(
            "exec 3<>/dev/tcp/$2; cat \"$1\" >&3 & timeout 30 cat <&3", path, place)
    }

    private static func shell(_ script: String, _ words: String...) async throws -> String {
        try await Tool.run(
            "bash", ["-c", "{ \(script); } | LC_ALL=C tr -cd '\\r\\n -~'", "bash"] + words
        ).output
    }

    /// Opens connections that send only the first byte of a handshake.
    public func openSilently(_ count: Int) throws -> [Int32] {
        try (0..<count).map { _ in
            guard let wire = LoopbackWire.connected(to: port), wire.send([0x16]) else {
                throw TestSupportError("no connection to \(port)")
            }
            return wire.descriptor
        }
    }

    /// Whether the proxy has hung up.
    public static func isClosed(_ connection: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(connection, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 || errno != EAGAIN
    }
}
