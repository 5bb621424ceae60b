internal import CCurl
internal import Glibc

/// One push on its way: the request, and what libcurl hands over of the answer. One thread uses it.
final class PushTransfer {
    /// An answer of a push service has a few fields and no body that means anything (RFC 8030 5); errors of the known
    /// services have under 1 KiB. What is longer ends the transfer.
    private static let maxHeadBytes = 8_192
    private static let maxBodyBytes = 8_192

    /// How long a push may take, in milliseconds.
    struct Limits {
        /// Name, connection and TLS.
        var connectTimeoutMs = 3_000
        /// All of it.
        var timeoutMs = 10_000
        /// The file of certificates to trust instead of the system's; for tests.
        var authorities: String?
    }

    let handle: UnsafeMutableRawPointer
    let pending: PendingPush
    /// The place of its service in the list.
    let service: Int
    private let reach: PushServices.Reach
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var headBytes = 0
    private var bodyBytes = 0
    /// Whether the head of an answer has come as far as its empty line.
    private var hasWholeHead = false

    init(
        handle: UnsafeMutableRawPointer, pending: PendingPush, match: PushServices.Match
    ) {
        self.handle = handle
        self.pending = pending
        service = match.index
        reach = match.service.reach
    }

    deinit { curl_slist_free_all(fields) }

    /// Sets the request up. The transfer must live until libcurl has ended it.
    func prepare(
        _ push: Push, body: [UInt8], authorization: String, isSecure: Bool, _ limits: Limits
    ) {
        curl_easy_reset(handle)
        // Empty fields keep libcurl from adding its own (CURLOPT_HTTPHEADER(3)).
        var lines = [
            "TTL: \(max(0, push.timeToLive))", "Urgency: \(push.urgency.rawValue)",
            "Content-Encoding: aes128gcm", "Content-Type: application/octet-stream",
            "Authorization: \(authorization)", "Accept:", "Expect:", "User-Agent:",
        ]
        if !push.topic.isEmpty { lines.append("Topic: \(push.topic)") }
        for line in lines { fields = curl_slist_append(fields, line) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        clup_curl_set_text(handle, CURLOPT_URL, push.endpoint)
        clup_curl_set_long(handle, CURLOPT_PATH_AS_IS, 1)
        clup_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, isSecure ? "https" : "http")
        clup_curl_set_list(handle, CURLOPT_HTTPHEADER, fields)
        body.withUnsafeBytes { _ = clup_curl_set_body(handle, $0.baseAddress, $0.count) }
        // The variables of the environment that name a proxy are not read (CURLOPT_PROXY(3)). Redirects, cookies, netrc
        // and passwords are off unless they are switched on.
        clup_curl_set_text(handle, CURLOPT_PROXY, "")
        clup_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        if let authorities = limits.authorities {
            clup_curl_set_text(handle, CURLOPT_CAINFO, authorities)
        }
        clup_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        // A name that is still being looked up does not hold the thread up at the end (CURLOPT_QUICK_EXIT(3)).
        clup_curl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
        clup_curl_set_long(handle, CURLOPT_TIMEOUT_MS, limits.timeoutMs)
        clup_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, limits.connectTimeoutMs)
        clup_curl_set_long(handle, CURLOPT_TCP_NODELAY, 1)
        // One request at a time on a connection: an answer that does not come holds no other up.
        clup_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        clup_curl_set_writer(handle, receive, context)
        clup_curl_set_head_reader(handle, readHead, context)
        clup_curl_set_socket_opener(handle, openSocket, context)
    }

    /// The outcome after the end, even if the body did not end: the status says what became of the push.
    func outcome(now: Int64) -> PushOutcome {
        guard hasWholeHead else { return .unreached }
        return PushOutcome(
            status: clup_curl_get_long(handle, CURLINFO_RESPONSE_CODE),
            retryAfter: clup_curl_header(handle, "Retry-After").map { String(cString: $0) },
            now: now)
    }

    fileprivate func takeBody(_ count: Int) -> Bool {
        bodyBytes += count
        return bodyBytes <= Self.maxBodyBytes
    }

    /// Several heads may come: those of interim answers before the final one, and trailers after it.
    fileprivate func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        if line.starts(with: "HTTP/".utf8) { hasWholeHead = false }
        if line.elementsEqual([13, 10]) || line.elementsEqual([10]) { hasWholeHead = true }
        return headBytes <= Self.maxHeadBytes
    }

    /// Opens a socket for an address that the service may have, and for no other one.
    fileprivate func open(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        // `addr` is the beginning of an address of `addrlen` bytes (CURLOPT_OPENSOCKETFUNCTION(3)).
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else {
            return CURL_SOCKET_BAD
        }
        let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(address) + offset, count: Int(address.pointee.addrlen))
        guard reach.includes(AddressScope(bytes)) else { return CURL_SOCKET_BAD }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            address.pointee.protocol)
    }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> PushTransfer? {
    context.map { Unmanaged<PushTransfer>.fromOpaque($0).takeUnretainedValue() }
}

/// CURLOPT_WRITEFUNCTION(3): a result smaller than the given size ends the transfer.
private func receive(
    _: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int { transfer(context)?.takeBody(size * count) == true ? size * count : 0 }

/// CURLOPT_HEADERFUNCTION(3): it is called for each line, including the empty one at the end.
private func readHead(
    _ line: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let bytes = UnsafeRawBufferPointer(start: line, count: size * count)
    return transfer(context)?.takeLine(bytes) == true ? bytes.count : 0
}

/// CURLOPT_OPENSOCKETFUNCTION(3): libcurl connects to the address that is given here. A name that leads elsewhere when
/// it is looked up again can therefore not pass the check with one address and be connected to another one.
private func openSocket(
    _ context: UnsafeMutableRawPointer?, _: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address else { return CURL_SOCKET_BAD }
    return transfer(context)?.open(address) ?? CURL_SOCKET_BAD
}
