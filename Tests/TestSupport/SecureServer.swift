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
        certificate = folder.file("certificate.pem")
        log = folder.file("log")
        let key = folder.file("key.pem")
        try await Tool.succeed(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-days", "2", "-subj", "/CN=fake", "-addext", "subjectAltName=IP:127.0.0.1",
                "-keyout", key, "-out", certificate,
            ])
        let reserved = try ReservedPort()
        self.reserved = reserved
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { [folder] in "\($0)_temp_path \(folder.file($0));" }.joined(separator: "\n")
        let configuration = try folder.write(
            """
            daemon off;
            pid \(folder.file("pid"));
            events {}
            http {
            access_log \(log);
            \(temporary)
            server {
                listen \(reserved.address) ssl;
                ssl_certificate \(certificate);
                ssl_certificate_key \(key);
                return \(status);
            }
            }
            """.utf8, to: "nginx.conf")
        nginx = try Tool.start(
            "nginx", ["-c", configuration, "-e", folder.file("errors")],
            errors: folder.file("said"))
        guard await eventually({ LoopbackWire.isListening(on: reserved.number) }) else {
            await nginx.stop()
            throw TestSupportError("nginx does not listen")
        }
    }

    /// Ends it, and returns the lines of its log: one for each request.
    public func stop() async throws -> [String] {
        await nginx.stop()
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(
            String.init)
    }
}
