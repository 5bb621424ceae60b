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

    private let listener: Int32
    private let connections = Mutex<[Int32]>([])
    private let port: UInt16
    var address: String { "http://127.0.0.1:\(port)" }

    /// `answer` gets the head and body of each request, on its connection's thread.
    init(_ answer: @escaping @Sendable (String) -> Answer) throws {
        (listener, port) = try LoopbackWire.bound(to: 0)
        guard listen(listener, 16) == 0 else { throw TestSupportError("no port to listen at") }
        Thread.detachNewThread { [self] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                connections.withLock { $0.append(connection) }
                Thread.detachNewThread { [self] in
                    Self.serve(connection, answer)
                    // Closed under the lock, so that `stop` cannot close a descriptor that another connection got.
                    connections.withLock { connections in
                        connections.removeAll { $0 == connection }
                        _ = close(connection)
                    }
                }
            }
        }
    }

    /// The idempotency key of a request; empty if it has none.
    static func key(of request: String) -> String {
        let field = "idempotency-key: "
        let line = request.lowercased().split(separator: "\r\n").first { $0.hasPrefix(field) }
        return String(line?.dropFirst(field.count) ?? "")
    }

    /// Ends all connections; the threads end with them.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        connections.withLock { connections in
            for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    private static func serve(_ connection: Int32, _ answer: (String) -> Answer) {
        var wire = LoopbackWire(connection)
        while let request = wire.read() {
            switch answer(String(decoding: request.bytes, as: UTF8.self)) {
            case .answer(let text):
                _ = wire.send(text.utf8)
            case .hangUp: return
            case .silence: break
            }
        }
    }
}
