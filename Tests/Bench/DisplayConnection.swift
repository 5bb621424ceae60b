import BackendAPI
import Cryptography
import Glibc
import TestSupport

/// One simulated display: an open WebSocket of the feed, and the newest number that it received.
final class DisplayConnection {
    let descriptor: Int32
    private var buffer = FrameBuffer()
    private var part = [UInt8](repeating: 0, count: 65_536)
    /// The number called last according to the last whole message; 0 before the first one.
    private(set) var newest = 0
    /// The calls for help and the orders that were shown, by their identifiers, and when each was shown first.
    private(set) var shown: [String: Int64] = [:]
    /// Bytes of the last whole message.
    private(set) var messageBytes = 0

    /// Asks for a session with a key of the allow list and opens the socket.
    init(_ shop: BenchShop, key: SigningKey) throws {
        guard let wire = LoopbackWire.connected(to: shop.port) else {
            throw BenchError.system("connect to \(shop.url)")
        }
        descriptor = wire.descriptor
        let session = WireRequest(.sessions, to: shop.authority)
            .signed(by: RequestSigner(key: key))
        let answer = try ask(session.bytes, until: "}")
        guard let begin = answer.firstRange(of: #""ticket":""#)?.upperBound else {
            throw BenchError("no session: \(answer)")
        }
        let ticket = answer[begin...].prefix { $0 != "\"" }
        var opening = WireRequest(.turns, to: shop.authority)
        opening.query = "ticket=\(ticket)"
        opening.fields = [
            "connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13",
            "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        let opened = try ask(opening.bytes, until: "\r\n\r\n")
        guard opened.hasPrefix("HTTP/1.1 101 ") else {
            throw BenchError("no WebSocket: \(opened)")
        }
    }

    deinit { close(descriptor) }

    /// Sends a request and reads up to a mark; the bytes after the mark stay unread.
    private func ask(_ request: [UInt8], until mark: String) throws -> String {
        try UnixStream.send(request, to: descriptor)
        let mark = Array(mark.utf8)
        while true {
            if let end = buffer.bytes.firstRange(of: mark)?.upperBound {
                defer { buffer.bytes.removeFirst(end) }
                return String(decoding: buffer.bytes[..<end], as: UTF8.self)
            }
            try receive()
        }
    }

    private func receive() throws {
        let count = recv(descriptor, &part, part.count, 0)
        guard count > 0 else { throw BenchError("the backend has closed a display's connection") }
        buffer.bytes.append(contentsOf: part[..<count])
    }

    /// Reads the available bytes and decodes every whole message in them.
    func read() throws {
        try receive()
        while let (opcode, payload) = buffer.next() {
            // Pings are not answered: the bench is shorter than the server's timeout for them.
            if opcode == 1 { understand(payload[...]) }
        }
    }

    /// Waits until a message arrives at one of these, and reads what has arrived at each.
    static func wait(for screens: [DisplayConnection], within timeoutMs: Int32) throws {
        var polled = screens.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), timeoutMs) > 0 else {
            throw BenchError("a message did not come in time")
        }
        for (screen, one) in zip(screens, polled) where one.revents != 0 { try screen.read() }
    }

    private func understand(_ message: ArraySlice<UInt8>) {
        let isOfStaff = ["help", "desk"].contains {
            message.firstRange(of: Array(#""type":"\#($0)""#.utf8)) != nil
        }
        if isOfStaff {
            let now = Clock.monotonic
            var rest = message
            while let begin = rest.firstRange(of: Array(#""id":""#.utf8))?.upperBound {
                let id = rest[begin...].prefix { $0 != UInt8(ascii: "\"") }
                rest = rest[id.endIndex...]
                let name = String(decoding: id, as: UTF8.self)
                if shown[name] == nil { shown[name] = now }
            }
            return
        }
        messageBytes = message.count
        guard let called = message.firstRange(of: Array(#""called":[{"#.utf8))?.upperBound,
            let number = message[called...].firstRange(of: Array(#""number":"#.utf8))?.upperBound
        else { return }
        newest = message[number...].prefix { (0x30...0x39).contains($0) }
            .reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
