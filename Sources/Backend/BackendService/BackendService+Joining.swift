public import BackendAPI
internal import Cryptography
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// How a customer at the door takes a place on a phone (rules: joining): the invitation in the body shows that the
/// customer is, or was a moment ago, in front of the shop, and the cookie names the device.
extension BackendService {
    // MARK: - Invitations

    /// The status of a queue for the shop's machines: with the invitation of this minute, if a phone would get a place now,
    /// and with another shop nearby, if the wait there is much shorter (rules: nearby-shop).
    func status(of shop: Shop) -> QueueStatus? {
        guard var status = store.status(of: shop.id) else { return nil }
        status.join = invitation(of: shop.id, ticket: status.wait)?.link
        status.nearby = nearbyShops.named(in: status, of: shop)
        return status
    }

    /// Adds the symbol for the turn display: for joining, if a phone would get a place now, and otherwise for the customers
    /// of orders, if they may say on a phone to be here (rules: order-arrivals).
    func addSymbols(to turns: inout TurnsMessage, of shop: ShopID) {
        turns.joinSymbol = invitation(of: shop, ticket: turns.wait)?.symbol
        guard turns.joinSymbol == nil, turns.open, let shop = store.shop(shop), shop.hasOrderPages
        else { return }
        turns.arrivalSymbol = invitations?.shown(of: shop.tag, isForOrders: true).symbol
    }

    /// - Parameter ticket: The wait of a ticket taken now; nil if none is left, for phones neither.
    private func invitation(of shop: ShopID, ticket: WaitEstimate?) -> Invitations.Shown? {
        guard let invitations, ticket != nil, store.hasPhonePlace(in: shop) else { return nil }
        return store.shop(shop).map { invitations.shown(of: $0.tag) }
    }

    // MARK: - Pages

    /// The page for joining with the cookie of the browser's device: a new one, or its own for longer.
    ///
    /// It comes with the page, so that a call whose answer is lost is sent again by the same device.
    public func namingDevice(_ page: WireResponse, for request: WireRequest) -> WireResponse {
        guard let pages = options.phones else { return page }
        var page = page
        let device = PhoneDevice(request, of: pages) ?? PhoneDevice()
        page.fields[HeaderField.setCookie] = device.cookie(for: pages)
        return page
    }

    func device(of request: WireRequest) throws(RefusedCall) -> PhoneDevice {
        guard let pages = options.phones, let device = PhoneDevice(request, of: pages) else {
            throw RefusedCall(.deviceUnknown)
        }
        return device
    }

    // MARK: - Calls

    /// Holds the next place for the device, at the door or elsewhere.
    func join(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let body = try request.decoded(
            JoinRequest.self,
            "{\"invitation\": the text after # of the link}, or elsewhere "
                + "{\"shop\": the four characters at the end of the link, "
                + "\(Self.visitMember)}")
        guard let invitations else { throw RefusedCall(Answers.unavailable) }
        guard (body.invitation == nil) != (body.shop == nil), body.visit?.isPlausible ?? true,
            body.visit == nil || body.shop != nil
        else {
            throw RefusedCall(
                .malformed,
                "the body must have an invitation or a shop, and for a visit of 15 to 120 minutes "
                    + "a shop")
        }
        if body.shop != nil { return try joinRemotely(body, request, respond) }
        let device = try device(of: request)
        let invitation = Invitation(rawValue: body.invitation ?? "")
        guard let invitation, let shop = shop(invitation.tag), invitations.isGood(invitation) else {
            try take(.capabilities, of: Self.limited(request), ["from": request.client])
            let over = Problem(.invitationOver)
            guard let shop = invitation.flatMap({ shop($0.tag) }) else {
                throw RefusedCall(Answers.response(over))
            }
            // Its device may have taken a place, and not have heard of it.
            return showPlace(of: holders(of: device, request), in: shop.id, or: over, respond)
        }
        let name = shop.id.rawValue
        try take(.joins, of: name, ["shop": name])
        hold(.hold(.ticket), of: device.holder, in: shop, request) { [self] response in
            // What holds nothing leaves no row, and keeps no customer at the door from joining.
            if response.status != 201 { limiters[.joins]?.giveBack(name) }
            respond(response)
        }
    }

    /// Has a place held for the device, and answers with the offer, or with the way to the place that the device has.
    func hold(
        _ command: QueueCommand, of holder: HolderID, in shop: Shop, _ request: WireRequest,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        guard let signer = options.answerSigner else { return respond(Answers.unavailable) }
        let expires = clock() + OfferTicket.lifetime
        perform(.queue(command), of: holder, in: shop, request) { [self] in
            answer($0, at: $1, to: holder)
        } completion: { [self] result in
            guard case .answered(let answer, _) = result else {
                return respond(response(to: result))
            }
            if let held = JSONText.value(HeldPlace.self, answer.body) {
                let ticket = OfferTicket(
                    of: held.id, in: shop.tag, for: holder, expires: expires)
                return respond(
                    Answers.created(
                        PlaceOnOffer(held, of: shop, ticket: ticket.text(by: signer))))
            }
            let problem = JSONText.value(Problem.self, answer.body)
            guard let problem, problem.refusal == .alreadyWaiting, let place = problem.place else {
                return respond(Answers.response(answer))
            }
            showPlace(of: [holder], in: place.shop, on: place.day, or: problem, respond)
        }
    }

