internal import CCups
internal import KioskRuntime

struct IPPAddress: Hashable, Sendable {
    /// A host's name or address, or the path of a unix socket.
    var host: String
    /// The TCP port; ignored for a socket.
    var port: Int
    var encrypted = false
}

extension IPPAddress {
    /// The address of a CUPS server as configured: nothing, `host`, `host:port`, `[address]:port` or a socket's path.
    ///
    /// Sets this server for the thread too: libcups functions that look up destinations ask the thread's server, not
    /// the connection that they are given.
    init(server: String?) {
        cupsSetServer(server)
        // libcups has now parsed the text, or chosen a server (CUPS_SERVER, client.conf, the usual socket).
        host = cupsServer().map { String(cString: $0) } ?? "localhost"
        port = Int(ippPort())
    }
}

enum IPPFault: Error, Hashable, Sendable {
    /// No server listens there, so nothing was sent; with libcups's message.
    case absent(String)
    /// The server closed the connection or stopped answering in the middle.
    case unreachable(String)
    /// The server answered with an error (RFC 8011 appendix B) and this message.
    case refused(status: Int, message: String)

    /// Whether the server may have carried out the request all the same.
    var isUnknown: Bool { if case .unreachable = self { true } else { false } }
    var isNotFound: Bool { self.status == Int(IPP_STATUS_ERROR_NOT_FOUND.rawValue) }
    var isNotAccepting: Bool { self.status == Int(IPP_STATUS_ERROR_NOT_ACCEPTING_JOBS.rawValue) }

    private var status: Int? { if case .refused(let status, _) = self { status } else { nil } }
}

extension BoundedWorker {
    /// The result of a question to another program; no answer in time is a fault.
    func result<Value: Sendable>(
        within limit: Duration, evenLate: Bool = false,
        late: @escaping @Sendable (Result<Value, IPPFault>) -> Void = { _ in },
        _ work: @escaping @Sendable () throws(IPPFault) -> Value
    ) async -> Result<Value, IPPFault> {
        await run(within: limit, evenLate: evenLate, late: late) { Result(catching: work) }
            ?? .failure(.unreachable("no answer within \(limit)"))
    }
}

/// A connection for one question or one job. It is not used again, because libcups would try for up to 30 s to reopen
/// a connection that died.
struct IPPConnection: ~Copyable {
    /// libcups's `http_t`; valid while this value lives.
    let http: OpaquePointer

    /// Timeout of a connection attempt, needed because an unplugged host never refuses one.
    private static let connectTimeoutMs: Int32 = 1_000
    /// Timeout of one answer; a printer needs less to answer.
    private static let answerTimeoutSeconds = 1.2

    init(to address: IPPAddress) throws(IPPFault) {
        // libcups keeps these settings for each thread, and a dispatch queue has no thread of its own. Without the
        // callback, a 401 would make libcups ask for a password at /dev/tty.
        cupsSetPasswordCB2({ _, _, _, _, _ in nil }, nil)
        let socket = address.host.hasPrefix("/")
        let http = httpConnect2(
            address.host, socket ? 0 : Int32(clamping: address.port), nil, AF_UNSPEC,
            address.encrypted ? HTTP_ENCRYPTION_ALWAYS : HTTP_ENCRYPTION_IF_REQUESTED, 1,
            Self.connectTimeoutMs, nil)
        guard let http else { throw .absent(Self.lastMessage) }
        // The callback returns 0, which makes libcups give up the call.
        httpSetTimeout(http, Self.answerTimeoutSeconds, { _, _ in 0 }, nil)
        self.http = http
    }

    deinit { httpClose(http) }

    /// Sends a request and reads its answer; an error of the server is thrown as a fault.
    func ask(_ request: consuming IPPMessage, at resource: String) throws(IPPFault) -> IPPMessage {
        // cupsDoRequest frees the request in any case.
        try Self.checked(cupsDoRequest(http, request.release(), resource))
    }

    private static func checked(_ answer: OpaquePointer?) throws(IPPFault) -> IPPMessage {
        guard let answer else { throw lastFault }
        let message = IPPMessage(answer)
        guard message.isSuccess else { throw lastFault }
        return message
    }

    /// Does the same as `ask(_:at:)`, with a document after the request.
    func ask(
        _ request: consuming IPPMessage, with document: [UInt8], at resource: String
    ) throws(IPPFault) -> IPPMessage {
        let length = ippLength(request.pointer) + document.count
        guard cupsSendRequest(http, request.pointer, resource, length) == HTTP_STATUS_CONTINUE,
            document.withUnsafeBytes({ bytes in
                cupsWriteRequestData(
                    http, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
            }) == HTTP_STATUS_CONTINUE
        else { throw Self.lastFault }
        return try Self.checked(cupsGetResponse(http, resource))
    }

    /// The fault that libcups reports for its last call on this thread.
    static var lastFault: IPPFault {
        let status = cupsLastError()
        let local = [
            IPP_STATUS_ERROR_SERVICE_UNAVAILABLE, IPP_STATUS_ERROR_INTERNAL,
            IPP_STATUS_ERROR_TIMEOUT,
        ]
        return local.contains(status) || status.rawValue < 0
            ? .unreachable(lastMessage)
            : .refused(status: Int(status.rawValue), message: lastMessage)
    }

    static var lastMessage: String {
        cupsLastErrorString().map { String(cString: $0) } ?? "no reason given"
    }
}
