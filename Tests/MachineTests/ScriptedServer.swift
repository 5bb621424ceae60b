import Foundation
import Glibc
import Synchronization
import TestSupport

/// A server of the loopback that answers, keeps silent or hangs up as a test tells it.
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
    let port: UInt16

    /// `answer` gets each request's head and body, on a thread of its connection.
    init(_ answer: @escaping @Sendable (String) -> Answer) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw TestSupportError("no port to listen at") }
        self.listener = listener
        port = UInt16(bigEndian: name.sin_port)
        Thread.detachNewThread { [self] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                connections.withLock { $0.append(connection) }
                Thread.detachNewThread { [self] in
                    Self.serve(connection, answer)
                    // Closed where `stop` cannot take the number for another's connection.
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

    private static func serve(_ connection: Int32, _ answer: (String) -> Answer) {
        while let request = request(on: connection) {
            switch answer(request) {
            case .answer(let text):
                let bytes = Array(text.utf8)
                _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            case .hangUp: return
            case .silence: break
            }
        }
    }

    /// One whole request; nil where the connection has ended.
    private static func request(on connection: Int32) -> String? {
        var received = ""
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            if let head = received.range(of: "\r\n\r\n") {
                let length =
                    received.lowercased().split(separator: "\r\n")
                    .first { $0.hasPrefix("content-length: ") }
                    .flatMap { Int($0.dropFirst(16)) } ?? 0
                if received[head.upperBound...].utf8.count >= length { return received }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            received += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
