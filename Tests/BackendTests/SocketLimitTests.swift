import HTTPServer
import Reservations
import Testing

@Suite("Limits of the sockets of displays and readers")
struct SocketLimitTests {
    private static let pings = Array(
        repeating: SocketClient.frame(9, [UInt8](repeating: 7, count: 125)), count: 100
    ).flatMap(\.self)

    @Test(
        "More frames than a page ever sends end the socket with 1008, of whatever kind they are",
        arguments: [
            SocketClient.frame(9, []), SocketClient.frame(10, []), SocketClient.frame(1, [65]),
            SocketClient.frame(1, [], isFinal: false),
        ])
    func frames(frame: [UInt8]) throws {
        let backend = try TestBackend()
        let socket = try SocketClient(backend.enrol("screen", role: .display))
        // A message in parts goes on with continuation frames.
        let more = frame[0] == 1 ? SocketClient.frame(0, [], isFinal: false) : frame
        socket.raw.send(frame + Array(repeating: more, count: 99).flatMap(\.self))
        var pongs = 0
        var code: Int?
        while code == nil, let next = socket.next() {
            if next.opcode == 10 { pongs += 1 }
            code = next.code
        }
        #expect(code == 1008)
        #expect(pongs <= HTTPLimits().socketFrames)
    }

    @Test("A client that sends pings and reads no answers is dropped, and another socket goes on")
    func unreadPings() throws {
        var limits = HTTPLimits()
        // A high limit of frames, so that the limit of waiting bytes is the one that ends the socket.
        limits.socketFrames = 1_000_000
        limits.socketBuffer = 4_096
        let backend = try TestBackend(limits: limits)
        let machine = try backend.enrol()
        let display = try backend.enrol("screen", role: .display)
        let other = try SocketClient(display)
        let socket = try SocketClient(display, receiveBuffer: 4_096)
        var sent = 0
        while sent < 1_000, socket.raw.send(Self.pings) { sent += 1 }
        var pongs = 0
        while let next = socket.next() { if next.opcode == 10 { pongs += 1 } }
        #expect(pongs < 2_000, "of a hundred thousand, those that were buffered")
        let reservation = try machine.reservation()
        _ = try other.turns { $0.called.first?.number == reservation.number }
    }

    @Test("A key has four sockets: the newest replaces the oldest, which gets a code for its page")
    func ofOneKey() throws {
        let backend = try TestBackend()
        let machine = try backend.enrol()
        let display = try backend.enrol("screen", role: .display)
        let neighbour = try SocketClient(backend.enrol("other", role: .display))
        let sockets = try (0..<6).map { _ in
            let socket = try SocketClient(display)
            _ = try socket.turns()
            return socket
        }
        for former in sockets.prefix(2) { #expect(former.closed() == 4000) }
        let reservation = try machine.reservation()
        for socket in sockets.dropFirst(2) + [neighbour] {
            _ = try socket.turns { $0.called.first?.number == reservation.number }
        }
    }

    @Test("A shop has its share: one more is refused, one of a key replaced, another shop served")
    func ofOneShop() throws {
        let backend = try TestBackend(maxSocketsPerShop: 6)
        let second = ShopID("shop-2")
        try backend.addShop(second, "ROM2", "Due")
        let keys = try (0..<3).map { try backend.enrol("screen-\($0)", role: .display) }
        var open = try (0..<4).map { _ in try SocketClient(keys[0]) }
        open += try (0..<2).map { _ in try SocketClient(keys[1]) }
        for socket in open { _ = try socket.turns() }
        let refused = try SocketClient.handshake(keys[2], ticket: keys[2].ticket())
        #expect(refused?.problem == .unavailable && refused?.fields["retry-after"] != nil)
        _ = try SocketClient(keys[0]).turns()
        #expect(open[0].closed() == 4000)
        let elsewhere = try backend.enrol("screen", role: .display, of: second)
        #expect(try SocketClient(elsewhere).turns().shopName == "Due")
    }

    @Test("A device that asks again and again for tickets of sockets must wait")
    func sessions() throws {
        let backend = try TestBackend([.sessions: .only(3)])
        let display = try backend.enrol("screen", role: .display)
        for _ in 0..<3 { #expect(try display.call(.sessions).status == 201) }
        let refused = try display.call(.sessions)
        #expect(refused.problem == .tooManyRequests && refused.fields["retry-after"] != nil)
        #expect(try backend.enrol("other", role: .display).call(.sessions).status == 201)
    }
}
