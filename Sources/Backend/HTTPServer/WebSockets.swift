internal import BackendAPI
internal import CMicroHTTPD
private import Dispatch
private import Glibc
private import Synchronization

/// MHD's handle of a connection that is ours; only its release is left to do with it.
struct MHDUpgrade: @unchecked Sendable {
    let pointer: OpaquePointer

    /// MHD closes the socket; once.
    func release() { _ = clup_mhd_release(pointer) }
}

/// Every open WebSocket; all of them are worked on one queue of their own, beside MHD's thread.
final class WebSockets: Sendable {
    private static let goingAway: UInt16 = 1001

    private let sockets = Mutex<[Int: WebSocket]>([:])
    private let opened = Atomic(0)
    private let queue = DispatchQueue(label: "clup.sockets", qos: .userInitiated)
    private let limits: HTTPLimits

    init(limits: HTTPLimits) { self.limits = limits }

    var count: Int { sockets.withLock { $0.count } }

    var isFull: Bool { sockets.withLock { $0.count >= limits.sockets } }

    /// Takes over an upgraded connection; `early` came with the request.
    func open(
        _ descriptor: Int32, _ upgrade: MHDUpgrade, early: [UInt8],
        opened made: (@Sendable (WireSocket) -> @Sendable () -> Void)?
    ) {
        let id = opened.add(1, ordering: .relaxed).newValue
        guard let made,
            let socket = WebSocket(
                descriptor, queue: queue, limits: limits, early: early,
                released: { [weak self] in
                    upgrade.release()
                    self?.sockets.withLock { $0[id] = nil }
                })
        else { return upgrade.release() }
        sockets.withLock { $0[id] = socket }
        queue.async { [queue] in
            // The socket lives in the table until its end; whoever has the handle does not keep it.
            let handle = WeakSocket(socket)
            let ended = made(
                WireSocket(
                    send: { text in queue.async { handle.socket?.send(text) } },
                    close: { code in queue.async { handle.socket?.close(code) } }))
            socket.begin(ended: ended)
        }
    }

    /// Once a second: pings, and the end of those that do not answer.
    func beat() {
        queue.async { [self] in
            for socket in all { socket.beat() }
        }
    }

    /// Tells all that the server goes away (RFC 6455 7.4.1).
    func sendGoingAway() {
        queue.async { [self] in
            for socket in all { socket.close(Self.goingAway) }
        }
    }

    /// Says farewell to all, and ends those who do not take it within a second; blocks.
    func closeAll() {
        queue.sync { for socket in all { socket.close(Self.goingAway) } }
        let deadline = ContinuousClock.now + .seconds(1)
        while !all.isEmpty, ContinuousClock.now < deadline { usleep(5_000) }
        queue.sync { for socket in all { socket.abort() } }
        while !all.isEmpty { usleep(1_000) }
    }

    private var all: [WebSocket] { sockets.withLock { Array($0.values) } }
}

private final class WeakSocket: Sendable {
    private weak let reference: WebSocket?
    var socket: WebSocket? { reference }
    init(_ socket: WebSocket) { reference = socket }
}
