import BackendAPI
import Cryptography
import FoundationEssentials
import Glibc
import Reservations
import TestSupport

/// What a simulated machine asks for, again and again.
enum MachineWork {
    /// A signed hold and its signed confirmation.
    case tickets
    /// A signed GET of the queue.
    case queue
    /// A signed report of the machine's status that says what the last one said.
    case status
}

/// One simulated machine on its keep-alive connection.
///
/// It uses raw HTTP/1.1, since the load shares the cores with the program that is measured.
final class MachineConnection {
    private enum Step {
        case holding
        case confirming(id: String)
        /// Waits for the answer to a call that takes no ticket.
        case polling
        case resting
    }

    let descriptor: Int32
    private let signer: RequestSigner
    private let authority: String
    private let name: String
    private var step = Step.resting
    private var keys = 0
    private var started: Int64 = 0
    private var buffer = [UInt8](repeating: 0, count: 16_384)
    private var filled = 0
    private static let holdBody = Array(#"{"kind":"ticket"}"#.utf8)
    /// A machine in order, with two printers and nothing to report.
    private static let statusBody: [UInt8] = {
        let printers = ["receipt", "spare"].map {
            PrinterStatus(name: $0, trouble: nil, paperLow: false)
        }
        let condition = MachineCondition(
            version: "0.3.0", outOfService: nil, printers: printers, reader: true, clockOffset: 0,
            diskFree: 63, fingerprint: "3F:A2:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:9C",
            keyDays: 12, unknownPapers: 0)
        let report = MachineStatusReport(condition: condition, memory: "0123456789abcdef")
        // A report consists of texts and numbers, which can always be encoded.
        return (try? JSONEncoder().encode(report)).map(Array.init) ?? []
    }()

    /// The size of the bodies of the last answers, for the comparison with SQLite alone.
    private(set) var holdBytes = 0
    private(set) var confirmationBytes = 0

    init(_ shop: BenchShop, name: String, key: SigningKey) throws {
        signer = RequestSigner(key: key)
        authority = shop.authority
        self.name = name
        guard let wire = LoopbackWire.connected(to: shop.port) else {
            throw BenchError.system("connect to \(shop.url)")
        }
        descriptor = wire.descriptor
        var on: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on,
            socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Whether an answer is awaited.
    var isBusy: Bool {
        if case .resting = step { return false }
        return true
    }

    func takeTicket() throws { try begin(.tickets) }

    func begin(_ work: MachineWork) throws {
        started = Clock.monotonic
        switch work {
        case .tickets:
            step = .holding
            try send(.holds, Self.holdBody)
        case .queue:
            step = .polling
            try send(.queue, [])
        case .status:
            step = .polling
            try send(.machineStatus, Self.statusBody)
        }
    }

    /// Reads the available bytes; returns the duration, and the ticket if one was taken, once the work is complete.
    func received() throws -> (ticket: TicketNumber?, nanoseconds: Int64)? {
        let count = buffer.withUnsafeMutableBytes {
            recv(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled, 0)
        }
        guard count > 0 else { throw BenchError("the backend has closed a connection") }
        filled += count
        guard let body = try wholeBody() else { return nil }
        filled = 0
        switch step {
        case .resting: throw BenchError("an answer came to no request")
        case .polling:
            step = .resting
            return (nil, Clock.monotonic - started)
        case .holding:
            holdBytes = body.count
            let id = try text(after: #""id":""#, in: body)
            step = .confirming(id: id)
            try send(.holdConfirmation(ReservationID(id)), [])
            return nil
        case .confirming(let id):
            confirmationBytes = body.count
            let took = Clock.monotonic - started
            step = .resting
            guard let number = Int(try text(after: #""number":"#, in: body)) else {
                throw BenchError("a confirmation has no number")
            }
            return (TicketNumber(id: id, number: number), took)
        }
    }

    private func send(_ route: Route, _ body: [UInt8]) throws {
        keys += 1
        let bytes = WireRequest(route, body, to: authority, key: "\(name)-\(keys)")
            .signed(by: signer).bytes
        guard
            Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        else { throw BenchError.system("send") }
    }

    /// The answer's body once it is whole; throws if the status is none of success.
    private func wholeBody() throws -> ArraySlice<UInt8>? {
        let bytes = buffer[..<filled]
        guard let end = Self.find(Array("\r\n\r\n".utf8), in: bytes) else { return nil }
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        let length = head.lowercased().split(separator: "\r\n")
            .first { $0.hasPrefix("content-length:") }?
            .split(separator: " ").last.flatMap { Int($0) }
        guard let length, end + 4 + length <= buffer.count else {
            throw BenchError("an answer has no length: \(head)")
        }
        guard filled >= end + 4 + length else { return nil }
        let body = bytes[(end + 4)..<(end + 4 + length)]
        guard head.hasPrefix("HTTP/1.1 20") else {
            throw BenchError(
                "the backend refused a call: \(head.prefix { $0 != "\r\n" }) "
                    + String(decoding: body, as: UTF8.self))
        }
        return body
    }

    /// The characters of a JSON value, up to its end.
    private func text(after key: String, in body: ArraySlice<UInt8>) throws -> String {
        let key = Array(key.utf8)
        guard let place = Self.find(key, in: body) else {
            throw BenchError("an answer has no \(String(decoding: key, as: UTF8.self))")
        }
        let value = body[(place + key.count)...].prefix { ![0x22, 0x2C, 0x7D].contains($0) }
        return String(decoding: value, as: UTF8.self)
    }

    private static func find(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return bytes.withUnsafeBufferPointer { buffer in
            let last = buffer.count - pattern.count
            var place = 0
            while place <= last {
                var index = 0
                while index < pattern.count, buffer[place + index] == pattern[index] { index += 1 }
                if index == pattern.count { return place + bytes.startIndex }
                place += 1
            }
            return nil
        }
    }
}
