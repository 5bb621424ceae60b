import Foundation
import Glibc

/// A connection's bytes, read as HTTP/1.1 messages; owned by one thread.
public struct LoopbackWire {
    public let descriptor: Int32
    private var buffer: [UInt8] = []

    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    public struct Message: Sendable {
        /// The whole message, as it was received.
        public var bytes: [UInt8]
        /// Request line or status line.
        public var start: String
        /// Values by name in lower case.
        public var fields: [String: String]
        public var body: [UInt8]

        /// The status of an answer.
        public var status: Int? {
            start.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        }
    }

    /// The next message; nil when the connection ends before it does.
    ///
    /// A body is as long as Content-Length says, since neither side of this contract sends chunks.
    public mutating func read() -> Message? {
        while true {
            if let end = Self.headEnd(buffer) {
                let lines = String(decoding: buffer[..<end], as: UTF8.self)
                    .split(separator: "\r\n").map(String.init)
                var fields: [String: String] = [:]
                for line in lines.dropFirst() {
                    guard let colon = line.firstIndex(of: ":") else { continue }
                    let value = line[line.index(after: colon)...].drop { $0 == " " }
                    fields[line[..<colon].lowercased()] = String(value)
                }
                let length = end + (fields["content-length"].flatMap { Int($0) } ?? 0)
                while buffer.count < length { guard receive() else { return nil } }
                defer { buffer.removeFirst(length) }
                return Message(
                    bytes: Array(buffer[..<length]), start: lines.first ?? "", fields: fields,
                    body: Array(buffer[end..<length]))
            }
            guard receive() else { return nil }
        }
    }

    /// Sends all of it; false when the other side is gone.
    public func send(_ bytes: some Sequence<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The other side has shut down its writing (poll(2)); Glibc's module leaves the macro out.
    private static let hungUp: Int16 = 0x2000

    /// Waits at most this long, and returns whether the other side has hung up.
    func isGone(within limit: Duration) -> Bool {
        var poll = pollfd(fd: descriptor, events: Self.hungUp, revents: 0)
        let milliseconds = limit.components.attoseconds / 1_000_000_000_000_000
        return Glibc.poll(&poll, 1, Int32(limit.components.seconds * 1_000 + milliseconds)) > 0
    }

    /// Makes the next close(2) a reset.
    func resetWhenClosed() {
        Self.set(SO_LINGER, linger(l_onoff: 1, l_linger: 0), of: descriptor)
    }

    /// Sets an option of a socket (setsockopt(2)).
    private static func set(_ option: Int32, _ value: some Any, of descriptor: Int32) {
        withUnsafeBytes(of: value) {
            _ = setsockopt(descriptor, SOL_SOCKET, option, $0.baseAddress, socklen_t($0.count))
        }
    }

    /// Receives what has come, and waits until something has; false when the connection ends.
    public mutating func receive() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        buffer.append(contentsOf: bytes.prefix(count))
        return true
    }

    /// Where a message's body begins; nil while the empty line is not there.
    static func headEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 3..<bytes.count
        where bytes[index] == 10 && bytes[index - 1] == 13 && bytes[index - 2] == 10
            && bytes[index - 3] == 13
        {
            return index + 1
        }
        return nil
    }

    // MARK: Sockets of the loopback

    /// A socket of 127.0.0.1 at this port, or at a free one for 0; it does not listen yet.
    public static func bound(to port: UInt16) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // A port can be used again while earlier connections are ending. A free port must not be
        // another program's that does not listen, which the option would allow.
        if port != 0 { set(SO_REUSEADDR, CInt(1), of: descriptor) }
        var address = loopback(port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw TestSupportError("no socket at port \(port): \(String(cString: strerror(errno)))")
        }
        set(SO_REUSEADDR, CInt(1), of: descriptor)
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Exactly this many bytes; nil if the connection ends before.
    public mutating func bytes(_ count: Int) -> [UInt8]? {
        while buffer.count < count { guard receive() else { return nil } }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    /// The next frame of a WebSocket; nil when the connection ends.
    public mutating func frame() -> (opcode: UInt8, payload: [UInt8])? {
        while true {
            if let frame = receivedFrame() { return frame }
            guard receive() else { return nil }
        }
    }

    /// The next frame of a WebSocket, which the server does not mask (RFC 6455 5.2), if all of it was received.
    public mutating func receivedFrame() -> (opcode: UInt8, payload: [UInt8])? {
        guard buffer.count >= 2 else { return nil }
        var length = Int(buffer[1] & 127)
        let head = length < 126 ? 2 : length == 126 ? 4 : 10
        guard buffer.count >= head else { return nil }
        if head > 2 { length = buffer[2..<head].reduce(0) { $0 << 8 | Int($1) } }
        guard buffer.count >= head + length else { return nil }
        defer { buffer.removeFirst(head + length) }
        return (buffer[0] & 15, Array(buffer[head..<(head + length)]))
    }

    /// Makes reads fail after a silence of this many milliseconds.
    public func giveUp(afterMilliseconds limit: Int) {
        let time = timeval(tv_sec: limit / 1_000, tv_usec: limit % 1_000 * 1_000)
        Self.set(SO_RCVTIMEO, time, of: descriptor)
    }

    public func end() { close(descriptor) }

    /// A connection to a port of 127.0.0.1; nil if no program listens.
    public static func connected(to port: UInt16) -> LoopbackWire? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard connect(descriptor, to: port) == 0 else {
            close(descriptor)
            return nil
        }
        return LoopbackWire(descriptor)
    }

    /// Whether a program accepts connections at a port of 127.0.0.1.
    public static func isListening(on port: UInt16) -> Bool {
        guard let wire = connected(to: port) else { return false }
        wire.end()
        return true
    }

    /// A line of /proc/net/tcp (proc(5)): ports, and the number of the state, such as 0A for a socket that listens.
    struct Socket {
        let own: UInt16
        let other: UInt16
        let isListening: Bool
        let isConnected: Bool
    }

    /// All TCP sockets of IPv4, without a connection to any of them, which a program might take for its customer's.
    static func sockets() throws -> [Socket] {
        // Such a file has no size, and is read to its end.
        let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd()
        return String(decoding: table ?? Data(), as: UTF8.self).split(separator: "\n")
            .dropFirst().compactMap { line in
                let words = line.split(separator: " ")
                let ports = words.dropFirst().prefix(2).compactMap {
                    UInt16($0.suffix(4), radix: 16)
                }
                guard words.count > 3, ports.count == 2 else { return nil }
                return Socket(
                    own: ports[0], other: ports[1], isListening: words[3] == "0A",
                    isConnected: words[3] == "01")
            }
    }

    /// connect(2) to a port of the loopback.
    static func connect(_ descriptor: Int32, to port: UInt16) -> Int32 {
        var address = loopback(port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
