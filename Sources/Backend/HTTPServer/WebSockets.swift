internal import BackendAPI
internal import CMicroHTTPD
private import DescriptorWatch
private import Dispatch
private import Glibc
private import Synchronization

/// Every open WebSocket; all of them are handled on one queue of their own, beside MHD's thread.
final class WebSockets: Sendable {
    private static let goingAway: UInt16 = 1001

    private let sockets = Mutex<[UInt64: WebSocket]>([:])
    private let opened = Atomic<UInt64>(0)
    private let queue = DispatchQueue(label: "clup.sockets", qos: .userInitiated)
    private let watch: DescriptorSet
    private let limits: HTTPLimits

    init(limits: HTTPLimits) {
        self.limits = limits
        watch = DescriptorSet(queue: queue)
        watch.report { [weak self] ready in
            self?.sockets.withLock { $0[ready.key] }?.isReady(ready)
        }
    }

    var count: Int { sockets.withLock { $0.count } }

    var isFull: Bool { sockets.withLock { $0.count >= limits.sockets } }

    /// Takes over an upgraded connection; `early` came with the request.
    func open(
        _ descriptor: Int32, _ upgrade: MHDHandle, early: [UInt8],
        opened made: (@Sendable (WireSocket) -> @Sendable () -> Void)?
    ) {
        let id = opened.add(1, ordering: .relaxed).newValue
        guard let made,
            let socket = WebSocket(
                descriptor, watch: watch, key: id, limits: limits, early: early,
                released: { [weak self] in
                    _ = clup_mhd_release(upgrade.pointer)
                    self?.sockets.withLock { $0[id] = nil }
                })
        else {
            // MHD closes the socket.
            _ = clup_mhd_release(upgrade.pointer)
            return
        }
        sockets.withLock { $0[id] = socket }
        queue.async { [queue] in
            // The table keeps the socket until its end; a holder of the handle does not keep it.
            weak let handle = socket
            let ended = made(
                WireSocket(
                    send: { text in queue.async { handle?.send(text) } },
                    close: { code in queue.async { handle?.close(code) } }))
            socket.begin(ended: ended)
        }
    }

    /// Once a second, sends pings, and ends the sockets that do not answer.
    func beat() { queue.async { [self] in for socket in all { socket.beat() } } }

    /// Notifies all sockets that the server goes away (RFC 6455 7.4.1).
    func sendGoingAway() {
        queue.async { [self] in for socket in all { socket.close(Self.goingAway) } }
    }

    /// Sends all sockets a close frame, and ends those that do not answer within a second; blocks.
    func closeAll() {
        queue.sync { for socket in all { socket.close(Self.goingAway) } }
        let deadline = ContinuousClock.now + .seconds(1)
        while !all.isEmpty, ContinuousClock.now < deadline { usleep(5_000) }
        queue.sync { for socket in all { socket.abort() } }
        while !all.isEmpty { usleep(1_000) }
    }

    private var all: [WebSocket] { sockets.withLock { Array($0.values) } }
}
