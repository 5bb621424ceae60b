internal import CCups

/// Where something that speaks IPP listens.
struct IPPAddress: Hashable, Sendable {
    /// A host's name or address, or the path of a unix socket.
    var host: String
    /// Ignored for a socket.
    var port: Int
    var encrypted = false
}

/// Why a question got no answer that helps.
enum IPPFault: Error, Hashable, Sendable {
    /// Nobody listens there, so that nothing was sent; in libcups's words.
    case absent(String)
    /// Who listens there went away or silent in the middle.
    case unreachable(String)
    /// The answer was an error (RFC 8011 appendix B), with its words.
    case refused(status: Int, message: String)

    /// Whether what was asked may have happened all the same.
    var isUnknown: Bool { if case .unreachable = self { true } else { false } }
    var isNotFound: Bool { self.status == Int(IPP_STATUS_ERROR_NOT_FOUND.rawValue) }
    var isNotAccepting: Bool {
        self.status == Int(IPP_STATUS_ERROR_NOT_ACCEPTING_JOBS.rawValue)
    }

    private var status: Int? {
        if case .refused(let status, _) = self { status } else { nil }
    }
}

/// One connection for one question or one job: libcups, asked to send on a connection that died,
/// would try for up to 30 s to open it again.
struct IPPConnection: ~Copyable {
    /// libcups's `http_t`; valid while this value lives.
    let http: OpaquePointer

    /// A connection is made within a second or not at all; an unplugged host never refuses.
    private static let connectTimeoutMs: Int32 = 1_000
    /// How long one answer may take; a printer that is asked thinks less than this.
    private static let answerTimeoutSeconds = 1.2

    init(to address: IPPAddress) throws(IPPFault) {
        // libcups keeps these for each thread, and a dispatch queue has no thread of its own.
        // Without the first, a 401 would make libcups ask for a password at /dev/tty.
        cupsSetPasswordCB2({ _, _, _, _, _ in nil }, nil)
        let socket = address.host.hasPrefix("/")
        let http = httpConnect2(
            address.host, socket ? 0 : Int32(clamping: address.port), nil, AF_UNSPEC,
            address.encrypted ? HTTP_ENCRYPTION_ALWAYS : HTTP_ENCRYPTION_IF_REQUESTED, 1,
            Self.connectTimeoutMs, nil)
        guard let http else { throw .absent(Self.lastMessage) }
        // 0 from the callback: give the call up.
        httpSetTimeout(http, Self.answerTimeoutSeconds, { _, _ in 0 }, nil)
        self.http = http
    }

    deinit {
        httpClose(http)
    }

    /// Sends a request and reads its answer; errors of the other side are faults.
    func ask(_ request: consuming IPPMessage, at resource: String) throws(IPPFault) -> IPPMessage {
        // cupsDoRequest frees the request, whatever comes.
        let answer = cupsDoRequest(http, request.release(), resource)
        guard let answer else { throw Self.lastFault }
        let message = IPPMessage(answer)
        guard message.isSuccess else { throw Self.lastFault }
        return message
    }

    /// As `ask`, with a document behind the request.
    func ask(
        _ request: consuming IPPMessage, with document: [UInt8], at resource: String
    ) throws(IPPFault) -> IPPMessage {
        let length = ippLength(request.pointer) + document.count
        guard cupsSendRequest(http, request.pointer, resource, length) == HTTP_STATUS_CONTINUE,
            document.withUnsafeBytes({ bytes in
                cupsWriteRequestData(
                    http, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
            }) == HTTP_STATUS_CONTINUE,
            let answer = cupsGetResponse(http, resource)
        else { throw Self.lastFault }
        let message = IPPMessage(answer)
        guard message.isSuccess else { throw Self.lastFault }
        return message
    }

    /// What libcups says of its last call on this thread.
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
