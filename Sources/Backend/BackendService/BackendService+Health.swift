internal import BackendAPI
internal import ReservationStore

/// What those ask who look after the server, without a signature; proxies keep it from others.
extension BackendService {
    private struct Ready: Encodable {
        let ready = true
    }

    /// Whether the process answers and the store can write, in a word.
    func health(_ request: WireRequest) -> WireResponse {
        guard isRead(request) else { return onlyReads }
        let isWell = store.trouble() == nil
        return WireResponse(
            status: isWell ? 200 : 503,
            fields: [
                HeaderField.contentType: "text/plain; charset=utf-8", "cache-control": "no-store",
            ], body: Array((isWell ? "ok\n" : "the store cannot write\n").utf8))
    }

    /// Whether this server is to be given requests now: 200, or 503 with the reason as a problem's detail.
    ///
    /// A server that starts does not listen yet, and one that stops is answered for by `HTTPServer`.
    func readiness(_ request: WireRequest) -> WireResponse {
        guard isRead(request) else { return onlyReads }
        guard let trouble = store.trouble() else { return Answers.response(Ready()) }
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
