public import BackendAPI
internal import CMicroHTTPD
private import Dispatch
private import Glibc
internal import Synchronization

/// The limits on what a client may use.
public struct HTTPLimits: Sendable {
    /// Bytes of a body; sixteen times the largest body of the contract.
    public var body = 65_536
    /// Bytes of a head; the contract's requests have under 2 KiB.
    public var head = 16_384
    /// Bytes of MHD's memory for one connection; MHD refuses a head that does not fit before it is whole.
    public var memory = 49_152
    /// Connections at once, below the usual 1,024 files; further ones wait in the kernel.
    public var connections: UInt32 = 900
    /// The time from the first byte of a connection, or the request line, to the end of the request.
    public var requestTime: Duration = .seconds(10)
    /// The time between two requests: longer than the machines' polling interval, so that they keep their
    /// connection.
    public var keepAlive: Duration = .seconds(40)
    /// How long `stop` waits for answers in progress, and for clients to be notified that the server stops.
    public var drain: Duration = .seconds(5)
    /// `stop` closes a connection on which nothing came for this time; a client that uses its connection all the
    /// time is first notified that it should connect elsewhere.
    public var quiet: Duration = .milliseconds(300)
    /// WebSockets at once; the rest of the connections is for requests.
    public var sockets = 600
    /// Bytes that wait for the reader of a WebSocket; a reader with more is dropped.
    public var socketBacklog = 131_072
    /// Bytes that the kernel keeps for a WebSocket in addition.
    public var socketBuffer: Int32 = 65_536
    /// Messages, pings and pongs that wait for the reader of a WebSocket, whatever their size.
    public var socketQueue = 512
    /// Bytes of a message from a client: pages send no messages.
    public var socketMessage = 4_096
    /// Frames of any kind, including pings and parts of messages, that a client may send at once; a client that
    /// sends more is closed with 1008. A page answers a ping every 15 seconds and sends nothing else.
    public var socketFrames = 20
    /// Frames a second that a client may send in the long run.
    public var socketFramesPerSecond = 4.0
    /// The time from one ping of a WebSocket to the next; after three without an answer the socket is dropped.
    public var ping: Duration = .seconds(15)

    public init() {}
}

/// An HTTP/1.1 server for loopback and unix sockets, one thread (libmicrohttpd(3)).
///
/// It speaks plain HTTP: if other computers can reach it, a proxy with TLS must be in front of it.
public final class HTTPServer: Sendable {
    /// Gets each complete request on the server's thread; the answer may come later, from any thread.
    public typealias Handler =
        @Sendable (WireRequest, @escaping @Sendable (WireResponse) -> Void) -> Void

    /// Gets each request for a WebSocket on the server's thread; may decide later, from any thread.
    public typealias SocketHandler =
        @Sendable (WireRequest, @escaping @Sendable (SocketAdmission) -> Void) -> Void

    /// The address on which the server listens, with the port that it got.
    public let address: ListenAddress
    private let context: ServerContext
    private let daemon: Daemon
    private let isRunning = Atomic(true)

    private struct Daemon: @unchecked Sendable {
        // MHD's own functions lock what they share (libmicrohttpd(3)), and so do Dispatch's.
        let pointer: OpaquePointer
        let sweeper: any DispatchSourceTimer
    }

    /// Starts to listen; `behindProxy` allows addresses that other computers can reach.
    public init(
        listen: ListenAddress, behindProxy: Bool = false, limits: HTTPLimits = HTTPLimits(),
        sockets: SocketHandler? = nil, handler: @escaping Handler
    ) throws(HTTPServerError) {
        guard listen.isLocal || behindProxy else { throw .notLocal(listen) }
        let socket = try ListeningSocket(listen)
        context = ServerContext(limits: limits, handler: handler, socketHandler: sockets)
        clup_mhd_set_refusal(answerRefusal)
        let idle = UInt32(limits.keepAlive.components.seconds)
        guard
            let pointer = clup_mhd_start(
                socket.descriptor, limits.connections, limits.memory, idle, handleRequest,
                beginRequest, completeRequest, notifyConnection,
                Unmanaged.passUnretained(context).toOpaque())
        else {
            close(socket.descriptor)
            throw .library
        }
        address = socket.address
        let sweeper = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        sweeper.setEventHandler { [context] in
            context.connections.sweep()
            context.sockets.beat()
        }
        sweeper.schedule(deadline: .now() + 1, repeating: 1)
        sweeper.activate()
        daemon = Daemon(pointer: pointer, sweeper: sweeper)
    }

