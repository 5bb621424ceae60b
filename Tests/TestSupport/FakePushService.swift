public import Foundation
import Glibc

/// A fake push service at a port of the loopback, which answers each endpoint in a way of its own.
public final class FakePushService: Sendable {
    /// What an endpoint does, which its path names.
    public enum Manner: Hashable, Sendable {
        case answers(Int, fields: [String: String] = [:])
        /// 201, and a body that does not end.
        case hugeBody
        /// 201, and a body of which one byte comes each time.
        case dripsBody
        case headWithoutEnd
        /// A byte of the head each time.
        case dripsHead
        /// An interim answer (RFC 8297), and nothing more.
        case interimOnly
        case silent
        case hangsUp
        /// The request's end, then half a head.
        case breaksOff
    }

    public struct Request: Sendable {
        public let path: String
        public let fields: [String: String]
        public let body: [UInt8]
        /// When all of it was there.
        public let at: Date
        public let manner: Manner
    }

    public let origin: String
    private let port: ReservedPort
    /// Nil while no connection is accepted.
    private let listener = Locked<Int32?>(nil)
    private let other: @Sendable (String) -> Manner
    private let manners = Locked<[String: Manner]>([:])
    /// The descriptors of connections; each is closed by its own thread.
    private let open = Locked<Set<Int32>>([])
    private let accepted = Locked(0)
    private let received = Locked<[Request]>([])
    private let sent = Locked(0)

    public var requests: [Request] { received.value }
    /// How many connections there have been.
    public var connections: Int { accepted.value }
    /// Bytes of huge bodies and heads that the sender has taken.
    public var excess: Int { sent.value }

    /// - Parameter other: what a path does that is no `endpoint` of this service.
    public init(_ other: @escaping @Sendable (String) -> Manner = { _ in .answers(404) }) throws {
        port = try ReservedPort()
        self.other = other
        origin = "http://\(port.address)"
        try start()
    }

    deinit { stop() }

    /// Refuses connections, and ends those that are there.
    public func stop() {
        listener.change { listener in
            if let listener { shutdown(listener, Int32(SHUT_RDWR)) }
            listener = nil
        }
        open.change { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
    }

    /// Accepts connections at its address again, after `stop`.
    public func start() throws { try accept(on: LoopbackWire.bound(to: port.number).descriptor) }

    private func accept(on descriptor: Int32) throws {
        guard listen(descriptor, 128) == 0 else { throw TestSupportError("listen failed") }
        listener.change { $0 = descriptor }
        let (open, accepted, received, sent) = (open, accepted, received, sent)
        let (manners, other) = (manners, other)
        Thread.detachNewThread {
            while true {
                let connection = Glibc.accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                accepted.change { $0 += 1 }
                open.change { $0.insert(connection) }
                Thread.detachNewThread {
                    Self.serve(connection, { manners.value[$0] ?? other($0) }, received, sent)
                    open.change {
                        $0.remove(connection)
                        close(connection)
                    }
                }
            }
            close(descriptor)
        }
    }

    /// An endpoint that does this.
    public func endpoint(_ manner: Manner) -> String {
        let path = "/push/\(UUID().uuidString)"
        manners.change { $0[path] = manner }
        return origin + path
    }

    private static func serve(
        _ connection: Int32, _ manner: (String) -> Manner, _ received: Locked<[Request]>,
        _ sent: Locked<Int>
    ) {
        var wire = LoopbackWire(connection)
        while let message = wire.read() {
            let path = String(message.start.split(separator: " ").dropFirst().first ?? "")
            let manner = manner(path)
            received.change {
                $0.append(
                    Request(
                        path: path, fields: message.fields, body: message.body, at: .now,
                        manner: manner))
            }
            guard answer(manner, on: wire, sent) else { return }
        }
    }

    /// Answers a request; false if the connection takes no further one.
    private static func answer(_ manner: Manner, on wire: LoopbackWire, _ sent: Locked<Int>) -> Bool
    {
        /// Sends the bytes until the other side is gone, at most 8 MiB.
        func repeatedly(_ bytes: [UInt8], pause: Duration = .zero) {
            for _ in 0..<(8 * 1_048_576 / bytes.count) {
                guard wire.send(bytes) else { return }
                sent.change { $0 += bytes.count }
                if pause > .zero { usleep(50_000) }
            }
        }
        let created = "HTTP/1.1 201 Created\r\n"
        switch manner {
        case .answers(let status, let fields):
            let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
            return wire.send("HTTP/1.1 \(status) Fake\r\n\(lines)Content-Length: 0\r\n\r\n".utf8)
        case .hugeBody:
            _ = wire.send("\(created)Content-Length: 1000000000\r\n\r\n".utf8)
            repeatedly(Array(repeating: 0x61, count: 1_024))
        case .dripsBody:
            _ = wire.send("\(created)Content-Length: 1000000000\r\n\r\n".utf8)
            repeatedly([0x61], pause: .milliseconds(50))
        case .headWithoutEnd:
            _ = wire.send(created.utf8)
            repeatedly(Array("X-Fake: \(String(repeating: "a", count: 200))\r\n".utf8))
        case .dripsHead:
            _ = wire.send("\(created)X-Fake: ".utf8)
            repeatedly([0x61], pause: .milliseconds(50))
        case .interimOnly:
            _ = wire.send("HTTP/1.1 103 Early Hints\r\n\r\n".utf8)
            return true
        case .silent: return true
        case .hangsUp: shutdown(wire.descriptor, Int32(SHUT_RDWR))
        case .breaksOff:
            _ = wire.send("\(created)Content-Length: 0\r\n".utf8)
            shutdown(wire.descriptor, Int32(SHUT_RDWR))
        }
        return false
    }
}