    /// Answers with the link to the page of the place that the device has, which its browser may have forgotten; with the
    /// refusal alone if there is none.
    ///
    /// - Parameters:
    ///   - holders: Those that the device may be.
    ///   - day: The day of the place; nil for the nearest one.
    func showPlace(
        of holders: [HolderID], in shop: ShopID, on day: CalendarDay? = nil, or refusal: Problem,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        findPlace(of: holders, in: shop, on: day) { [self] record in
            guard let pages = options.phones, let record, let confirmation = record.confirmation
            else { return respond(Answers.response(refusal)) }
            let place = PlaceOfHolder(
                shop: shop, day: record.hold.day, number: confirmation.number)
            var problem = Problem(Refused(.alreadyWaiting, place: place))
            problem.link = Self.capability(
                confirmation.code, confirmation.number, on: record.hold.day
            ).link(to: pages.page)
            respond(Answers.response(problem))
        }
    }

    /// Finds the confirmed place of a device in a shop; nil if there is none, or if the store cannot look.
    ///
    /// - Parameters:
    ///   - holders: Those that the device may be.
    ///   - day: The day of the place; nil for the nearest one.
    func findPlace(
        of holders: [HolderID], in shop: ShopID, on day: CalendarDay?,
        _ completion: @escaping @Sendable (ReservationRecord?) -> Void
    ) {
        guard let holder = holders.first else { return completion(nil) }
        store.place(of: holder, in: shop, on: day) { [self] result in
            guard case .success(.some(let record)) = result, record.confirmation != nil else {
                return findPlace(of: Array(holders.dropFirst()), in: shop, on: day, completion)
            }
            completion(record)
        }
    }

    /// Takes the place that was offered to the device, or gives it back.
    func answerOffer(
        _ call: PublicCall, _ request: WireRequest,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let body = try request.decoded(
            HeldPlaceRequest.self,
            "{\"ticket\": the ticket of the place on offer}")
        let holders = holders(of: try device(of: request), request)
        // No row is left by those who have not been offered a place on this device.
        guard
            let ticket = holders.lazy.compactMap({ [options, clock] in
                OfferTicket(body.ticket, of: $0, by: options.answerSigner, now: clock())
            }).first, let shop = shop(ticket.tag)
        else {
            try take(.capabilities, of: Self.limited(request), ["from": request.client])
            throw RefusedCall(.notFound)
        }
        try take(.answers, of: ticket.place.rawValue, ["shop": shop.id.rawValue])
        let command: MachineRequest =
            .held(ticket.place, call == .confirmation ? .confirm : .release)
        let holder = ticket.holder
        perform(command, of: holder, in: shop, request) { [self] in
            Answers.stored(linked($0, of: shop, on: .phone), at: $1)
        } completion: { [self] in
            let response = response(to: $0)
            if response.status < 300 {
                remoteJoins?.ended(holder, in: shop.id, isConfirmed: call == .confirmation)
            }
            respond(response)
        }
    }

    /// Has the store carry out a phone's command; its key is the holder's.
    func perform(
        _ command: MachineRequest, of holder: HolderID, in shop: Shop, _ request: WireRequest,
        answer: @escaping @Sendable (Result<QueueOutcome, Refused>, Moment) -> StoredAnswer,
        completion: @escaping @Sendable (RequestResult) -> Void
    ) {
        store.perform(
            AuthenticatedRequest(
                shop: shop.id, sender: .phone(holder), nonce: nil,
                idempotencyKey: request.idempotencyKey,
                fingerprint: SHA256.digest(Array("\(request.path)\n".utf8) + request.body),
                command: command, answer: answer), completion: completion)
    }

    /// The answer to a phone, which signs nothing.
    func response(to result: RequestResult) -> WireResponse {
        switch result {
        case .answered(let answer, _): return Answers.response(answer)
        case .keyReused: return RefusedCall(.keyReused).response
        case .unavailable(let error):
            // Two windows of a phone that ask at once are no trouble of the store.
            guard error.code == .busy else { return unavailable(error) }
            log.note("phone-busy", [:])
            return Answers.unavailable
        case .nonceSeen: return Answers.unavailable
        }
    }
}

/// What a device needs to take the place that it was offered, or to give it back: made by this backend, so that no other
/// text leaves a row in the database, and of no use without the device's cookie.
struct OfferTicket: Hashable {
    let tag: ShopTag
    let place: ReservationID
    let holder: HolderID
    /// The end of its validity, in seconds since 1970.
    let expires: Int64

    /// As long as answers to confirmations are kept (rules: idempotency-keys).
    static let lifetime = Duration.seconds(86_400)
    /// The ticket of a place's socket has another first word.
    private static let word = "offer"

    init(of place: ReservationID, in tag: ShopTag, for holder: HolderID, expires: Moment) {
        self.tag = tag
        self.place = place
        self.holder = holder
        self.expires = expires.seconds
    }

    /// Refuses every text that this backend has not made for this holder, or not lately.
    init?(_ text: String, of holder: HolderID, by signer: AnswerSigner?, now: Moment) {
        // The code is compared last, as that takes the longest.
        let written = text.split(separator: ".").map { String($0) }
        guard written.count == 6, written[0] == Self.word, written[3] == holder.rawValue,
            let tag = ShopTag(rawValue: written[1]), let expires = Int64(written[4]),
            now.seconds < expires, signer?.text(ofAuthenticated: text) != nil
        else { return nil }
        self.tag = tag
        place = ReservationID(written[2])
        self.holder = holder
        self.expires = expires
    }

    func text(by signer: AnswerSigner) -> String {
        signer.authenticated("\(Self.word).\(tag).\(place).\(holder).\(expires)")
    }
}
