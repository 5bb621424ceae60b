public import BackendAPI
internal import Cryptography
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// How customers' phones reach the pages of their places (rules 33).
public struct PhonePages: Hashable, Sendable {
    /// The address of the page, as `https://queue.example.it/t`; a capability follows after `#`.
    public var page: String
    /// The host of that address, the only one under which phones are answered.
    public var host: String
    /// WebSockets of the pages of one shop at once.
    public var maxSocketsPerShop: Int

    public init(page: String, host: String, maxSocketsPerShop: Int) {
        self.page = page
        self.host = host
        self.maxSocketsPerShop = maxSocketsPerShop
    }
}

/// The calls of customers' phones (rules 33). A phone has no key; what it may see or do is decided by the capability in
/// the body and, to give a place back, by the ten digits of the ticket.
extension BackendService {
    /// The capability of a confirmed reservation: 128 bits that follow from its entry code, and from which nothing
    /// follows about the code.
    static func capability(
        _ code: EntryCode, _ number: QueueNumber, on day: CalendarDay
    ) -> Capability {
        let digest = SHA256.digest(Array("clup-capability \(code.rawValue)".utf8))
        return Capability(
            tag: code.tag, day: day, number: number,
            proof: Array(digest.prefix(Capability.proofBytes)))
    }

    /// Adds the link for the second symbol to a reservation that was confirmed, if its shop has such pages.
    func linked(
        _ result: Result<QueueOutcome, Refused>, of shop: Shop
    ) -> Result<QueueOutcome, Refused> {
        guard let pages = options.phones, shop.policy.phones.hasPages,
            case .success(.confirmed(var reservation, let day)) = result
        else { return result }
        reservation.link = Self.capability(reservation.code, reservation.number, on: day)
            .link(to: pages.page)
        return .success(.confirmed(reservation, day: day))
    }

    /// Answers a phone's request: `respond` is called exactly once, now or from the store's queue.
    public func handlePhone(
        _ request: WireRequest, respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        do throws(RefusedCall) {
            if let refusal = misdirectedPhone(request) { throw RefusedCall(refusal) }
            let call = try publicCall(request)
            guard let body = JSONText.value(PlaceRequest.self, request.body),
                body.code.map({ TypedCode(rawValue: $0) != nil }) ?? true
            else {
                throw RefusedCall(
                    .malformed,
                    "the body must be {\"capability\": the text after # of the link, \"code\": ten digits}"
                )
            }
            follow(body, request) { [self] result in
                do throws(RefusedCall) {
                    let place = try result.get()
                    places.show(place.record, of: place.shop) { [self] shown in
                        do throws(RefusedCall) {
                            guard let shown = try present(shown) else {
                                throw RefusedCall(.notFound)
                            }
                            try serve(call, body, place, shown, request, respond)
                        } catch { respond(error.response) }
                    }
                } catch { respond(error.response) }
            }
        } catch { respond(error.response) }
    }

    /// The result of a look for a phone. Phones that ask too much are no trouble of the store.
    private func present<Value>(_ result: Result<Value, StoreError>) throws(RefusedCall) -> Value {
        do { return try result.get() } catch {
            guard error.code == .overloaded else { throw RefusedCall(unavailable(error)) }
            log.note("phone-lookups-limited", [:])
            throw RefusedCall(Answers.unavailable)
        }
    }

    /// A place that the caller may see.
    private struct OpenedPlace {
        let capability: Capability
        let record: ReservationRecord
        let confirmation: Confirmation
        let shop: Shop
    }

    private func publicCall(_ request: WireRequest) throws(RefusedCall) -> PublicCall {
        guard let call = PublicCall(path: request.path) else { throw RefusedCall(.unknownRoute) }
        guard request.method == call.method.rawValue else {
            throw RefusedCall(.methodNotAllowed, fields: ["allow": call.method.rawValue])
        }
        guard call != .updates else {
            throw RefusedCall(
                .upgradeRequired, fields: ["upgrade": "websocket", "connection": "upgrade"])
        }
        guard request.body.count <= PublicCall.maxBodyBytes else {
            throw RefusedCall(.tooLarge, "a body has at most \(PublicCall.maxBodyBytes) bytes")
        }
        // Another site's page cannot send this type without asking first, and is never allowed to (CORS).
        guard request.fields[HeaderField.contentType] == Answers.json else {
            throw RefusedCall(.malformed, "the body must be of the type \(Answers.json)")
        }
        let key = request.fields[HeaderField.idempotencyKey] ?? ""
        guard !call.carriesKey || PlainName.isValid(key) else {
            throw RefusedCall(.malformed, "Idempotency-Key: 1 to 64 of A-Z a-z 0-9 - _ is needed")
        }
        return call
    }

