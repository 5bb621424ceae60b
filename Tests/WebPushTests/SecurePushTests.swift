import Foundation
import TestSupport
import Testing

@testable import WebPush

/// A push service with a certificate, by Debian's nginx, which answers every request with 201.
@Suite("Certificates of push services")
struct SecurePushTests {
    @Test("Only a service whose certificate is valid for its name is sent a push")
    func certificates() async throws {
        let folder = try TemporaryFolder()
        let (certificate, key) = (folder.file("certificate.pem"), folder.file("key.pem"))
        try await Tool.succeed(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-days", "2", "-subj", "/CN=fake", "-addext", "subjectAltName=IP:127.0.0.1",
                "-keyout", key, "-out", certificate,
            ])
        let port = try Loopback.freePort()
        let log = folder.file("log")
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.file($0));" }.joined(separator: "\n")
        let configuration = try folder.write(
            """
            daemon off;
            pid \(folder.file("pid"));
            events {}
            http {
            access_log \(log);
            \(temporary)
            server {
                listen 127.0.0.1:\(port) ssl;
                ssl_certificate \(certificate);
                ssl_certificate_key \(key);
                return 201;
            }
            }
            """.utf8, to: "nginx.conf")
        let nginx = try Tool.start(
            "nginx", ["-c", configuration, "-e", folder.file("errors")],
            errors: folder.file("said"))
        let isListening = await eventually { LoopbackWire.isListening(on: UInt16(port)) }
        #expect(isListening)
        func outcome(host: String, trusting authorities: String?) async throws -> PushOutcome? {
            let sender = PushSender(
                services: try #require(PushServices("https://\(host):\(port)")),
                key: try SampleBrowser.sender(), subject: nil,
                limits: .init(authorities: authorities), now: { 0 })
            return await sender.send(try .sample(to: "https://\(host):\(port)/\(host)"))
        }
        #expect(try await outcome(host: "127.0.0.1", trusting: nil) == .unreached)
        #expect(try await outcome(host: "localhost", trusting: certificate) == .unreached)
        #expect(try await outcome(host: "127.0.0.1", trusting: certificate) == .accepted)
        await nginx.stop()
        let requests = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(requests.count == 1, "\(requests)")
    }
}
