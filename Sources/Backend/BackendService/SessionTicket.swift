public import BackendAPI
internal import Cryptography
internal import ReservationStore
internal import Reservations

/// A ticket that opens a WebSocket once: a browser cannot sign the address of a socket (rules: sockets).
///
/// The ticket is complete in itself and can be made by the backend only; every server of a database accepts it. Its
/// nonce is that of the request that asked for it: a request that is sent again brings the same ticket, and the
/// database remembers the nonce when a socket opens.
struct SessionTicket: Hashable {
    /// How long a ticket can be used: a page opens its socket at once.
    static let lifetime: Int64 = 30

    let keyID: String
    let nonce: String
    /// The end of its validity, in seconds since 1970.
    let expires: Int64

    init(for signature: VerifiedSignature, now: Int64) {
        keyID = signature.keyID
        nonce = signature.nonce
        expires = now + Self.lifetime
    }

    /// Reads the ticket of a request for a socket, if this backend made it and it is still valid.
    init?(_ request: WireRequest, by signer: AnswerSigner?, now: Int64) {
        guard let words = request.ticketWords(by: signer), words.count == 3,
            let expires = Int64(words[2]), now < expires
        else { return nil }
        keyID = words[0]
        nonce = words[1]
        self.expires = expires
    }

    /// The ticket as it is written in the socket's address.
    func text(by signer: AnswerSigner) -> String {
        signer.authenticated("\(keyID).\(nonce).\(expires)")
    }
}

extension WireRequest {
    /// The words of the ticket in the address of a WebSocket; nil if there is none that this backend made.
    func ticketWords(by signer: AnswerSigner?) -> [String]? {
        let prefix = "ticket="
        guard query.hasPrefix(prefix) else { return nil }
        return signer?.text(ofAuthenticated: String(query.dropFirst(prefix.count)))?
            .split(separator: ".").map { String($0) }
    }
}

extension BackendService {
    func session(_ call: Call) throws(RefusedCall) -> WireResponse {
        guard let answerSigner = options.answerSigner else { return Answers.unavailable }
        try take(.sessions, of: call.caller)
        var readsLinks = false
        if !call.request.body.isEmpty {
            let form = "missing or {\"readsLinks\": whether codes in links are handed over}"
            readsLinks = try call.body(SessionRequest.self, form).readsLinks
        }
        note(readsLinks: readsLinks, of: call)
        let ticket = SessionTicket(for: call.signature, now: clock().seconds)
        return Answers.created(
            SessionReply(
                ticket: ticket.text(by: answerSigner), seconds: Int(SessionTicket.lifetime)))
    }

    /// Decides whether a request becomes the socket of GET /v1/turns: its ticket must be valid, and new to all
    /// servers.
    ///
    /// `decide` is called exactly once, now or after the commit that remembers the ticket.
    public func admitSocket(
        _ request: WireRequest, decide: @escaping @Sendable (SocketAdmission) -> Void
    ) {
        do throws(RefusedCall) {
            guard names.serve(request.authority) else { throw misdirection(of: request) }
            guard Route(path: request.path, method: request.method)?.name == .turns else {
                throw RefusedCall(.unknownRoute)
            }
            guard
                let ticket = SessionTicket(
                    request, by: options.answerSigner, now: clock().seconds),
                let caller = directory.machine(keyID: ticket.keyID),
                API.turns.roles.contains(caller.role)
            else { throw notAuthentic("wrong-ticket") }
            let shop = caller.shop.id
            guard !feed.isFull(shop, for: ticket.keyID) else {
                log.note("sockets-limited", ["shop": shop.rawValue])
                throw RefusedCall(
                    .unavailable, "the shop has as many sockets open as it may",
                    fields: [HeaderField.retryAfter: "10"])
            }
            use(ticket, of: caller, decide)
        } catch { decide(.refused(error.response)) }
    }

    private func use(
        _ ticket: SessionTicket, of caller: KnownMachine,
        _ decide: @escaping @Sendable (SocketAdmission) -> Void
    ) {
        let shop = caller.shop.id
        store.perform(
            AuthenticatedRequest(
                shop: shop, sender: .machine(caller.machine),
                nonce: nonce(ticket.nonce, of: ticket.keyID),
                idempotencyKey: "", fingerprint: [], command: .useNonce,
                answer: { Answers.stored($0, at: $1) })
        ) { [self] result in
            switch result {
            case .answered:
                decide(
                    .admitted { [feed] socket in
                        feed.add(socket, keyID: ticket.keyID, role: caller.role, of: shop)
                    })
            case .unavailable(let error): decide(.refused(unavailable(error)))
            case .nonceSeen, .keyReused:
                decide(.refused(notAuthentic("used-ticket", caller.machine).response))
            }
        }
    }
}
