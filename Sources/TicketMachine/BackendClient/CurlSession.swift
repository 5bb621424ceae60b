internal import BackendAPI
internal import CCurl
internal import KioskRuntime
internal import MachineClock

/// The connections to the servers of the backend, kept alive between calls; one call at a time, on a thread of its own.
///
/// libcurl's easy handle belongs to one thread at a time (libcurl-thread(3)): the worker is its owner.
final class CurlSession: @unchecked Sendable {
    /// Answers are under 2 KiB, so a longer one was not made by the backend.
    private static let maxResponseBytes = 65_536

    private let worker: BoundedWorker
    private let time: MachineClock
    private let handle: UnsafeMutableRawPointer?
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
        let left = time.now.duration(to: end).wholeMilliseconds
        // 0 would mean no limit (CURLOPT_TIMEOUT_MS(3)).
        guard let handle, left > 0 else { return .silent }
        curl_easy_reset(handle)
        let url = "\(address)\(request.path)" + (request.query.isEmpty ? "" : "?\(request.query)")
        var lines: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(lines) }
        // An empty "Expect:" keeps curl from waiting for a 100 (CURLOPT_HTTPHEADER(3)).
        for line in request.fields.map({ "\($0.key): \($0.value)" }) + ["Expect:", "User-Agent:"] {
            lines = curl_slist_append(lines, line)
        }
        let received = ResponseBody(limit: Self.maxResponseBytes, end: end, time: time)
        let context = Unmanaged.passUnretained(received).toOpaque()
        clup_curl_set_text(handle, CURLOPT_URL, url)
        clup_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        clup_curl_set_list(handle, CURLOPT_HTTPHEADER, lines)
        clup_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, address.isSecure ? "https" : "http")
        clup_curl_set_text(handle, CURLOPT_PROXY, "")
        if let authorities { clup_curl_set_text(handle, CURLOPT_CAINFO, authorities) }
        clup_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        clup_curl_set_long(handle, CURLOPT_TIMEOUT_MS, Int(left))
        clup_curl_set_long(
            handle, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(connecting.wholeMilliseconds)))
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
        clup_curl_set_progress(handle, endInTime, context)
        let code = withExtendedLifetime(received) { curl_easy_perform(handle) }
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
    let limit: Int
    let end: MachineClock.Instant
    let time: MachineClock

    init(limit: Int, end: MachineClock.Instant, time: MachineClock) {
        self.limit = limit
        self.end = end
        self.time = time
    }
}

/// CURLOPT_XFERINFOFUNCTION(3): ends a transfer whose time is over by the machine's clock, which may have been moved.
private func endInTime(
    _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
    guard let context else { return 1 }
    let received = Unmanaged<ResponseBody>.fromOpaque(context).takeUnretainedValue()
    return received.time.now < received.end ? 0 : 1
}

/// CURLOPT_WRITEFUNCTION(3): a result smaller than the given size ends the transfer.
private func receive(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let data, let context else { return 0 }
    let received = Unmanaged<ResponseBody>.fromOpaque(context).takeUnretainedValue()
    guard received.bytes.count + size * count <= received.limit else { return 0 }
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
    defer { received.isSent = true }
    return received.isSent ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK
}
