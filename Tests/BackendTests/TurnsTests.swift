import BackendAPI
import Cryptography
import Foundation
import HTTPServer
import Reservations
import Testing

@Suite("The feed of called numbers")
final class TurnsTests: OpenShop {
    private let display: TestMachine

    override init() throws {
        let backend = try TestBackend()
        display = try backend.enrol("screen", role: .display)
        super.init((backend, try backend.enrol()))
    }

    private func handshake(
        _ ticket: String, _ change: (inout WireRequest) -> Void = { _ in }
    ) throws -> WireResponse? {
        try SocketClient.handshake(display, ticket: ticket, change)
    }

    @Test("A snapshot comes when the feed opens, and another one after each call")
    func calls() throws {
        let socket = try SocketClient(display)
        let first = try socket.turns()
        #expect(first.called.isEmpty && first.open && first.shopName == "Città")
        #expect(first.languages == ["it", "en"] && first.wait != nil)
        var sequence = first.sequence
        for _ in 0..<4 {
            let reservation = try machine.reservation()
            let message = try socket.turns { $0.called.first?.number == reservation.number }
            #expect(message.called.first?.enterBy == reservation.enterBy)
            #expect(message.sequence > sequence)
            sequence = message.sequence
        }
        let fifth = try machine.reservation()
        let message = try socket.turns { $0.next.first?.number == fifth.number }
        #expect(message.waiting == 1 && message.next.first?.wait != nil)
        #expect(message.called.map(\.number.rawValue) == [4, 3, 2, 1], "newest first")
    }

    @Test("Sequence numbers never go back, not even over a restart")
    func restart() throws {
        let before = try SocketClient(display).turns().sequence
        backend.time.advance(by: .seconds(1))
        try backend.restart()
        try display.waitUntil { $0.status == 200 }
        #expect(try SocketClient(display).turns().sequence > before)
    }

    @Test("A ticket that was not used within half a minute opens nothing (rules: sockets)")
    func oldTicket() throws {
        for (seconds, status) in [(29, 101), (30, 401)] {
            let ticket = try display.ticket()
            backend.time.advance(by: .seconds(seconds))
            #expect(try handshake(ticket)?.status == status)
        }
    }

    @Test("A ticket opens no second socket even after old nonces were pruned")
    func clearedTicket() throws {
        let ticket = try display.ticket()
        _ = try SocketClient(display, ticket: ticket).turns()
        for _ in 0..<2 {
            backend.time.advance(by: .seconds(12))
            // Each command prunes old nonces.
            _ = try machine.reservation()
        }
        #expect(try handshake(ticket)?.problem == .notAuthentic)
    }

    @Test("A ticket opens one socket, once; one that this backend did not make opens nothing")
    func tickets() throws {
        let ticket = try display.ticket()
        let parts = ticket.split(separator: ".")
        try #require(parts.count == 4)
        let signer = AnswerSigner(key: try SigningKey.generate())
        let later = try #require(Int64(parts[2])) + 1_000
        let forged = [
            "\(parts[0]).\(parts[1]).\(later).\(parts[3])",
            "\(parts[0]).another.\(parts[2]).\(parts[3])",
            signer.authenticated(parts.dropLast().joined(separator: ".")), "\(ticket)A",
            ticket.replacing(".", with: "%2E"), String(repeating: "a.", count: 1_000), "", "x",
            String(repeating: "A", count: 43),
        ]
        for wrong in forged {
            #expect(try handshake(wrong)?.problem == .notAuthentic, "\(wrong)")
        }
        _ = try SocketClient(display, ticket: ticket).turns()
        #expect(try handshake(ticket)?.problem == .notAuthentic)
        #expect(try machine.call(.sessions).problem == .forbidden)
        let plain = try display.send(display.request(.turns))
        #expect(plain.problem == .upgradeRequired)
    }

    @Test("A handshake that violates RFC 6455 is refused, and uses up no ticket")
    func handshakes() throws {
        let ticket = try display.ticket()
        func status(_ change: (inout WireRequest) -> Void) throws -> Int? {
            try handshake(ticket, change)?.status
        }
        #expect(try status { $0.fields["sec-websocket-version"] = "8" } == 426)
        #expect(try status { $0.fields["connection"] = "keep-alive" } == 400)
        #expect(try status { $0.fields["sec-websocket-key"] = "short" } == 400)
        #expect(try status { $0.fields["origin"] = "http://elsewhere.example" } == 403)
        #expect(try status { $0.fields["origin"] = "http://\($0.authority)" } == 101)
    }

