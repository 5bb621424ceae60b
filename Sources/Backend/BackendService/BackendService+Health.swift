internal import BackendAPI
internal import ReservationStore

/// Calls without a signature for administrators and monitoring; proxies keep them from all other callers.
extension BackendService {
    /// Says in a word whether the process answers and the store can write.
    func health(_ request: WireRequest) -> WireResponse {
        guard isRead(request) else { return onlyReads }
        let isWell = store.trouble() == nil
        return WireResponse(
            status: isWell ? 200 : 503,
            fields: [
                HeaderField.contentType: "text/plain; charset=utf-8", "cache-control": "no-store",
            ], body: Array((isWell ? "ok\n" : "the store cannot write\n").utf8))
    }

    /// Whether this server should be given requests now: 200, or 503 with the reason as a problem's detail.
    ///
    /// A server that starts does not listen yet, and `HTTPServer` answers for one that stops.
    func readiness(_ request: WireRequest) -> WireResponse {
        guard isRead(request) else { return onlyReads }
        guard let trouble = store.trouble() else { return Answers.response(["ready": true]) }
        return Answers.response(
            Problem(.unavailable, detail: trouble.description),
            fields: [HeaderField.retryAfter: "1"])
    }

    private func isRead(_ request: WireRequest) -> Bool {
        request.method == "GET" || request.method == "HEAD"
    }

    private var onlyReads: WireResponse {
        RefusedCall(.methodNotAllowed, fields: ["allow": "GET, HEAD"]).response
    }
}