    deinit { stop() }

    /// How many WebSockets are open.
    public var openSockets: Int { context.sockets.count }

    /// How many connections are open, including those that became WebSockets.
    public var openConnections: Int { context.connections.count }

    /// Lets answers in progress be sent, answers all later requests with 503 and closes their connections, notifies
    /// WebSockets that the server goes away, and closes everything once it is quiet.
    ///
    /// Blocks for at most `limits.drain` and a second; requests without an answer then get 503. Connections are
    /// accepted to the end, so that none is reset without an answer.
    public func stop() {
        guard isRunning.exchange(false, ordering: .acquiringAndReleasing) else { return }
        context.isDraining.store(true, ordering: .relaxed)
        context.sockets.sendGoingAway()
        let deadline = ContinuousClock.now + context.limits.drain
        waitForQuiet(until: deadline)
        let listening = context.quiescence.listeningSocket(
            of: daemon.pointer, until: max(deadline, .now + .milliseconds(500)))
        if let listening {
            endListening(listening)
            waitForQuiet(until: max(deadline, .now + .milliseconds(500)))
        }
        context.sockets.closeAll()
        // MHD must not be stopped while a connection is suspended.
        for exchange in context.connections.exchanges { exchange.answer(.stopping) }
        daemon.sweeper.cancel()
        MHD_stop_daemon(daemon.pointer)
        if let listening { close(listening) }
        if case .unix(let path) = address { unlink(path) }
    }

    /// Asks every five milliseconds: a server stops once, and a signal would cost the end of every request something.
    private func waitForQuiet(until deadline: ContinuousClock.Instant) {
        while context.connections.isBusy, ContinuousClock.now < deadline { usleep(5_000) }
    }

    /// Refuses connections from here on, after those that the kernel has accepted: none is reset that could already
    /// have sent a request. The descriptor stays open as long as MHD may use it.
    private func endListening(_ listening: Int32) {
        switch address {
        case .tcp:
            // What is still in the queue of a TCP socket is reset by shutdown(2), so that nothing may come between.
            clup_mhd_drop_packets(listening)
            adopt(from: listening)
            shutdown(listening, Int32(SHUT_RD))
        case .unix:
            // The queue of a unix socket outlives it.
            shutdown(listening, Int32(SHUT_RD))
            adopt(from: listening)
        }
    }

    /// Hands MHD the connections that the kernel has accepted and MHD has not taken yet.
    private func adopt(from listening: Int32) {
        _ = fcntl(listening, F_SETFL, fcntl(listening, F_GETFL) | O_NONBLOCK)
        var name = sockaddr_storage()
        while true {
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = withUnsafeMutablePointer(to: &name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    accept(listening, $0, &length)
                }
            }
            guard descriptor >= 0 else { return }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            context.connections.enter(.adopted, descriptor)
            let added = withUnsafePointer(to: &name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    MHD_add_connection(daemon.pointer, descriptor, $0, length)
                }
            }
            // MHD has closed the connection if it did not accept it.
            if added != .YES { context.connections.closed(descriptor) }
        }
    }
}

/// The state that MHD's callbacks share.
final class ServerContext: Sendable {
    let limits: HTTPLimits
    let handler: HTTPServer.Handler
    let socketHandler: HTTPServer.SocketHandler?
    let connections: Connections
    let sockets: WebSockets
    let quiescence = Quiescence()
    let isDraining = Atomic(false)

    init(
        limits: HTTPLimits, handler: @escaping HTTPServer.Handler,
        socketHandler: HTTPServer.SocketHandler?
    ) {
        self.limits = limits
        self.handler = handler
        self.socketHandler = socketHandler
        sockets = WebSockets(limits: limits)
        connections = Connections(limits: limits)
    }
}
