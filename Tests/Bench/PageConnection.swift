import BackendAPI
import Cryptography
import FoundationEssentials
import Glibc
import Reservations
import TestSupport

/// One simulated page: an open WebSocket, whose messages are read once they have come.
class PageConnection {
    private var wire: LoopbackWire

    /// Asks for a session and opens the socket.
    init(session: WireRequest, updates: WireRequest, port: UInt16) throws {
        guard let wire = LoopbackWire.connected(to: port) else {
            throw BenchError.system("connect to the server for pages")
        }
        self.wire = wire
        guard self.wire.send(session.bytes), let answer = self.wire.read() else {
            throw BenchError("no answer to a page")
        }
        guard let reply = try? JSONDecoder().decode(SessionReply.self, from: Data(answer.body))
        else { throw BenchError("no session: \(String(decoding: answer.bytes, as: UTF8.self))") }
        var opening = updates
        opening.query = "ticket=\(reply.ticket)"
        opening.fields = [
            "connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13",
            "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        guard self.wire.send(opening.bytes), self.wire.read()?.status == 101 else {
            throw BenchError("no WebSocket for a page")
        }
    }

    deinit { wire.end() }

    var descriptor: Int32 { wire.descriptor }

    /// A whole message has come.
    func understand(_ message: [UInt8]) {}

    private static let pong: [UInt8] = [0x8A, 0x80, 0, 0, 0, 0]

    /// Reads what has come, of which there must be some, and every whole message in it.
    func read() throws {
        guard wire.receive() else { throw BenchError("the backend has closed a page's connection") }
        while let (opcode, payload) = wire.receivedFrame() {
            // A ping is answered with a mask of zeros (RFC 6455 5.5.3); the server's have no content.
            if opcode == 9 { _ = wire.send(Self.pong) }
            if opcode == 1 { understand(payload) }
        }
    }

    /// Waits at most this long, and reads what has come to any of them; false if nothing has.
    @discardableResult
    static func read(_ pages: [PageConnection], within timeoutMs: Int32) throws -> Bool {
        var polled = pages.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), timeoutMs) > 0 else { return false }
        for (page, one) in zip(pages, polled) where one.revents != 0 { try page.read() }
        return true
    }
}

/// The page of a place on a phone, and when its place was called.
final class PhoneConnection: PageConnection {
    /// When the message came that the place is called; nil before that.
    private(set) var called: Int64?

    private static let mark = Array(#""state":"called""#.utf8)

    init(_ capability: Capability, port: UInt16) throws {
        let authority = "127.0.0.1:\(port)"
        let session = WireRequest(
            PublicCall.sessions, "{\"capability\":\"\(capability.rawValue)\"}".utf8, to: authority)
        let updates = WireRequest(PublicCall.updates, [UInt8](), to: authority)
        try super.init(session: session, updates: updates, port: port)
    }

    override func understand(_ message: [UInt8]) {
        if called == nil, message.firstRange(of: Self.mark) != nil { called = Clock.monotonic }
    }
}

/// The page of a display, of staff members or of a desk, and the newest number that it received.
final class DisplayConnection: PageConnection {
    private static let answerTimeoutMs: Int32 = 10_000

    /// The number called last according to the last whole message; 0 before the first one.
    private(set) var newest = 0
    /// The calls for help and the orders that were shown, by their identifiers, and when each was shown first.
    private(set) var shown: [String: Int64] = [:]
    /// Bytes of the last whole message.
    private(set) var messageBytes = 0

    /// - Parameter key: one of the allow list.
    init(_ shop: BenchShop, key: SigningKey) throws {
        try super.init(
            session: WireRequest(.sessions, to: shop.authority)
                .signed(by: RequestSigner(key: key)),
            updates: WireRequest(.turns, to: shop.authority), port: shop.port)
    }

    /// The times until each of these pages shows a call for help or an order, from a moment on.
    static func times<Subject>(
        until id: Identifier<Subject>, isShownAt pages: [DisplayConnection], since start: Int64
    ) throws -> [Int64] {
        while true {
            let times = pages.compactMap { $0.shown[id.rawValue] }
            if times.count == pages.count { return times.map { $0 - start } }
            guard try read(pages, within: answerTimeoutMs) else {
                throw BenchError("a message did not come in time")
            }
        }
    }

    override func understand(_ message: [UInt8]) {
        let isOfStaff = ["help", "desk"].contains {
            message.firstRange(of: Array(#""type":"\#($0)""#.utf8)) != nil
        }
        if isOfStaff {
            let now = Clock.monotonic
            var rest = message[...]
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
