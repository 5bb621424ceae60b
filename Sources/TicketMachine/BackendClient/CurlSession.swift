internal import BackendAPI
internal import CCurl
internal import KioskRuntime
internal import MachineClock

/// The connections to the servers of the backend, kept alive between calls; one call at a time, on a thread of its own.
///
/// libcurl's handles belong to one thread at a time (libcurl-thread(3)): the worker is their owner. All limits are by the
/// machine's clock, and none by libcurl's own.
final class CurlSession: @unchecked Sendable {
    /// Answers are under 2 KiB, so a longer one was not made by the backend.
    private static let maxResponseBytes = 65_536

    private let worker: BoundedWorker
    private let time: MachineClock
    private let handle: UnsafeMutableRawPointer?
    private let transfers = Transfers()
    private let authorities: String?

    /// - Parameter authorities: a file of PEM certificates to trust instead of the system's.
    init(authorities: String?, time: MachineClock) {
        Self.startLibrary
        self.time = time
        worker = BoundedWorker(label: "clup.backend", time: time)
        self.authorities = authorities
        handle = curl_easy_init()
    }

    deinit { curl_easy_cleanup(handle) }

    private static let startLibrary: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

    enum Outcome: Sendable {
        case answered(WireResponse)
        /// The request was sent, or may have been, and has no answer: it may have taken effect.
        case silent
        /// There was no connection to send it on: no name, no route, or no server at the address.
        case unreached

        var answer: WireResponse? { if case .answered(let answer) = self { answer } else { nil } }
        var isUnreached: Bool { if case .unreached = self { true } else { false } }
    }

    /// Returns the answer, or why there is none in time.
    ///
    /// The time counts from now on, even while another call is under way; a request whose time passes before its turn
    /// is not sent.
    ///
    /// - Parameter connecting: how much of the time name, connection and TLS may take.
    func perform(
        _ request: WireRequest, at address: BackendAddress, timeout: Duration, connecting: Duration
    ) async -> Outcome {
        let end = time.now.advanced(by: timeout)
        let outcome = await worker.run(within: timeout) {
            self.call(request, at: address, until: end, connecting)
        }
        return outcome ?? .silent
    }

    private func call(
        _ request: WireRequest, at address: BackendAddress, until end: MachineClock.Instant,
        _ connecting: Duration
    ) -> Outcome {
        guard let handle, time.now < end else { return .silent }
        curl_easy_reset(handle)
        let url = "\(address)\(request.path)" + (request.query.isEmpty ? "" : "?\(request.query)")
        var lines: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(lines) }
        // An empty "Expect:" keeps curl from waiting for a 100 (CURLOPT_HTTPHEADER(3)).
        for line in request.fields.map({ "\($0.key): \($0.value)" }) + ["Expect:", "User-Agent:"] {
            lines = curl_slist_append(lines, line)
        }
        let limit = TransferLimit(
            connecting: connecting, end: end, by: time, reached: transfers.wake)
        defer { limit.cancel() }
        let received = ResponseBody(maxBytes: Self.maxResponseBytes, limit: limit)
        let context = Unmanaged.passUnretained(received).toOpaque()
        clup_curl_set_text(handle, CURLOPT_URL, url)
        clup_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        clup_curl_set_list(handle, CURLOPT_HTTPHEADER, lines)
        clup_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, address.isSecure ? "https" : "http")
        clup_curl_set_text(handle, CURLOPT_PROXY, "")
        if let authorities { clup_curl_set_text(handle, CURLOPT_CAINFO, authorities) }
        clup_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        clup_curl_set_long(handle, CURLOPT_TCP_NODELAY, 1)
        clup_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        if !request.body.isEmpty {
            request.body.withUnsafeBytes { bytes in
                _ = clup_curl_set_body(handle, bytes.baseAddress, bytes.count)
            }
        } else if request.method == "POST" {
            _ = clup_curl_set_body(handle, "", 0)
        }
        clup_curl_set_writer(handle, receive, context)
        clup_curl_set_head_reader(handle, readHead, context)
        clup_curl_set_prerequest(handle, sendOnce, context)
        let code = withExtendedLifetime(received) { transfers.perform(handle, until: limit) }
        guard code == CURLE_OK, received.hasWholeHead else {
            return received.isSent ? .silent : .unreached
        }
        var fields: [String: String] = [:]
        for name in [
            HeaderField.contentType, HeaderField.date, HeaderField.retryAfter,
            HeaderField.contentDigest, HeaderField.signatureInput, HeaderField.signature,
        ] {
            if let value = clup_curl_header(handle, name) { fields[name] = String(cString: value) }
        }
        return .answered(
            WireResponse(
                status: clup_curl_get_long(handle, CURLINFO_RESPONSE_CODE), fields: fields,
                body: received.bytes))
    }
}

