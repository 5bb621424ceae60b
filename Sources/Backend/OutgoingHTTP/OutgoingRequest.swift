internal import CCurl
internal import Glibc

/// A request to another server, and what libcurl hands over of the answer. One thread uses it.
///
/// Only what the caller gives is sent: no fields of libcurl's own, no cookies, no password; no proxy is used and no
/// redirect is followed. A connection is opened to an address that `mayConnect` allows, and to no other one.
public final class OutgoingRequest {
    /// The answers of push services (RFC 8030 5) and of Kannel have a few fields and a line of text, if any. What is longer
    /// ends the request.
    private static let maxHeadBytes = 8_192
    private static let maxBodyBytes = 8_192

    /// How long a request may take, in milliseconds.
    public struct Limits: Sendable {
        /// Name, connection and TLS.
        var connectTimeoutMs: Int
        /// All of it.
        var timeoutMs: Int
        /// The file of certificates to trust instead of the system's; for tests.
        var authorities: String?

        public init(
            connectTimeoutMs: Int = 3_000, timeoutMs: Int = 10_000, authorities: String? = nil
        ) {
            self.connectTimeoutMs = connectTimeoutMs
            self.timeoutMs = timeoutMs
            self.authorities = authorities
        }
    }

    private let handle: UnsafeMutableRawPointer
    private let mayConnect: (UnsafeRawBufferPointer) -> Bool
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var headBytes = 0
    private var bodyBytes = 0
    /// Whether the head of an answer has come as far as its empty line.
    private var hasWholeHead = false

    /// Starts libcurl once; to be called before there is a handle (curl_global_init(3)).
    public static func startLibrary() { _ = isStarted }
    private static let isStarted: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

    /// - Parameters:
    ///   - handle: an easy handle of libcurl, which stays the caller's.
    ///   - mayConnect: whether a connection may be opened to a socket address (ip(7), ipv6(7)).
    public init(
        handle: UnsafeMutableRawPointer,
        mayConnect: @escaping (UnsafeRawBufferPointer) -> Bool
    ) {
        self.handle = handle
        self.mayConnect = mayConnect
    }

    deinit { curl_slist_free_all(fields) }

    /// Sets the handle up for a POST. This object must live until libcurl has ended the request, and the handle is to be
    /// reset afterwards: it names the fields and this object until then.
    public func prepare(
        url: String, isSecure: Bool, fields lines: [String], body: [UInt8], _ limits: Limits
    ) {
        curl_easy_reset(handle)
        // Empty fields keep libcurl from adding its own (CURLOPT_HTTPHEADER(3)).
        for line in lines + ["Accept:", "Expect:", "User-Agent:"] {
            fields = curl_slist_append(fields, line)
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        clup_curl_set_text(handle, CURLOPT_URL, url)
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

    /// The status of the answer after the end, even if its body did not end; nil if its head did not come.
    public var status: Int? {
        hasWholeHead ? clup_curl_get_long(handle, CURLINFO_RESPONSE_CODE) : nil
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

    fileprivate func open(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        // `addr` is the beginning of an address of `addrlen` bytes (CURLOPT_OPENSOCKETFUNCTION(3)).
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else {
            return CURL_SOCKET_BAD
        }
        let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(address) + offset, count: Int(address.pointee.addrlen))
        guard mayConnect(bytes) else { return CURL_SOCKET_BAD }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            address.pointee.protocol)
    }
}

private func request(_ context: UnsafeMutableRawPointer?) -> OutgoingRequest? {
    context.map { Unmanaged<OutgoingRequest>.fromOpaque($0).takeUnretainedValue() }
}

/// CURLOPT_WRITEFUNCTION(3): a result smaller than the given size ends the transfer.
private func receive(
    _: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int { request(context)?.takeBody(size * count) == true ? size * count : 0 }

/// CURLOPT_HEADERFUNCTION(3): it is called for each line, including the empty one at the end.
private func readHead(
    _ line: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let bytes = UnsafeRawBufferPointer(start: line, count: size * count)
    return request(context)?.takeLine(bytes) == true ? bytes.count : 0
}

/// CURLOPT_OPENSOCKETFUNCTION(3): libcurl connects to the address that is given here. A name that leads elsewhere when
/// it is looked up again can therefore not pass the check with one address and be connected to another one.
private func openSocket(
    _ context: UnsafeMutableRawPointer?, _: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address else { return CURL_SOCKET_BAD }
    return request(context)?.open(address) ?? CURL_SOCKET_BAD
}
