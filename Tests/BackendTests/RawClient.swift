import BackendAPI
import Glibc
import HTTPServer

/// A connection that sends exactly the bytes it is told, for what no decent client would send.
final class RawClient {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    struct Failure: Error { let operation: String }

    /// Connects to a server of this machine; reads give up after `patience` seconds.
    init(
        _ address: ListenAddress, patience: Int = 20, receiveBuffer: Int32? = nil
    ) throws {
        switch address {
        case .tcp(let host, let port):
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = port.bigEndian
            inet_pton(AF_INET, host, &name.sin_addr)
            if var receiveBuffer {
                setsockopt(
                    descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer,
                    socklen_t(MemoryLayout<Int32>.size))
            }
            try Self.connect(descriptor, &name)
        case .unix(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
            try Self.connect(descriptor, &name)
        }
        var time = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    private static func connect<Name>(_ descriptor: Int32, _ name: inout Name) throws {
        let status = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Name>.size))
            }
        }
        guard status == 0 else { throw Failure(operation: "connect") }
    }

    /// Sends all of it; false when the server hung up before the end.
    @discardableResult
    func send(_ bytes: some Sequence<UInt8>) -> Bool {
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

    @discardableResult
    func send(_ text: String) -> Bool { send(text.utf8) }

    /// Sends a request as an ordinary client does.
    @discardableResult
    func send(_ request: WireRequest) -> Bool {
        var head = "\(request.method) \(request.path)"
        if !request.query.isEmpty { head += "?\(request.query)" }
        head += " HTTP/1.1\r\nhost: \(request.authority)\r\n"
        for (name, value) in request.fields { head += "\(name): \(value)\r\n" }
        if !request.body.isEmpty || request.method == "POST" {
            head += "content-length: \(request.body.count)\r\n"
        }
        return send(Array((head + "\r\n").utf8) + request.body)
    }

    /// Reads one whole answer; nil when the connection ended without one.
    func response() -> WireResponse? {
        while true {
            if let end = headEnd {
                let head = String(decoding: buffer[..<end], as: UTF8.self)
                let lines = head.split(separator: "\r\n")
                let words = lines.first?.split(separator: " ") ?? []
                guard words.count > 1, let status = Int(words[1]) else { return nil }
                var fields: [String: String] = [:]
                for line in lines.dropFirst() {
                    guard let colon = line.firstIndex(of: ":") else { return nil }
                    let value = line[line.index(after: colon)...].drop { $0 == " " }
                    fields[line[..<colon].lowercased()] = String(value)
                }
                if status == 100 {
                    buffer.removeFirst(end + 4)
                    continue
                }
                let length = fields["content-length"].flatMap { Int($0) } ?? 0
                while buffer.count < end + 4 + length { guard read() else { return nil } }
                let body = Array(buffer[(end + 4)..<(end + 4 + length)])
                buffer.removeFirst(end + 4 + length)
                return WireResponse(status: status, fields: fields, body: body)
            }
            guard read() else { return nil }
        }
    }

    /// Reads exactly so many bytes; nil when the connection ended before.
    func bytes(_ count: Int) -> [UInt8]? {
        while buffer.count < count { guard read() else { return nil } }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    /// Whether the server closes the connection, sending no more, before patience ends.
    func isClosed() -> Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, 0)
        return count == 0 || (count < 0 && errno == ECONNRESET)
    }

    /// Whether the server has closed the connection already, as a careful client looks before it sends.
    var hasEnded: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN)
    }

    func call(_ request: WireRequest) -> WireResponse? {
        send(request) ? response() : nil
    }

    private var headEnd: Int? {
        guard buffer.count >= 4 else { return nil }
        return (0...(buffer.count - 4)).first {
            buffer[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10])
        }
    }

    private func read() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        buffer.append(contentsOf: bytes.prefix(count))
        return true
    }
}
