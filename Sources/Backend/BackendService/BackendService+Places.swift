public import BackendAPI
internal import Cryptography
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// The calls of customers' phones (rules: capabilities, proofs). A phone has no key; what it may see or do is decided by the
/// capability in the body and, to change a place, by the ten digits of the ticket.
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

    /// Adds the link to its page to a reservation that was confirmed, and the link in its symbol: for paper, if its shop has
    /// such pages, and for the phone that took it always; to an order that was announced, for the shop's mail; and to one
    /// whose customer has come, for the paper.
    func linked(
        _ result: Result<QueueOutcome, Refused>, of shop: Shop, on channel: Channel
    ) -> Result<QueueOutcome, Refused> {
        guard let pages = options.phones else { return result }
        if case .success(.confirmed(var reservation, let day)) = result,
            shop.policy.phones.hasPages || channel.isPhone
        {
            reservation.link = Self.capability(reservation.code, reservation.number, on: day)
                .link(to: pages.page)
            reservation.symbol = symbolLink(of: reservation.code, in: shop)
            return .success(.confirmed(reservation, day: day))
        }
        if case .success(.announced(var receipt, let isNew)) = result, shop.hasOrderPages {
            receipt.link = receipt.code.link(at: pages.origin, isSymbol: false)
            receipt.symbol = symbolLink(of: receipt.code, in: shop)
            return .success(.announced(receipt, isNew: isNew))
        }
        if case .success(.order(var order, let isNew)) = result, shop.hasOrderPages,
            let code = order.ticket?.code
        {
            order.ticket?.link = PickupOrderRecord.capability(of: code, order.id).map {
                "\(pages.orderPage)#\($0.rawValue)"
            }
            order.ticket?.symbol = symbolLink(of: code, in: shop)
            return .success(.order(order, isNew: isNew))
        }
        return result
    }

    /// Answers a phone's request: `respond` is called exactly once, now or from the store's queue.
    public func handlePhone(
        _ request: WireRequest, respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        do throws(RefusedCall) {
            if let refusal = misdirectedPhone(request) { throw RefusedCall(refusal) }
            let call = try publicCall(request)
            switch call {
            case .holds: try join(request, respond)
            case .confirmation, .release: try answerOffer(call, request, respond)
            case .devicePlaces: try listDevicePlaces(request, respond)
            case .shops: try listShops(request, respond)
            case .slots: try listSlots(request, respond)
            case .suggestions: try suggestSlots(request, respond)
            case .move: try moveVisit(request, respond)
            case .calendar: try sendCalendar(request, respond)
            case .place, .withdrawal, .delay, .reclaim, .undo, .coming, .sessions, .updates:
                try servePlace(call, request, respond)
            case .opening: try openByCode(request, respond)
            case .subscription: try subscribe(request, respond)
            case .subscriptionEnd: try endSubscription(request, respond)
            case .number: try giveNumber(request, respond)
            case .numberEnd: try endNumber(request, respond)
            case .order: try followOrder(request, respond)
            case .arrival: try arrive(request, respond)
            }
        } catch { respond(error.response) }
    }

    /// Answers a call for one place.
    private func servePlace(
        _ call: PublicCall, _ request: WireRequest,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let body = try request.decoded(
            PlaceRequest.self,
            "{\"capability\": the text after # of the link, "
                + "\"code\": ten digits, \"people\": how many to let ahead}"
        ) { body in
            (body.code.map({ TypedCode(rawValue: $0) != nil }) ?? true)
                && (body.people.map(DelayOffer.peopleInRequests.contains) ?? (call != .delay))
        }
        openPlace(body.capability, request) { [self] result in
            do throws(RefusedCall) {
                let (place, shown) = try result.get()
                try serve(call, body, place, shown, request, respond)
            } catch { respond(error.response) }
        }
    }

    /// Finds the place that a capability opens, and what is shown of it; a capability that has ended is as one that never was.
    func openPlace(
        _ capability: String, _ request: WireRequest,
        _ opened:
            @escaping @Sendable (
                Result<(place: OpenedPlace, shown: FollowedPlace), RefusedCall>
            ) -> Void
    ) {
        follow(capability, request) { [self] result in
            do throws(RefusedCall) {
                let place = try result.get()
                places.show(place.record, of: place.shop) { [self] shown in
                    do throws(RefusedCall) {
                        guard let shown = try present(shown) else { throw RefusedCall(.notFound) }
                        opened(.success((place, shown)))
                    } catch { opened(.failure(error)) }
                }
            } catch { opened(.failure(error)) }
        }
    }

    /// The result of a look for a phone. Phones that ask too much are no trouble of the store.
    func present<Value>(_ result: Result<Value, StoreError>) throws(RefusedCall) -> Value {
        do { return try result.get() } catch {
            guard error.code == .overloaded else { throw RefusedCall(unavailable(error)) }
            log.note("phone-lookups-limited", [:])
            throw RefusedCall(Answers.unavailable)
        }
    }

    /// A place that the caller may see.
    struct OpenedPlace {
        let record: ReservationRecord
        let confirmation: Confirmation
        let shop: Shop

        var id: ReservationID { record.hold.id }

        /// Nil for a hold that was never confirmed, and for a ticket of a machine if its shop has no such pages.
        init?(_ record: ReservationRecord, of shop: Shop) {
            guard let confirmation = record.confirmation,
                shop.policy.phones.hasPages || record.hold.channel.isPhone
            else { return nil }
            self.record = record
            self.confirmation = confirmation
            self.shop = shop
        }

        var capability: Capability {
            BackendService.capability(
                confirmation.code, confirmation.number, on: record.hold.day)
        }
    }

    private func publicCall(_ request: WireRequest) throws(RefusedCall) -> PublicCall {
        guard let call = PublicCall(path: request.path) else { throw RefusedCall(.unknownRoute) }
        try checkForm(
            of: request, call.method, maxBodyBytes: call.maxBodyBytes,
            carriesKey: call.carriesKey)
        guard call != .updates else { throw .needsSocket }
        // Another site's page cannot send this type without asking first, and is never allowed to (CORS).
        guard request.fields[HeaderField.contentType] == Answers.json else {
            throw RefusedCall(.malformed, "the body must be of the type \(Answers.json)")
        }
        return call
    }

    func shop(_ tag: ShopTag) -> Shop? { store.shops().first { $0.tag == tag } }

    /// Finds the place that a capability opens. Every other capability gets the same answer, and counts for the address
    /// that tries it.
    func follow(
        _ capability: String, _ request: WireRequest,
        _ opened: @escaping @Sendable (Result<OpenedPlace, RefusedCall>) -> Void
    ) {
        let capability = Capability(rawValue: capability)
        let shop = capability.flatMap { self.shop($0.tag) }
        if let capability, let shop,
            let place = places.record(of: capability).flatMap({ OpenedPlace($0, of: shop) }),
            place.capability == capability
        {
            return opened(counted(place, request))
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
                guard let place = record.flatMap({ OpenedPlace($0, of: shop) }),
                    Cryptography.equal(
                        Array(capability.rawValue.utf8), Array(place.capability.rawValue.utf8))
                else { throw RefusedCall(.notFound) }
                limiters[.capabilities]?.giveBack(limited)
                places.remember(place.record, of: shop.id, as: capability)
                opened(counted(place, request))
            } catch { opened(.failure(error)) }
        }
    }

    /// The place, unless its capability is used too often from this address: those who have a photograph of the symbol do
    /// not keep its holder away. Those who have its code, and the browser that took the place, are counted apart, so that no
    /// other caller keeps them away at their own address either. Only known capabilities and codes are counted, so that
    /// guesses fill no memory.
    func counted(
        _ place: OpenedPlace, _ request: WireRequest, hasCode: Bool = false
    ) -> Result<OpenedPlace, RefusedCall> {
        do throws(RefusedCall) {
            let name =
                hasCode
                ? Self.limited(request, place.id.rawValue + "/code")
                : Self.limited(
                    request, place.id.rawValue, isOwn: isTaken(place, by: request))
            try take(.pages, of: name, ["shop": place.shop.id.rawValue])
            return .success(place)
        } catch { return .failure(error) }
    }

    /// The name by which limits count an address or, of that, the calls for one place or order, by its identifier.
    ///
    /// - Parameter isOwn: whether the call is its customer's. Those who have only its link, and the customer, are counted
    ///   apart, so that neither takes a right from the other.
    static func limited(
        _ request: WireRequest, _ subject: String = "", isOwn: Bool = false
    ) -> String {
        "phone/\(request.client)/\(subject)" + (isOwn ? "/own" : "")
    }

    private func serve(
        _ call: PublicCall, _ body: PlaceRequest, _ place: OpenedPlace, _ shown: FollowedPlace,
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        switch call {
        case .place:
            var shown = withEntry(shown, of: place, for: request)
            shown.pushKey = options.pushes?.publicKey
            withSMS(shown, of: place) { respond(Answers.response($0)) }
        case .sessions:
            guard let answerSigner = options.answerSigner else {
                return respond(Answers.unavailable)
            }
            let ticket = PlaceTicket(of: place.id, place.capability, now: clock())
            respond(
                Answers.created(
                    SessionReply(
                        ticket: ticket.text(by: answerSigner),
                        seconds: Int(SessionTicket.lifetime))))
        case .withdrawal:
            let proof = try proof(body.code, of: place, request)
            try perform(.delete(proof: proof), on: place, request, respond)
        case .delay:
            let proof = try proof(body.code, of: place, request)
            try perform(
                .delay(people: body.people ?? 0, proof: proof), as: .trial, on: place, request,
                respond)
        case .reclaim:
            let proof = try proof(body.code, of: place, request)
            try perform(.reclaim(proof: proof), on: place, request, respond)
        case .undo:
            let proof = try proof(body.code, of: place, request)
            try perform(.undo(proof: proof), as: .trial, on: place, request, respond)
        case .coming:
            _ = try proof(body.code, of: place, request)
            // A place that was not taken elsewhere is asked nothing.
            guard place.record.hold.isRemote else { return respond(Answers.done) }
            try perform(.comes, as: .answer, on: place, request, respond)
        case .updates: throw .needsSocket
        // These calls are for no place yet, or have another body.
        case .opening, .holds, .slots, .suggestions, .move, .calendar, .confirmation, .release,
            .subscription,
            .subscriptionEnd, .number, .numberEnd, .devicePlaces, .shops, .order, .arrival:
            throw RefusedCall(.unknownRoute)
        }
    }

    /// Adds what lets the customer in for the device that took the place, and for no other, as long as it is of use.
    private func withEntry(
        _ shown: FollowedPlace, of place: OpenedPlace, for request: WireRequest
    ) -> FollowedPlace {
        guard isTaken(place, by: request), shown.reservation.status.isOpen,
            let symbol = symbol(of: place)
        else { return shown }
        var shown = shown
        shown.entry = EntryOnPhone(symbol: symbol, typedCode: place.confirmation.typedCode)
        return shown
    }

    /// Takes a right of each limit, or none.
    func takeAll(
        _ limited: [(action: LimitedAction, name: String)], of shop: ShopID, _ request: WireRequest
    ) throws(RefusedCall) {
        for (index, (action, name)) in limited.enumerated() {
            do throws(RefusedCall) {
                try take(
                    action, of: name, ["shop": shop.rawValue, "from": request.client])
            } catch {
                for former in limited[..<index] { limiters[former.action]?.giveBack(former.name) }
                throw error
            }
        }
    }

    /// The kinds of changes of a place that are limited apart, so that the place can always be given back, and a customer
    /// can always say to be coming.
    enum PlaceChange: String {
        case lasting = ""
        /// A delay or an undo, which a customer may try several times.
        case trial = "/trial"
        /// The answer to the question whether the customer is coming.
        case answer = "/answer"
        /// Another slot of a visit.
        case move = "/move"
    }

    /// Each change leaves rows, and moves all those behind; what is only answered again counts for nothing.
    private func perform(
        _ command: ReservationCommand, as kind: PlaceChange = .lasting, on place: OpenedPlace,
        _ request: WireRequest,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        // Phones that follow a place have no name: their keys are those of the place.
        try change(
            .reservation(place.id, command), as: kind, on: place,
            by: HolderID("place/\(place.id)"), request,
            { Answers.storedWithoutBody($0, at: $1) }, respond)
    }

    /// Has a place changed by a holder's name, with the limit of its kind of change.
    func change(
        _ command: MachineRequest, as kind: PlaceChange, on place: OpenedPlace, by holder: HolderID,
        _ request: WireRequest,
        _ answer: @escaping @Sendable (Result<QueueOutcome, Refused>, Moment) -> StoredAnswer,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let name = place.id.rawValue + kind.rawValue
        try takeAll([(.placeChanges, name)], of: place.shop.id, request)
        perform(command, of: holder, in: place.shop, request, answer: answer) {
            [self] result in
            if case .answered(_, replayed: false) = result {
            } else {
                limiters[.placeChanges]?.giveBack(name)
            }
            respond(response(to: result))
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
                let shop = self.shop(ticket.tag)
            else { throw notAuthentic("wrong-ticket") }
            guard !places.isFull(shop.id, for: ticket.reservation) else {
                log.note("phone-sockets-limited", ["shop": shop.id.rawValue])
                throw RefusedCall(
                    .unavailable, "the shop has as many pages open as it may",
                    fields: [HeaderField.retryAfter: "30"])
            }
            let admit: @Sendable (ReservationRecord?) throws(RefusedCall) -> Void = {
                [places] record throws(RefusedCall) in
                guard let record, let place = OpenedPlace(record, of: shop),
                    ticket.opens(place.capability)
                else { throw RefusedCall(.notFound) }
                decide(.admitted { places.add($0, to: record, of: shop.id) })
            }
            if let known = places.record(of: ticket.reservation) {
                // It may have been moved since it was read, and has another link then.
                return places.show(known, of: shop) { [self] result in
                    do throws(RefusedCall) {
                        try admit(try present(result) == nil ? nil : known)
                    } catch { decide(.refused(error.response)) }
                }
            }
            store.record(of: .id(ticket.reservation), in: shop.id) { [self] result in
                do throws(RefusedCall) {
                    try admit(try present(result))
                } catch { decide(.refused(error.response)) }
            }
        } catch { decide(.refused(error.response)) }
    }
}
