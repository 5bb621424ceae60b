import Foundation

/// Debian's nginx with a certificate of its own for 127.0.0.1, which answers every request over TLS with one status.
public final class SecureServer: Sendable {
    public var port: Int { Int(reserved.number) }
    /// The file of the certificate.
    public let certificate: String
    private let folder: TemporaryFolder
    private let log: String
    private let reserved: ReservedPort
    private let nginx: RunningProgram

    public init(status: Int) async throws {
        folder = try TemporaryFolder()
        log = folder.file("log")
        let (certificate, key) = try await Nginx.certificate(for: "IP:127.0.0.1", in: folder)
        self.certificate = certificate
        reserved = try ReservedPort()
        nginx = try await Nginx.start(
            """
            server {
                access_log \(log);
                listen \(reserved.address) ssl;
                ssl_certificate \(certificate);
                ssl_certificate_key \(key);
                return \(status);
            }
            """, at: reserved, in: folder)
    }

    /// Ends it, and returns the lines of its log: one for each request.
    public func stop() async throws -> [String] {
        await nginx.stop()
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(
            String.init)
    }
}

/// Debian's nginx with settings of a test.
enum Nginx {
    /// A certificate for 127.0.0.1 by a name of it, and its key: their files.
    static func certificate(
        for name: String, in folder: TemporaryFolder
    ) async throws -> (certificate: String, key: String) {
        let (certificate, key) = (folder.file("certificate.pem"), folder.file("key.pem"))
        // Browsers have no certificates of Ed25519.
        try await Tool.succeed(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=\(name)",
                "-keyout", key, "-out", certificate,
            ])
        return (certificate, key)
    }

    /// Starts it with this server; it listens at the port on return, and writes into `errors`.
    static func start(
        _ server: String, at port: ReservedPort, connections: Int = 512, in folder: TemporaryFolder
    ) async throws -> RunningProgram {
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.file($0));" }.joined(separator: "\n")
        let errors = folder.file("errors")
        let configuration = try folder.write(
            """
            daemon off;
            pid \(folder.file("pid"));
            error_log \(errors) info;
            worker_rlimit_nofile \(2 * connections);
            events { worker_connections \(connections); }
            http {
            access_log off;
            \(paths)
            \(server)
            }
            """.utf8, to: "nginx.conf")
        let process = try Tool.start(
            "nginx", ["-c", configuration, "-e", errors], errors: folder.file("said"))
        try await process.waits("nginx", log: errors) { LoopbackWire.isListening(on: port.number) }
        return process
    }
}