    /// Finds the place that a capability opens. Every other capability gets the same answer, and counts for the address
    /// that tries it.
    private func follow(
        _ body: PlaceRequest, _ request: WireRequest,
        _ opened: @escaping @Sendable (Result<OpenedPlace, RefusedCall>) -> Void
    ) {
        let capability = Capability(rawValue: body.capability)
        let shop = capability.flatMap { capability in
            store.shops().first { $0.tag == capability.tag && $0.policy.phones.hasPages }
        }
        if let capability, let shop, let record = places.record(of: capability),
            let confirmation = record.confirmation
        {
            return opened(
                counted(
                    OpenedPlace(
                        capability: capability, record: record, confirmation: confirmation,
                        shop: shop), request))
        }
        let limited = Self.limited(request)
        do throws(RefusedCall) {
            try take(.capabilities, of: limited, ["from": request.client])
        } catch { return opened(.failure(error)) }
        guard let capability, let shop else { return opened(.failure(RefusedCall(.notFound))) }
        store.record(of: .number(capability.number, capability.day), in: shop.id) { [self] result in
            do throws(RefusedCall) {
                let record: ReservationRecord?
                do throws(RefusedCall) { record = try present(result) } catch {
                    limiters[.capabilities]?.giveBack(limited)
                    throw error
                }
                guard let record, let confirmation = record.confirmation,
                    Self.isSame(
                        capability.rawValue,
                        Self.capability(
                            confirmation.code, confirmation.number, on: record.hold.day
                        ).rawValue)
                else { throw RefusedCall(.notFound) }
                limiters[.capabilities]?.giveBack(limited)
                places.remember(record, of: shop.id, as: capability)
                opened(
                    counted(
                        OpenedPlace(
                            capability: capability, record: record, confirmation: confirmation,
                            shop: shop), request))
            } catch { opened(.failure(error)) }
        }
    }

    /// The place, unless its capability is used too often from this address: those who have a photograph of the symbol do
    /// not keep its holder away. Only known capabilities are counted, so that guesses fill no memory.
    private func counted(
        _ place: OpenedPlace, _ request: WireRequest
    ) -> Result<OpenedPlace, RefusedCall> {
        do throws(RefusedCall) {
            try take(
                .pages, of: Self.limited(request, place), ["shop": place.shop.id.rawValue])
            return .success(place)
        } catch { return .failure(error) }
    }

