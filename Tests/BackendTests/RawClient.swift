import BackendAPI
import Glibc
import HTTPServer
import TestSupport

/// A connection that sends exactly the given bytes, for requests that no ordinary client would send.
final class RawClient {
    private var wire: LoopbackWire
    private var descriptor: Int32 { wire.descriptor }

    struct Failure: Error { let operation: String }

    /// Connects to a server of this machine; reads end after `timeout` seconds: a busy computer may need long for an
    /// answer that waits for a disk, or for a task beside those of the tests.
    init(
        _ address: ListenAddress, timeout: Int = Int(longTimeout.components.seconds),
        receiveBuffer: Int32? = nil
    ) throws {
        switch address {
        case .tcp(let host, let port):
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            wire = LoopbackWire(descriptor)
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = port.bigEndian
            inet_pton(AF_INET, host, &name.sin_addr)
            if var receiveBuffer {
                setsockopt(
                    descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer,
                    socklen_t(MemoryLayout<Int32>.size))
            }
            let status = withUnsafePointer(to: &name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard status == 0 else { throw Failure(operation: "connect") }
        case .unix(let path):
            do {
                wire = LoopbackWire(try UnixStream.connected(to: path))
            } catch {
                throw Failure(operation: "\(error)")
            }
        }
        wire.giveUp(afterMilliseconds: timeout * 1_000)
    }

    deinit { wire.end() }

    /// Sends all the bytes; false if the server closed the connection before the end.
    @discardableResult
    func send(_ bytes: some Sequence<UInt8>) -> Bool { wire.send(bytes) }

    @discardableResult
    func send(_ text: String) -> Bool { send(text.utf8) }

    /// Sends a request as an ordinary client does.
    @discardableResult
    func send(_ request: WireRequest) -> Bool { send(request.bytes) }

    /// Reads one whole answer; nil if the connection ended without one.
    func response() -> WireResponse? {
        while let message = wire.read() {
            guard let status = message.status else { return nil }
            // 100 only says that the body is awaited.
            if status == 100 { continue }
            return WireResponse(status: status, fields: message.fields, body: message.body)
        }
        return nil
    }

    /// All bytes that come until the server ends the connection.
    func everything() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    /// The next frame of a WebSocket; nil if the connection ended before.
    func frame() -> (opcode: UInt8, payload: [UInt8])? { wire.frame() }

    /// Whether the server closes the connection within the timeout without sending more.
    func isClosed() -> Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, 0)
        return count == 0 || (count < 0 && errno == ECONNRESET)
    }

    /// Whether the server has closed the connection already, checked as a careful client does before it sends.
    var hasEnded: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN)
    }

    func call(_ request: WireRequest) -> WireResponse? {
        send(request) ? response() : nil
    }

    func get(_ path: String = "/", as authority: String = "localhost") -> WireResponse? {
        call(WireRequest(method: "GET", authority: authority, path: path))
    }
}
