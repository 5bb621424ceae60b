import BackendAPI
import Foundation
import Glibc
import Reservations
import TestSupport

/// An open WebSocket of a page (RFC 6455): whole, unmasked messages from the server.
struct Feed {
    private var wire: LoopbackWire

    /// - Parameters:
    ///   - buffer: the size of the kernel's buffer in bytes; the usual one if nil.
    ///   - silence: the milliseconds without a message after which the page gives the socket up.
    init(_ page: Caller, port: UInt16, buffer: Int32? = nil, silence: Int = 30_000) throws {
        let session = try page.insist(.sessions)
        guard session.status == 201 else {
            let words = String(decoding: session.body, as: UTF8.self)
            throw TestSupportError("no socket's ticket: \(session.status) \(words)")
        }
        let reply = try session.decoded(SessionReply.self)
        guard let wire = LoopbackWire.connected(to: port) else {
            throw TestSupportError("nobody at \(port)")
        }
        if var buffer {
            setsockopt(
                wire.descriptor, SOL_SOCKET, SO_RCVBUF, &buffer,
                socklen_t(MemoryLayout<Int32>.size))
        }
        wire.giveUp(afterMilliseconds: silence)
        self.wire = wire
        let head = """
            GET /v1/turns?ticket=\(reply.ticket) HTTP/1.1\r
            host: 127.0.0.1:\(port)\r
            upgrade: websocket\r
            connection: Upgrade\r
            sec-websocket-version: 13\r
            sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r
            \r

            """
        guard self.wire.send(Array(head.utf8)), let answer = self.wire.read(),
            answer.start.contains(" 101 ")
        else { throw TestSupportError("no WebSocket") }
    }

    /// The next message of a type; nil if the connection has ended or is silent.
    mutating func next<Message: Decodable>(_ type: Message.Type) -> Message? {
        while let (opcode, payload) = wire.frame() {
            guard opcode == 1 else { continue }
            if let message = try? JSONDecoder().decode(type, from: Data(payload)) { return message }
        }
        return nil
    }

    func end() { wire.end() }
}