    @Test("A revoked key's socket is closed within five seconds")
    func revoked() throws {
        let socket = try SocketClient(display)
        _ = try socket.turns()
        try backend.revoke(display)
        #expect(socket.closed() == 1008)
    }

    private static func text(_ count: Int = 1, opcode: UInt8 = 1, isFinal: Bool = true) -> [UInt8] {
        SocketClient.frame(opcode, Array(repeating: 65, count: count), isFinal: isFinal)
    }

    private static func close(_ payload: UInt8...) -> [UInt8] { SocketClient.frame(8, payload) }

    static let violations: [(name: String, bytes: [UInt8], code: Int)] = [
        ("a reserved bit", SocketClient.frame(1, [65], reserved: 4), 1002),
        ("an unknown opcode", text(opcode: 3), 1002),
        ("no mask", SocketClient.frame(1, [65], isMasked: false), 1002),
        ("a fragmented ping", text(0, opcode: 9, isFinal: false), 1002),
        ("a long ping", text(126, opcode: 9), 1002),
        ("a continuation of nothing", text(opcode: 0), 1002),
        ("a message within a message", text(isFinal: false) + text(), 1002),
        ("binary", SocketClient.frame(2, [1, 2]), 1003),
        ("no UTF-8", SocketClient.frame(1, [0xC3, 0x28]), 1007),
        ("an oversized message", text(5_000), 1009),
        (
            "a message that grows without end",
            text(3_000, isFinal: false) + text(3_000, opcode: 0, isFinal: false), 1009
        ),
        (
            "an announcement of nine exabytes",
            [0x81, 0xFF, 0x7F] + Array(repeating: 0xFF, count: 7) + [1, 2, 3, 4, 5], 1009
        ),
        ("a close frame with half a code", close(0x03), 1002),
        ("a close frame with a code that must not be sent", close(0x03, 0xED), 1002),
        ("a close frame with a reason that is no UTF-8", close(0x03, 0xE8, 0xC3, 0x28), 1007),
        ("an ordinary close frame", close(0x03, 0xE8), 1000),
    ]

    @Test("A violation of RFC 6455 ends the socket with its code", arguments: violations)
    func violation(name: String, bytes: [UInt8], code: Int) throws {
        let socket = try SocketClient(display)
        let other = try SocketClient(display)
        socket.raw.send(bytes)
        #expect(socket.closed() == code && socket.raw.isClosed(), "\(name)")
        let reservation = try machine.reservation()
        _ = try other.turns { $0.called.first?.number == reservation.number }
    }

    @Test("Fragments with a ping between them are a message; the ping is answered")
    func fragments() throws {
        let socket = try SocketClient(display)
        for byte in SocketClient.frame(1, [65], isFinal: false)
            + SocketClient.frame(9, Array("here?".utf8)) + SocketClient.frame(0, [66])
        {
            socket.raw.send([byte])
        }
        while let frame = socket.next() {
            guard frame.opcode == 10 else {
                try #require(frame.opcode == 1, "only the feed: \(frame)")
                continue
            }
            #expect(frame.payload == Array("here?".utf8))
            return
        }
        Issue.record("no answer")
    }

    @Test("A client that reads nothing is dropped, and other clients do not notice")
    func slow() throws {
        var limits = HTTPLimits()
        limits.socketBuffer = 4_096
        limits.socketBacklog = 16_384
        let backend = try TestBackend(limits: limits)
        let machine = try backend.enrol()
        let display = try backend.enrol("screen", role: .display)
        let slow = try SocketClient(display, receiveBuffer: 4_096)
        let other = try SocketClient(display)
        for _ in 0..<12 { _ = try machine.reservation() }
        // The slow client reads nothing, while the queue goes on: about 2 kB with each change.
        for _ in 0..<80 {
            _ = try machine.hold()
            _ = try other.turns()
        }
        var received = 0
        while let frame = slow.next() { received += frame.payload.count }
        #expect(received < 80_000, "the buffered data is bounded")
        let last = try machine.reservation()
        _ = try other.turns { $0.waiting == last.number.rawValue - 4 }
    }

    @Test("A client that answers no ping is dropped")
    func silent() throws {
        var limits = HTTPLimits()
        limits.ping = .milliseconds(700)
        let backend = try TestBackend(limits: limits)
        let display = try backend.enrol("screen", role: .display)
        let socket = try SocketClient(display)
        var pings = 0
        while let frame = socket.next() { if frame.opcode == 9 { pings += 1 } }
        #expect(pings >= 1)
    }
}
