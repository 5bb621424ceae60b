import BackendAPI
import Glibc
import Reservations
import TestSupport

/// One simulated phone with the page of a place open: an open WebSocket, and when its place was called.
final class PhoneConnection {
    let descriptor: Int32
    private var buffer = FrameBuffer()
    private var part = [UInt8](repeating: 0, count: 16_384)
    /// When the message came that the place is called; nil before that.
    private(set) var called: Int64?

    private static let pong: [UInt8] = [0x8A, 0x80, 0, 0, 0, 0]
    private static let mark = Array(#""state":"called""#.utf8)

    /// Asks for a session with a capability and opens the socket.
    init(_ capability: Capability, port: UInt16) throws {
        guard var wire = LoopbackWire.connected(to: port) else {
            throw BenchError.system("connect to the server for phones")
        }
        descriptor = wire.descriptor
        let authority = "127.0.0.1:\(port)"
        let asked = WireRequest(
            method: "POST", authority: authority, path: PublicCall.sessions.path,
            fields: ["content-type": "application/json"],
            body: Array("{\"capability\":\"\(capability.rawValue)\"}".utf8))
        guard wire.send(asked.bytes), let session = wire.read(), session.status == 201 else {
            throw BenchError("no session for a phone")
        }
        let text = String(decoding: session.body, as: UTF8.self)
        guard let begin = text.firstRange(of: #""ticket":""#)?.upperBound else {
            throw BenchError("no session for a phone: \(text)")
        }
        var opening = WireRequest(
            method: "GET", authority: authority, path: PublicCall.updates.path)
        opening.query = "ticket=\(text[begin...].prefix { $0 != "\"" })"
        opening.fields = [
            "connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13",
            "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        guard wire.send(opening.bytes), wire.read()?.status == 101 else {
            throw BenchError("no WebSocket for a phone")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Reads what has come, and notes the time of a call.
    func read() throws {
        let count = recv(descriptor, &part, part.count, 0)
        guard count > 0 else {
            if count < 0, errno == EAGAIN { return }
            throw BenchError("the backend has closed a phone's connection")
        }
        buffer.bytes.append(contentsOf: part[..<count])
        while let (opcode, payload) = buffer.next() {
            // A ping is answered as phones do, with a mask of zeros (RFC 6455 5.5.3); the server's have no content.
            if opcode == 9 {
                _ = send(descriptor, Self.pong, Self.pong.count, Int32(MSG_NOSIGNAL))
            } else if opcode == 1, called == nil, payload.firstRange(of: Self.mark) != nil {
                called = Clock.monotonic
            }
        }
    }

    /// Reads what has come to any of them, for at most this long.
    static func read(_ phones: [PhoneConnection], within timeoutMs: Int32) throws {
        var polled = phones.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), timeoutMs) > 0 else { return }
        for (phone, one) in zip(phones, polled) where one.revents != 0 { try phone.read() }
    }
}
