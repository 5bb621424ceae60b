import BackendAPI
import Foundation
import Reservations
import Testing

/// A WebSocket whose frames the test builds itself, so that it can send wrong ones (RFC 6455 5.2).
final class SocketClient {
    struct Frame: Equatable {
        var opcode: UInt8
        var payload: [UInt8]
        /// The status code of a close frame.
        var code: Int? {
            opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
        }
    }

    let raw: RawClient
    /// The messages that have come so far.
    private(set) var texts: [String] = []

    /// Opens it with a ticket, or with the given changes of the request.
    init(
        _ machine: TestMachine, ticket: String? = nil, receiveBuffer: Int32? = nil,
        timeout: Int = 20
    ) throws {
        raw = try RawClient(
            machine.backend.address, timeout: timeout, receiveBuffer: receiveBuffer)
        let answer = try Self.handshake(machine, ticket: ticket ?? machine.ticket(), on: raw)
        guard answer?.status == 101 else {
            throw RawClient.Failure(operation: "no WebSocket: \(answer?.status ?? 0)")
        }
        // The key and the answer are the example of RFC 6455 1.3.
        #expect(answer?.fields["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    /// Continues with a connection that is a WebSocket already.
    init(upgraded raw: RawClient) { self.raw = raw }

    static func handshake(
        _ machine: TestMachine, ticket: String, on raw: RawClient? = nil,
        _ change: (inout WireRequest) -> Void = { _ in }
    ) throws -> WireResponse? {
        var request = machine.request(.turns)
        upgrade(&request, ticket: ticket)
        change(&request)
        return try (raw ?? RawClient(machine.backend.address)).call(request)
    }

    /// Turns the request into one for a WebSocket.
    static func upgrade(_ request: inout WireRequest, ticket: String) {
        request.query = "ticket=\(ticket)"
        request.fields["upgrade"] = "websocket"
        request.fields["connection"] = "Upgrade"
        request.fields["sec-websocket-version"] = "13"
        request.fields["sec-websocket-key"] = "dGhlIHNhbXBsZSBub25jZQ=="
    }

    /// The bytes of a frame; masked by default.
    static func frame(
        _ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, reserved: UInt8 = 0,
        isMasked: Bool = true
    ) -> [UInt8] {
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        let flag: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case ..<126: bytes.append(flag | UInt8(payload.count))
        case ..<65_536:
            bytes += [flag | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default:
            bytes.append(flag | 127)
            bytes += (0..<8).reversed().map { UInt8(payload.count >> ($0 * 8) & 255) }
        }
        guard isMasked else { return bytes + payload }
        let mask: [UInt8] = [1, 2, 3, 4]
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    /// The next frame from the server; nil if the connection ends.
    func next() -> Frame? {
        let frame = raw.frame().map { Frame(opcode: $0.opcode, payload: $0.payload) }
        if let frame, frame.opcode == 1 {
            texts.append(String(decoding: frame.payload, as: UTF8.self))
        }
        return frame
    }

    /// The next message of its kind that meets the condition.
    private func message<Message: Decodable>(_ isWanted: (Message) -> Bool) throws -> Message {
        while let frame = next() {
            guard frame.opcode == 1,
                let message = try? JSONDecoder().decode(Message.self, from: Data(frame.payload)),
                isWanted(message)
            else { continue }
            return message
        }
        throw RawClient.Failure(operation: "the socket ended without the message")
    }

    /// The next message of the feed that meets the condition.
    func turns(where isWanted: (TurnsMessage) -> Bool = { _ in true }) throws -> TurnsMessage {
        try message(isWanted)
    }

    /// The next view of a place that meets the condition.
    func place(where isWanted: (FollowedPlace) -> Bool = { _ in true }) throws -> FollowedPlace {
        try message(isWanted)
    }

    /// The next message about calls for help that meets the condition.
    func help(_ isWanted: (HelpMessage) -> Bool = { _ in true }) throws -> HelpMessage {
        try message { $0.type == "help" && isWanted($0) }
    }

    /// The next message about the orders whose customers are here that meets the condition.
    func desk(_ isWanted: (DeskMessage) -> Bool = { _ in true }) throws -> DeskMessage {
        try message { $0.type == "desk" && isWanted($0) }
    }

    /// The next door that opened.
    func door() throws -> DoorMessage { try message { $0.type == "door" } }

    /// The status code with which the server closes; nil if it closes without one. Pings are answered, since a server
    /// drops a client that leaves three of them without an answer.
    func closed() -> Int? {
        while let frame = next() {
            if frame.opcode == 8 { return frame.code }
            if frame.opcode == 9 { raw.send(Self.frame(10, frame.payload)) }
        }
        return nil
    }
}