/// The part of an answer that libcurl has handed over.
private final class ResponseBody {
    var bytes: [UInt8] = []
    var hasWholeHead = false
    /// Whether the request has been handed to a connection.
    var isSent = false
    let maxBytes: Int
    let limit: TransferLimit

    init(maxBytes: Int, limit: TransferLimit) {
        self.maxBytes = maxBytes
        self.limit = limit
    }
}

/// The time that a transfer may take: at first the time until it is connected, and then the whole.
private final class TransferLimit {
    private let end: MachineClock.Instant
    private let time: MachineClock
    private let reached: @Sendable () -> Void
    private var limit: MachineClock.Instant
    private var timeout: Int

    /// - Parameter reached: called on another thread when a limit is reached.
    init(
        connecting: Duration, end: MachineClock.Instant, by time: MachineClock,
        reached: @escaping @Sendable () -> Void
    ) {
        self.end = end
        self.time = time
        self.reached = reached
        let now = time.now
        limit = min(now.advanced(by: connecting), end)
        timeout = time.timeout(after: now.duration(to: limit), reached)
    }

    var isOver: Bool { time.now >= limit }

    func connected() {
        time.cancel(timeout)
        limit = end
        timeout = time.timeout(after: time.now.duration(to: end), reached)
    }

    func cancel() { time.cancel(timeout) }
}

/// libcurl's transfers, which another thread can wake, and the connections that they keep.
private final class Transfers: @unchecked Sendable {
    /// The longest time without a look at the limits, even if nothing wakes the transfer.
    private static let maxPollMs: Int32 = 1_000

    private let multi = curl_multi_init()

    deinit { curl_multi_cleanup(multi) }

    /// Has a transfer that is under way look at its limits (curl_multi_wakeup(3): from any thread).
    @Sendable func wake() { curl_multi_wakeup(multi) }

    /// Carries out one transfer; CURLE_OPERATION_TIMEDOUT if its time is over.
    func perform(_ handle: UnsafeMutableRawPointer, until limit: TransferLimit) -> CURLcode {
        guard curl_multi_add_handle(multi, handle) == CURLM_OK else { return CURLE_FAILED_INIT }
        defer { curl_multi_remove_handle(multi, handle) }
        var running: Int32 = 0
        while curl_multi_perform(multi, &running) == CURLM_OK {
            var messages: Int32 = 0
            if let ended = curl_multi_info_read(multi, &messages) {
                return ended.pointee.data.result
            }
            guard running > 0, !limit.isOver else { return CURLE_OPERATION_TIMEDOUT }
            guard curl_multi_poll(multi, nil, 0, Self.maxPollMs, nil) == CURLM_OK else { break }
        }
        return CURLE_FAILED_INIT
    }
}

/// CURLOPT_WRITEFUNCTION(3): a result smaller than the given size ends the transfer.
private func receive(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let data, let context else { return 0 }
    let received = Unmanaged<ResponseBody>.fromOpaque(context).takeUnretainedValue()
    guard received.bytes.count + size * count <= received.maxBytes else { return 0 }
    received.bytes.append(contentsOf: UnsafeRawBufferPointer(start: data, count: size * count))
    return size * count
}

/// CURLOPT_HEADERFUNCTION(3): it is called for each line, including the empty one at the end. If a connection ends
/// within the head, libcurl treats the lines so far as the whole head.
private func readHead(
    _ line: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let line, let context else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: line, count: size * count)
    Unmanaged<ResponseBody>.fromOpaque(context).takeUnretainedValue().hasWholeHead =
        bytes.elementsEqual([13, 10]) || bytes.elementsEqual([10])
    return bytes.count
}

/// CURLOPT_PREREQFUNCTION(3): called when a connection exists and the request is about to be sent.
///
/// If a kept connection ends without a byte of an answer, libcurl sends the same request again on a new one. The nonce
/// is already used then, and the answer would be "not authentic", so this is prevented: the client's own next attempt
/// has a new signature.
private func sendOnce(
    _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?,
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32
) -> Int32 {
    guard let context else { return CURL_PREREQFUNC_ABORT }
    let received = Unmanaged<ResponseBody>.fromOpaque(context).takeUnretainedValue()
    guard !received.isSent else { return CURL_PREREQFUNC_ABORT }
    received.isSent = true
    received.limit.connected()
    return CURL_PREREQFUNC_OK
}
