import BackendAPI
import Cryptography
import FoundationEssentials
import Glibc

/// One device of a shop, with a key of its own, that calls the backend and waits for each answer.
final class DeviceConnection {
    /// An answer of the backend.
    struct Answer {
        let status: Int
        let body: [UInt8]

        func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try JSONDecoder().decode(type, from: Data(body))
        }
    }

    let name: String
    let key: SigningKey
    private let signer: RequestSigner
    private let authority: String
    private let port: UInt16
    /// Nil before the first call: a backend does not wait long for the first request of a connection.
    private var connection: Int32?

    /// Has a key of its own unless one is given.
    init(_ name: String, port: UInt16, key: SigningKey? = nil) throws {
        self.name = name
        let key = try key ?? SigningKey.generate()
        self.key = key
        signer = RequestSigner(key: key)
        authority = "127.0.0.1:\(port)"
        self.port = port
    }

    deinit { if let connection { close(connection) } }

    private func connected() throws -> Int32 {
        if let connection { return connection }
        guard let made = LoopbackSocket.connected(to: port) else {
            throw BenchError.system("connect to \(authority)")
        }
        connection = made
        return made
    }

    func call(_ route: Route, _ body: String = "") throws -> Answer {
        var fields: [String: String] = [:]
        if route.endpoint.carriesKey {
            fields[HeaderField.idempotencyKey] = "\(name)-\(RequestSigner.makeNonce())"
        }
        if !body.isEmpty { fields[HeaderField.contentType] = "application/json" }
        let request = signer.sign(
            WireRequest(
                method: route.endpoint.method.rawValue, authority: authority, path: route.path,
                fields: fields, body: Array(body.utf8)), created: Clock.real / 1_000_000_000,
            nonce: RequestSigner.makeNonce())
        var head = "\(request.method) \(request.path) HTTP/1.1\r\nhost: \(authority)\r\n"
        for (name, value) in request.fields { head += "\(name): \(value)\r\n" }
        head += "content-length: \(body.utf8.count)\r\n\r\n"
        let bytes = Array((head + body).utf8)
        let descriptor = try connected()
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw BenchError.system("send")
        }
        return try answer(on: descriptor)
    }

    private func answer(on descriptor: Int32) throws -> Answer {
        var received: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 8_192)
        while true {
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { throw BenchError("the backend has closed a connection") }
            received += part[..<count]
            guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            let text = String(decoding: received[..<end.lowerBound], as: UTF8.self)
            let head = text.lowercased().split(separator: "\r\n")
            let length =
                head.first { $0.hasPrefix("content-length:") }?
                .split(separator: " ").last.flatMap { Int($0) } ?? 0
            let start = end.upperBound
            guard received.count >= start + length else { continue }
            let status = head.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            guard let status else { throw BenchError("an answer has no status") }
            return Answer(status: status, body: Array(received[start..<(start + length)]))
        }
    }
}
