import Foundation
import Glibc
import Synchronization
import TestSupport

/// A server on the loopback that answers, keeps silent or hangs up as a test asks.
final class ScriptedServer: Sendable {
    enum Answer: Sendable {
        /// Status line, fields and body; the connection stays.
        case answer(String)
        /// Nothing; the connection ends.
        case hangUp
        /// Nothing; the connection stays.
        case silence
    }

    /// A request as it was received, with the names of its fields in lower case.
    struct Request: Sendable {
        /// How many came before it.
        let number: Int
        let start: String
        let fields: [String: String]
        let body: String
    }

    private let listener: Int32
    private let seen = Mutex<[Request]>([])
    private let connections = Mutex<[Int32]>([])
    private let port: UInt16
    var address: String { "http://127.0.0.1:\(port)" }

    /// The requests that have come, each from before its answer on.
    var requests: [Request] { seen.withLock { $0 } }

    /// Their idempotency keys; empty for those that have none.
    var keys: [String] { requests.map { $0.fields["idempotency-key"] ?? "" } }

    /// `answer` gets each request, on its connection's thread.
    init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        (listener, port) = try LoopbackWire.bound(to: 0)
        guard listen(listener, 16) == 0 else { throw TestSupportError("no port to listen at") }
        Thread.detachNewThread { [self] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                connections.withLock { $0.append(connection) }
                Thread.detachNewThread { [self] in
                    serve(connection, answer)
                    // Closed under the lock, so that `stop` cannot close a descriptor that another connection got.
                    connections.withLock { connections in
                        connections.removeAll { $0 == connection }
                        _ = close(connection)
                    }
                }
            }
        }
    }

    /// Ends all connections; the threads end with them.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        connections.withLock { connections in
            for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    private func serve(_ connection: Int32, _ answer: (Request) -> Answer) {
        var wire = LoopbackWire(connection)
        while let message = wire.read() {
            let request = seen.withLock { seen in
                let request = Request(
                    number: seen.count, start: message.start, fields: message.fields,
                    body: String(decoding: message.body, as: UTF8.self))
                seen.append(request)
                return request
            }
            switch answer(request) {
            case .answer(let text): _ = wire.send(text.utf8)
            case .hangUp: return
            case .silence: break
            }
        }
    }
}

/// The servers of a test, which stop when it is over.
final class ScriptedServers: Sendable {
    private let all = Mutex<[ScriptedServer]>([])

    func start(
        _ answer: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer
    ) throws -> ScriptedServer {
        let server = try ScriptedServer(answer)
        all.withLock { $0.append(server) }
        return server
    }

    deinit { for server in all.withLock({ $0 }) { server.stop() } }
}
