internal import CMicroHTTPD  // MSG_NOSIGNAL
internal import CWebSocket
internal import DescriptorWatch
private import Glibc

/// One WebSocket: framing by wslay, bytes from and to a socket that never blocks (RFC 6455).
///
/// Unchecked: everything except the initialiser runs on the queue of `WebSockets`.
final class WebSocket: @unchecked Sendable {
    private let descriptor: Int32
    private let limits: HTTPLimits
    private let watch: DescriptorSet
    private let key: UInt64
    private let released: @Sendable () -> Void
    private var context: OpaquePointer?
    /// Bytes that came before the connection was handed over, still unread.
    private var early: ArraySlice<UInt8>
    private var ended: (@Sendable () -> Void)?
    /// Whether the set reports when the socket takes bytes again.
    private var isWatchedForWriting = false
    private var isOver = false
    /// The other side has hung up: nothing more can come.
    private var hasHungUp = false
    /// The last byte was sent; bytes that still come are thrown away until the other side hangs up.
    private var isLingering = false
    private var heard = ContinuousClock.now
    private var pinged = ContinuousClock.now
    private var closing: ContinuousClock.Instant?
    /// Frames that the client may send now, and when they were counted.
    private var frames: (left: Double, counted: ContinuousClock.Instant)

    /// A close frame with status 1002 (RFC 6455 5.5.1).
    private static let protocolError: [UInt8] = [0x88, 2, 0x03, 0xEA]

    /// How long the other side has to answer a close frame.
    private static let farewell = Duration.seconds(1)

