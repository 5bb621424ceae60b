import BackendAPI
import BackendClient
import Cryptography
import Foundation
import KioskFlow
import KioskRuntime
import MachineClock
import Reservations
import TestSupport
import Testing

extension ScriptedServer.Answer {
    static func http(_ status: Int, _ type: String, _ body: String) -> Self {
        .answer(
            "HTTP/1.1 \(status) x\r\ncontent-type: \(type)\r\n"
                + "content-length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    static func json(_ status: Int, _ value: some Encodable) -> Self {
        let body = (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
        return http(
            status, status < 300 ? "application/json" : Problem.contentType, body ?? "")
    }

    static func refusal(_ refusal: Refusal) -> Self { json(refusal.status, Problem(refusal)) }
}

extension BackendClient {
    /// A client of servers at these addresses, in this order.
    ///
    /// - Parameter use: what an answer may be used for, without a look at its signature; nil without signatures.
    static func of(
        _ addresses: String..., time: MachineClock = .system, use: AnswerUse? = nil
    ) throws -> BackendClient {
        try Cryptography.start()
        let signer = RequestSigner(key: try .generate())
        var verify: Verifier?
        if let use { verify = { _, _ in (1_795_179_600, use) } }
        return BackendClient(
            servers: try BackendServers(addresses.joined(separator: ", ")), time: time,
            verify: verify
        ) {
            signer.sign($0, created: 1_795_179_600, nonce: RequestSigner.makeNonce())
        }
    }
}

/// Two calls that have a code as proof and the same kind of answer.
struct CallsWithCode<Value: Codable & Hashable & Sendable> {
    let code: String
    let paths: [String]
    let key = AttemptKey("start-1")
    let make: @Sendable (BackendClient, AttemptKey) async -> [BackendAnswer<Value>]

    /// The answers of a server to both calls, and what it was asked.
    func answers(
        _ answer: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer
    ) async throws -> (all: [BackendAnswer<Value>], server: ScriptedServer) {
        let server = try ScriptedServer(answer)
        defer { server.stop() }
        return (await make(try .of(server.address), key), server)
    }

    /// Each call has its path, the code as its proof and its key, is repeated with that key if its answer is lost, and
    /// passes its answer on; returns the requests, of which each call made two.
    @discardableResult
    func expectPassed(_ value: Value) async throws -> [ScriptedServer.Request] {
        let (answers, server) = try await answers {
            $0.number.isMultiple(of: 2) ? .hangUp : .json(201, value)
        }
        #expect(answers == [.success(value), .success(value)])
        try #require(server.keys == Array(repeating: "start-1", count: 4))
        for (request, path) in zip(server.requests, paths.flatMap { [$0, $0] }) {
            #expect(request.start.hasPrefix("POST \(path) "))
            #expect(request.body.contains("\"code\":\"\(code)\""))
        }
        return server.requests
    }

    /// An answer is a failure for the machine.
    func expect(_ failure: BackendFailure, for answer: ScriptedServer.Answer) async throws {
        let answers = try await answers { _ in answer }.all
        #expect(answers == [.failure(failure), .failure(failure)])
    }
}
