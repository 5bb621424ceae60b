internal import CCurl
internal import OutgoingHTTP

/// One push on its way. One thread uses it.
final class PushTransfer {
    typealias Limits = OutgoingRequest.Limits

    let handle: UnsafeMutableRawPointer
    let pending: PendingPush
    /// The place of its service in the list.
    let service: Int
    private let request: OutgoingRequest

    init(
        handle: UnsafeMutableRawPointer, pending: PendingPush, match: PushServices.Match
    ) {
        self.handle = handle
        self.pending = pending
        service = match.index
        let reach = match.service.reach
        request = OutgoingRequest(handle: handle) { reach.includes(AddressScope($0)) }
    }

    /// Sets the request up. The transfer must live until libcurl has ended it.
    func prepare(
        _ push: Push, body: [UInt8], authorization: String, isSecure: Bool, _ limits: Limits
    ) {
        var fields = [
            "TTL: \(max(0, push.timeToLive))", "Urgency: \(push.urgency.rawValue)",
            "Content-Encoding: aes128gcm", "Content-Type: application/octet-stream",
            "Authorization: \(authorization)",
        ]
        if !push.topic.isEmpty { fields.append("Topic: \(push.topic)") }
        request.prepare(
            url: push.endpoint, isSecure: isSecure, fields: fields, body: body, limits)
    }

    /// The outcome after the end, even if the body did not end: the status says what became of the push.
    func outcome(now: Int64) -> PushOutcome {
        guard let status = request.status else { return .unreached }
        return PushOutcome(
            status: status,
            retryAfter: clup_curl_header(handle, "Retry-After").map { String(cString: $0) },
            now: now)
    }
}
