internal import CCurl
internal import Glibc

/// Sends one message after the other to Kannel, over a connection that is kept.
final class KannelTransfer: @unchecked Sendable {
    // @unchecked: one thread at a time sends, and the last one that holds the object ends the connection
    // (libcurl-thread(3)).

    /// Kannel's answers have a few fields and a line of text; what is longer ends the transfer.
    private static let maxAnswerBytes = 16_384

    /// How long a message may take, in milliseconds, and which servers are connected to.
    struct Limits {
        /// Name, connection and TLS.
        var connectTimeoutMs = 3_000
        /// All of it.
        var timeoutMs = 10_000
        /// The longest rest, in seconds, after which a connection is used again. Servers, and the networks before them,
        /// end a connection that rests for longer; a request that is written at that moment has no answer.
        var maxRestSeconds = 20
        /// The file of certificates to trust instead of the system's; for tests.
        var authorities: String?
        /// The socket addresses to which a connection without encryption may be opened; others for tests.
        var plainAddresses: @Sendable (UnsafeRawBufferPointer) -> Bool = KannelAddress.isPrivate
    }

    private let address: KannelAddress
    private let account: KannelAccount
    private let limits: Limits
    private let handle: UnsafeMutableRawPointer?
    private var answerBytes = 0
    /// Whether the head of an answer has come as far as its empty line.
    private var hasWholeHead = false
    /// Whether the request was handed to a connection, so that the server may have read it.
    private var isWritten = false

    init(_ address: KannelAddress, _ account: KannelAccount, _ limits: Limits) {
        self.address = address
        self.account = account
        self.limits = limits
        handle = curl_easy_init()
    }

    deinit { curl_easy_cleanup(handle) }

    func send(_ message: SMSMessage) -> SMSOutcome {
        guard let handle else { return .unreached }
        var fields: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(fields) }
        for line in lines(of: message) { fields = curl_slist_append(fields, line) }
        (answerBytes, hasWholeHead, isWritten) = (0, false, false)
        prepare(handle, fields: fields, body: Array(message.text.utf8))
        let code = withExtendedLifetime(self) { curl_easy_perform(handle) }
        // The status says what became of the message, even if the answer's body did not end.
        let status = clup_curl_get_long(handle, CURLINFO_RESPONSE_CODE)
        // The handle names the fields and the message until it is set up again; connections stay.
        curl_easy_reset(handle)
        guard isWritten else { return SMSOutcome(unwritten: code) }
        return hasWholeHead ? SMSOutcome(kannelStatus: status) : .uncertain
    }

    /// The fields of the request. Empty ones keep libcurl from adding its own (CURLOPT_HTTPHEADER(3)).
    private func lines(of message: SMSMessage) -> [String] {
        var lines = [
            "Content-Type: text/plain; charset=UTF-8", "X-Kannel-Username: \(account.user)",
            "X-Kannel-Password: \(account.password)", "X-Kannel-To: \(message.to.rawValue)",
            // 0: the GSM 7 bit default alphabet.
            "X-Kannel-Coding: 0", "X-Kannel-Validity: \(message.validMinutes)",
            "Accept:", "Expect:", "User-Agent:",
        ]
        if let sender = account.sender { lines.append("X-Kannel-From: \(sender)") }
        return lines
    }

    private func prepare(
        _ handle: UnsafeMutableRawPointer, fields: UnsafeMutablePointer<curl_slist>?, body: [UInt8]
    ) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        clup_curl_set_text(handle, CURLOPT_URL, address.url)
        clup_curl_set_long(handle, CURLOPT_PATH_AS_IS, 1)
        clup_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, address.isSecure ? "https" : "http")
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
        clup_curl_set_long(handle, CURLOPT_MAXAGE_CONN, limits.maxRestSeconds)
        clup_curl_set_long(handle, CURLOPT_TCP_NODELAY, 1)
        clup_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        clup_curl_set_writer(handle, receive, context)
        clup_curl_set_head_reader(handle, readHead, context)
        clup_curl_set_socket_opener(handle, openSocket, context)
        clup_curl_set_prerequest(handle, writeOnce, context)
    }

    /// Notes that the request is being written; false if it was before.
    fileprivate func startWriting() -> Bool {
        defer { isWritten = true }
        return !isWritten
    }

    fileprivate func takeBody(_ count: Int) -> Bool {
        answerBytes += count
        return answerBytes <= Self.maxAnswerBytes
    }

    /// Several heads may come: those of interim answers before the final one, and trailers after it.
    fileprivate func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
        if line.starts(with: "HTTP/".utf8) { hasWholeHead = false }
        if line.elementsEqual([13, 10]) || line.elementsEqual([10]) { hasWholeHead = true }
        return takeBody(line.count)
    }

    /// Opens a socket, without encryption to private addresses only.
    fileprivate func open(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        // `addr` is the beginning of an address of `addrlen` bytes (CURLOPT_OPENSOCKETFUNCTION(3)).
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else {
            return CURL_SOCKET_BAD
        }
        let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(address) + offset, count: Int(address.pointee.addrlen))
        guard self.address.isSecure || limits.plainAddresses(bytes) else {
            return CURL_SOCKET_BAD
        }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            address.pointee.protocol)
    }
}

extension SMSOutcome {
    /// The outcome of an answer of Kannel, or of a proxy before it, with this final status.
    ///
    /// 202 is "0: Accepted for delivery" and "3: Queued for later delivery". Every other status below 300 is of another
    /// server, or of another page of Kannel; what it means for the message is not known. With 504 a proxy says that it
    /// had no answer in time (RFC 9110 15.6.5).
    init(kannelStatus status: Int) {
        self =
            switch status {
            case 202: .accepted
            case 401, 403: .broken("wrong-password-or-address")
            // Redirects are not followed.
            case 300..<400, 404, 405: .broken("status-\(status)")
            // 408: the request did not arrive whole.
            case 408, 429: .busy
            case 400..<500: .refused("status-\(status)")
            case 504: .uncertain
            case 500...: .busy
            // A final status has three digits and is not below 200 (RFC 9110 15).
            default: .uncertain
            }
    }

    /// The outcome of a request that was not written, from what curl_easy_perform(3) returned (libcurl-errors(3)).
    fileprivate init(unwritten code: CURLcode) {
        // The server's certificate is not valid, or the file of certificates cannot be read.
        let isUntrusted = code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE
        self = isUntrusted ? .broken("certificate") : .unreached
    }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> KannelTransfer? {
    context.map { Unmanaged<KannelTransfer>.fromOpaque($0).takeUnretainedValue() }
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

/// CURLOPT_PREREQFUNCTION(3): called when a connection exists and the request is about to be written.
///
/// If a kept connection ends without a byte of an answer, libcurl writes the same request again on a new one. The
/// server may have taken the first, so that this is prevented.
private func writeOnce(
    _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?,
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32
) -> Int32 {
    transfer(context)?.startWriting() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// CURLOPT_OPENSOCKETFUNCTION(3): libcurl connects to the address that is given here, so that a name cannot lead to
/// another one than was checked.
private func openSocket(
    _ context: UnsafeMutableRawPointer?, _: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address else { return CURL_SOCKET_BAD }
    return transfer(context)?.open(address) ?? CURL_SOCKET_BAD
}
