import TestSupport
import Testing

@testable import WebPush

@Suite("Certificates of push services")
struct SecurePushTests {
    @Test("Only a service whose certificate is valid for its name is sent a push")
    func certificates() async throws {
        let server = try await SecureServer(status: 201)
        let (port, certificate) = (server.port, server.certificate)
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
        let requests = try await server.stop()
        #expect(requests.count == 1, "\(requests)")
    }
}