    /// - Parameters:
    ///   - watch: reports the descriptor with this key; each report is passed to `isReady(_:)`.
    ///   - early: bytes that came before the connection was handed over.
    ///   - released: called once, when the socket may be closed.
    /// - Returns: nil if there is no memory.
    init?(
        _ descriptor: Int32, watch: DescriptorSet, key: UInt64, limits: HTTPLimits, early: [UInt8],
        released: @escaping @Sendable () -> Void
    ) {
        var callbacks = wslay_event_callbacks()
        callbacks.recv_callback = { _, bytes, length, _, user in
            guard let bytes, let user else { return -1 }
            return webSocket(user).read(bytes, length)
        }
        callbacks.send_callback = { _, bytes, length, _, user in
            guard let bytes, let user else { return -1 }
            return webSocket(user).write(bytes, length)
        }
        callbacks.on_frame_recv_start_callback = { _, frame, user in
            guard let frame = frame?.pointee, let user else { return }
            webSocket(user).frameBegan(frame.opcode, payload: Int(clamping: frame.payload_length))
        }
        callbacks.on_msg_recv_callback = { _, message, user in
            guard let message = message?.pointee, let user else { return }
            webSocket(user).received(message.opcode)
        }
        self.descriptor = descriptor
        self.watch = watch
        self.key = key
        self.limits = limits
        self.early = early[...]
        self.released = released
        frames = (Double(limits.socketFrames), .now)
        guard
            wslay_event_context_server_init(
                &context, &callbacks, Unmanaged.passUnretained(self).toOpaque()) == 0
        else { return nil }
        wslay_event_config_set_max_recv_msg_length(context, UInt64(limits.socketMessage))
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        var yes: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        var buffer = limits.socketBuffer
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { wslay_event_context_free(context) }

    /// Begins to read; `ended` is called once, at the socket's end.
    func begin(ended: @escaping @Sendable () -> Void) {
        self.ended = ended
        guard watch.add(descriptor, key: key) else { return abort() }
        receive()
    }

    /// Reads what has come, and sends what waits.
    func isReady(_ ready: DescriptorSet.Ready) {
        if ready.canRead { receive() }
        if ready.canWrite { pump() }
    }

    func send(_ text: [UInt8]) {
        guard !isOver, closing == nil else { return }
        queue(WSLAY_TEXT_FRAME, text)
    }

    /// Whether so many more bytes may wait for the reader; messages, pings and pongs all wait there.
    private func hasRoom(for count: Int) -> Bool {
        wslay_event_get_queued_msg_length(context) + count <= limits.socketBacklog
            && wslay_event_get_queued_msg_count(context) < limits.socketQueue
    }

    /// Sends a close frame; the socket ends when it is answered.
    func close(_ code: UInt16) {
        guard !isOver, closing == nil else { return }
        closing = .now
        _ = wslay_event_queue_close(context, code, nil, 0)
        pump()
    }

    /// Ends the socket without a close frame.
    func abort() {
        guard !isOver else { return }
        isOver = true
        watch.remove(descriptor)
        ended?()
        ended = nil
        released()
    }

    func beat() {
        guard !isOver else { return }
        let now = ContinuousClock.now
        if let closing, now - closing > Self.farewell { return abort() }
        if now - heard > limits.ping * 3 { return abort() }
        if closing == nil, now - pinged >= limits.ping {
            pinged = now
            queue(WSLAY_PING, [])
        }
    }

    private func queue(_ opcode: wslay_opcode, _ bytes: [UInt8]) {
        guard hasRoom(for: bytes.count) else { return abort() }
        bytes.withUnsafeBufferPointer { bytes in
            var message = wslay_event_msg(
                opcode: UInt8(opcode.rawValue), msg: bytes.baseAddress, msg_length: bytes.count)
            _ = wslay_event_queue_msg(context, &message)
        }
        pump()
    }

    private func receive() {
        guard !isOver else { return }
        if isLingering || wslay_event_get_read_enabled(context) == 0 { return discard() }
        let isIdle = wslay_event_want_write(context) == 0
        guard wslay_event_recv(context) != 0 else {
            // A close frame waits, of this side or of the other: it has its second even if the other side does not
            // read it.
            if wslay_event_get_read_enabled(context) == 0, closing == nil { closing = .now }
            return pump()
        }
        // For malformed frames wslay's own close frame has no code.
        if hasHungUp || !isIdle { return abort() }
        closing = .now
        _ = Self.protocolError.withUnsafeBufferPointer {
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        linger()
    }

    /// Throws away the bytes after the last frame that counts.
    private func discard() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { abort() }
    }

    /// Sends the waiting bytes, as many as the socket takes.
    private func pump() {
        guard !isOver, !isLingering else { return }
        guard wslay_event_send(context) == 0 else { return abort() }
        let mustWrite = wslay_event_want_write(context) != 0
        if mustWrite != isWatchedForWriting {
            watch.watch(descriptor, key: key, forWriting: mustWrite)
            isWatchedForWriting = mustWrite
        }
        if wslay_event_get_close_received(context) != 0 || wslay_event_get_close_sent(context) != 0,
            closing == nil
        {
            closing = .now
        }
        if !mustWrite, wslay_event_get_close_sent(context) != 0, !isLingering { linger() }
    }

    /// Waits for the other side to hang up: closing at once could destroy the close frame by a reset
    /// (RFC 6455 7.1.1).
    private func linger() {
        isLingering = true
        shutdown(descriptor, Int32(SHUT_WR))
    }

    // MARK: Callbacks of wslay

    fileprivate func read(_ bytes: UnsafeMutablePointer<UInt8>, _ length: Int) -> Int {
        if !early.isEmpty {
            let count = min(length, early.count)
            for (index, byte) in early.prefix(count).enumerated() { bytes[index] = byte }
            early = early.dropFirst(count)
            return count
        }
        while true {
            let count = recv(descriptor, bytes, length, 0)
            if count > 0 {
                heard = .now
                return count
            }
            if count < 0, errno == EINTR { continue }
            let isEmpty = count < 0 && errno == EAGAIN
            hasHungUp = !isEmpty
            return failed(isTemporary: isEmpty)
        }
    }

    fileprivate func write(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> Int {
        while true {
            let count = Glibc.send(descriptor, bytes, length, Int32(MSG_NOSIGNAL))
            if count >= 0 { return count }
            if errno == EINTR { continue }
            return failed(isTemporary: errno == EAGAIN)
        }
    }

    /// Reports to wslay why nothing was read or written.
    private func failed(isTemporary: Bool) -> Int {
        let error = isTemporary ? WSLAY_ERR_WOULDBLOCK : WSLAY_ERR_CALLBACK_FAILURE
        wslay_event_set_error(context, Int32(error.rawValue))
        return -1
    }

    /// A frame begins. wslay answers each ping with a pong that waits until it can be sent, so that frames are
    /// counted, and a ping is not answered if too much waits already.
    fileprivate func frameBegan(_ opcode: UInt8, payload: Int) {
        let now = ContinuousClock.now
        let earned = (now - frames.counted) / .seconds(1) * limits.socketFramesPerSecond
        frames = (min(Double(limits.socketFrames), frames.left + max(0, earned)) - 1, now)
        let isPing = opcode == UInt8(WSLAY_PING.rawValue)
        guard frames.left >= 0, !isPing || hasRoom(for: payload) else {
            return refuse(WSLAY_CODE_POLICY_VIOLATION)
        }
        // Half of a status code (RFC 6455 5.5.1), which wslay reads as no code.
        if opcode == UInt8(WSLAY_CONNECTION_CLOSE.rawValue), payload == 1 {
            refuse(WSLAY_CODE_PROTOCOL_ERROR)
        }
    }

    /// Text has no meaning here and is thrown away; binary is refused.
    fileprivate func received(_ opcode: UInt8) {
        if opcode == UInt8(WSLAY_BINARY_FRAME.rawValue) { refuse(WSLAY_CODE_UNSUPPORTED_DATA) }
    }

    /// Sends a close frame and reads nothing more; nothing is queued after it.
    private func refuse(_ code: wslay_status_code) {
        _ = wslay_event_queue_close(context, UInt16(code.rawValue), nil, 0)
        wslay_event_shutdown_read(context)
    }
}

private func webSocket(_ pointer: UnsafeMutableRawPointer) -> WebSocket {
    Unmanaged<WebSocket>.fromOpaque(pointer).takeUnretainedValue()
}
