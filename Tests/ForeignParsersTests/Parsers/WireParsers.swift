import BackendAPI
import CCups
import DescriptorWatch
import Dispatch
import FoundationEssentials
import Glibc
import KioskFlow
import KioskScreens
import Synchronization
import UnixSocket

@testable import CupsPrinter
@testable import HTTPServer

/// An IPP answer (RFC 8010), read through libcups like one from a printer.
enum PrinterAnswer {
    private final class Source {
        var rest: ArraySlice<UInt8>
        init(_ bytes: [UInt8]) { rest = bytes[...] }
    }

    static func read(_ bytes: [UInt8]) {
        guard let answer = ippNew() else { return }
        let message = IPPMessage(answer)
        let source = Source(bytes)
        let state = withExtendedLifetime(source) {
            ippReadIO(
                Unmanaged.passUnretained(source).toOpaque(),
                { context, buffer, count in
                    guard let context, let buffer else { return -1 }
                    let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
                    let piece = source.rest.prefix(count)
                    for (index, byte) in piece.enumerated() { buffer[index] = byte }
                    source.rest = source.rest.dropFirst(piece.count)
                    return piece.count
                }, 1, nil, answer)
        }
        guard state != IPP_STATE_ERROR else { return }
        let report = PrinterReport(message)
        _ = PrinterReasons(report.reasons)
        _ = JobReport(message)
        _ = message.jobStates()
        if let roll = QueueMedia.roll(of: message) { _ = roll.width }
        _ = message.isSuccess
    }
}

/// The bytes of a client to the HTTP server, over a socket: libmicrohttpd, and the refusals after it.
enum Requests {
    private static let seen = Mutex<[WireRequest]>([])
    private static let server: (server: HTTPServer, path: String)? = {
        let path = "/tmp/clup-fuzz-\(getpid()).socket"
        guard let address = ListenAddress("unix:\(path)") else { return nil }
        return try? (
            HTTPServer(listen: address) { request, respond in
                seen.withLock { $0.append(request) }
                respond(WireResponse(status: 204))
            }, path
        )
    }()

    static func read(_ bytes: [UInt8]) {
        guard let server,
            let descriptor = UnixSocketAddress(path: server.path)?.connect()
        else { fatalError("no server") }
        defer { close(descriptor) }
        Socket.send(bytes, to: descriptor)
        shutdown(descriptor, Int32(SHUT_WR))
        // MHD sometimes overlooks a half-closed connection until it checks for slow ones.
        _ = Socket.drain(descriptor, within: 50)
        let requests = seen.withLock { seen in
            defer { seen = [] }
            return seen
        }
        for request in requests {
            precondition(request.path.hasPrefix("/"))
            for (name, value) in request.fields {
                precondition(!name.utf8.contains { $0 <= 0x20 || $0 >= 0x7F })
                precondition(!value.utf8.contains { ($0 < 0x20 && $0 != 9) || $0 == 0x7F })
            }
            precondition(request.body.count <= HTTPLimits().body)
        }
    }
}

/// The bytes of a client on an open WebSocket.
enum Frames {
    private static let queue = DispatchQueue(label: "frames")
    private static let current = Mutex<WebSocket?>(nil)
    private static let watch: DescriptorSet = {
        let watch = DescriptorSet(queue: queue)
        watch.report { ready in current.withLock { $0 }?.isReady(ready) }
        return watch
    }()

    static func read(_ bytes: [UInt8]) {
        var pair: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else {
            fatalError("no sockets")
        }
        let released = DispatchSemaphore(value: 0)
        let ended = Mutex(0)
        // Some of the bytes come together with the request, as from an impatient client.
        let descriptor = pair[0]
        let early = Int(bytes.first ?? 0) % (bytes.count + 1)
        let socket = WebSocket(
            descriptor, watch: watch, key: 1, limits: HTTPLimits(),
            early: Array(bytes.prefix(early)),
            released: {
                close(descriptor)
                released.signal()
            })
        guard let socket else { fatalError("no memory") }
        current.withLock { $0 = socket }
        queue.sync {
            socket.begin { ended.withLock { $0 += 1 } }
            socket.send(Array("{\"type\":\"turns\"}".utf8))
        }
        Socket.send(Array(bytes.dropFirst(early)), to: pair[1])
        shutdown(pair[1], Int32(SHUT_WR))
        precondition(Socket.drain(pair[1], within: 30_000), "the socket stays open")
        close(pair[1])
        queue.sync { socket.abort() }
        precondition(released.wait(timeout: .now() + 30) == .success, "the socket is not released")
        precondition(ended.withLock { $0 } == 1, "its end is reported once")
    }
}

enum Socket {
    /// Sends the bytes that the other side accepts.
    static func send(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads to the end; false if nothing comes for this many milliseconds.
    static func drain(_ descriptor: Int32, within timeout: CInt) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, timeout) > 0 else { return false }
            if recv(descriptor, &bytes, bytes.count, 0) <= 0 { return true }
        }
    }
}
