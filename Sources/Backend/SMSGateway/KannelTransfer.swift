internal import CCurl
internal import OutgoingHTTP

/// Sends one message after the other to Kannel, over a connection that is kept.
final class KannelTransfer: @unchecked Sendable {
    // @unchecked: one thread at a time sends, and the last one that holds the object ends the connection
    // (libcurl-thread(3)).

    struct Limits {
        var request = OutgoingRequest.Limits()
        /// The longest rest, in seconds, after which a connection is used again. Servers, and the networks before them,
        /// end a connection that rests for longer; a request that is written at that moment has no answer.
        var maxRestSeconds = 20
        /// The socket addresses to which a connection without encryption may be opened; others for tests.
        var plainAddresses: @Sendable (UnsafeRawBufferPointer) -> Bool = KannelAddress.isPrivate
    }

    private let address: KannelAddress
    private let account: KannelAccount
    private let limits: Limits
    private let handle: UnsafeMutableRawPointer?
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
        let (isSecure, plainAddresses) = (address.isSecure, limits.plainAddresses)
        let request = OutgoingRequest(handle: handle) { isSecure || plainAddresses($0) }
        request.prepare(
            url: address.url, isSecure: isSecure, fields: fields(of: message),
            body: Array(message.text.utf8), limits.request)
        clup_curl_set_long(handle, CURLOPT_MAXAGE_CONN, limits.maxRestSeconds)
        clup_curl_set_prerequest(handle, writeOnce, Unmanaged.passUnretained(self).toOpaque())
        isWritten = false
        let code = withExtendedLifetime((self, request)) { curl_easy_perform(handle) }
        // The status says what became of the message, even if the answer's body did not end.
        let status = request.status
        // Connections stay.
        curl_easy_reset(handle)
        guard isWritten else { return SMSOutcome(unwritten: code) }
        return status.map { SMSOutcome(kannelStatus: $0) } ?? .uncertain
    }

    private func fields(of message: SMSMessage) -> [String] {
        var fields = [
            "Content-Type: text/plain; charset=UTF-8", "X-Kannel-Username: \(account.user)",
            "X-Kannel-Password: \(account.password)", "X-Kannel-To: \(message.to.rawValue)",
            // 0: the GSM 7 bit default alphabet.
            "X-Kannel-Coding: 0", "X-Kannel-Validity: \(message.validMinutes)",
        ]
        if let sender = account.sender { fields.append("X-Kannel-From: \(sender)") }
        return fields
    }

    /// Notes that the request is being written; false if it was before.
    fileprivate func startWriting() -> Bool {
        defer { isWritten = true }
        return !isWritten
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

/// CURLOPT_PREREQFUNCTION(3): called when a connection exists and the request is about to be written.
///
/// If a kept connection ends without a byte of an answer, libcurl writes the same request again on a new one. The
/// server may have taken the first, so that this is prevented.
private func writeOnce(
    _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?,
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32
) -> Int32 {
    let transfer = context.map { Unmanaged<KannelTransfer>.fromOpaque($0).takeUnretainedValue() }
    return transfer?.startWriting() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