    /// Compares in a time that does not depend on the place of the first difference.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        Cryptography.equal(Array(left.utf8), Array(right.utf8))
    }

    /// The name by which limits count an address or, of that, the calls for one place.
    private static func limited(_ request: WireRequest, _ place: OpenedPlace? = nil) -> String {
        "phone/\(request.client)/\(place?.record.hold.id.rawValue ?? "")"
    }

    private func serve(
        _ call: PublicCall, _ body: PlaceRequest, _ place: OpenedPlace, _ shown: FollowedPlace,
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        switch call {
        case .place: respond(Answers.response(shown))
        case .sessions:
            guard let answerSigner = options.answerSigner else {
                return respond(Answers.unavailable)
            }
            let ticket = PlaceTicket(of: place.record.hold.id, in: place.shop.tag, now: clock())
            respond(
                Answers.created(
                    SessionReply(
                        ticket: ticket.text(by: answerSigner),
                        seconds: Int(SessionTicket.lifetime))))
        case .withdrawal:
            let code = try proof(body, of: place, request)
            try perform(.delete(place.record.hold.id, .typed(code)), on: place, request, respond)
        case .undo:
            let code = try proof(body, of: place, request)
            try perform(.undo(place.record.hold.id, .typed(code)), on: place, request, respond)
        case .updates: throw RefusedCall(.upgradeRequired)
        }
    }

    /// The ten digits of the ticket. Wrong ones count for the place, and for each address of those who try: a photograph
    /// of the symbol for phones is not enough to give the place away, nor to keep its holder from it.
    private func proof(
        _ body: PlaceRequest, of place: OpenedPlace, _ request: WireRequest
    ) throws(RefusedCall) -> TypedCode {
        let limited = [
            (LimitedAction.codes, Self.limited(request, place)),
            (.digits, place.record.hold.id.rawValue),
        ]
        try takeAll(limited, place, request)
        guard let code = body.code.flatMap({ TypedCode(rawValue: $0) }),
            Self.isSame(code.rawValue, place.confirmation.typedCode.rawValue)
        else { throw RefusedCall(.wrongDigits) }
        for (action, name) in limited { limiters[action]?.giveBack(name) }
        return code
    }

    /// Takes a right of each limit, or none.
    private func takeAll(
        _ limited: [(action: LimitedAction, name: String)], _ place: OpenedPlace,
        _ request: WireRequest
    ) throws(RefusedCall) {
        for (index, (action, name)) in limited.enumerated() {
            do throws(RefusedCall) {
                try take(
                    action, of: name, ["shop": place.shop.id.rawValue, "from": request.client])
            } catch {
                for former in limited[..<index] { limiters[former.action]?.giveBack(former.name) }
                throw error
            }
        }
    }

    /// Each change leaves rows, and moves all those behind; what is only answered again counts for nothing.
    private func perform(
        _ command: MachineRequest, on place: OpenedPlace, _ request: WireRequest,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let name = place.record.hold.id.rawValue
        try takeAll([(.placeChanges, name)], place, request)
        store.perform(
            AuthenticatedRequest(
                shop: place.shop.id,
                sender: .phone(HolderID("place/\(place.record.hold.id)")), nonce: nil,
                idempotencyKey: request.fields[HeaderField.idempotencyKey] ?? "",
                fingerprint: SHA256.digest(Array("\(request.path)\n".utf8) + request.body),
                command: command, answer: { Answers.storedWithoutBody($0, at: $1) })
        ) { [self] result in
            if case .answered(_, replayed: false) = result {
            } else {
                limiters[.placeChanges]?.giveBack(name)
            }
            switch result {
            case .answered(let answer, _): respond(Answers.response(answer))
            case .keyReused: respond(RefusedCall(.keyReused).response)
            case .unavailable(let error): respond(unavailable(error))
            case .nonceSeen: respond(Answers.unavailable)
            }
        }
    }

    /// Decides whether a phone's request becomes the socket of its place.
    ///
    /// `decide` is called exactly once, now or from the store's queue.
    public func admitPhone(
        _ request: WireRequest, decide: @escaping @Sendable (SocketAdmission) -> Void
    ) {
        do throws(RefusedCall) {
            if let refusal = misdirectedPhone(request) { throw RefusedCall(refusal) }
            guard PublicCall(path: request.path) == .updates else {
                throw RefusedCall(.unknownRoute)
            }
            guard let ticket = PlaceTicket(request, by: options.answerSigner, now: clock()),
                let shop = store.shops().first(where: {
                    $0.tag == ticket.tag && $0.policy.phones.hasPages
                })
            else { throw notAuthentic("wrong-ticket") }
            guard !places.isFull(shop.id, for: ticket.reservation) else {
                log.note("phone-sockets-limited", ["shop": shop.id.rawValue])
                throw RefusedCall(
                    .unavailable, "the shop has as many pages open as it may",
                    fields: [HeaderField.retryAfter: "30"])
            }
            let admit: @Sendable (ReservationRecord) -> Void = { [places] record in
                decide(.admitted { places.add($0, to: record, of: shop.id) })
            }
            if let record = places.record(of: ticket.reservation) { return admit(record) }
            store.record(of: .id(ticket.reservation), in: shop.id) { [self] result in
                do throws(RefusedCall) {
                    guard let record = try present(result) else { throw RefusedCall(.notFound) }
                    admit(record)
                } catch { decide(.refused(error.response)) }
            }
        } catch { decide(.refused(error.response)) }
    }
}

/// A ticket that opens the WebSocket of a place: its address would be in logs, so that the capability cannot be in it.
///
/// It is signed by the backend, so that every server of a database accepts it, and valid for a moment. A reader of
/// logs who uses it meanwhile sees the place.
struct PlaceTicket: Hashable {
    let tag: ShopTag
    let reservation: ReservationID
    /// The end of its validity, in seconds since 1970.
    let expires: Int64

    /// A session's ticket has three words and begins with a key.
    private static let word = "place"

    init(of reservation: ReservationID, in tag: ShopTag, now: Moment) {
        self.tag = tag
        self.reservation = reservation
        expires = now.seconds + SessionTicket.lifetime
    }

    /// Reads the ticket of a request for a socket, if this backend made it and it is still valid.
    init?(_ request: WireRequest, by signer: AnswerSigner?, now: Moment) {
        let prefix = "ticket="
        guard request.query.hasPrefix(prefix), let signer,
            let text = signer.publicKey.text(
                ofSigned: String(request.query.dropFirst(prefix.count)))
        else { return nil }
        let words = text.split(separator: ".").map { String($0) }
        guard words.count == 4, words[0] == Self.word, let tag = ShopTag(rawValue: words[1]),
            let expires = Int64(words[3]), now.seconds < expires
        else { return nil }
        self.tag = tag
        reservation = ReservationID(words[2])
        self.expires = expires
    }

    func text(by signer: AnswerSigner) -> String {
        signer.signed("\(Self.word).\(tag).\(reservation).\(expires)")
    }
}
