internal import BackendAPI
internal import ReservationStore
internal import Reservations
internal import SMSGateway
internal import SMSTexts

/// How customers give a telephone number (rules: confirmed-numbers): for SMS about a place, which they show to be theirs
/// (rules: proofs), or because a shop wants one of those who are elsewhere. No SMS goes to a number before its
/// owner has typed the code that was sent to it, but that code.
extension BackendService {
    /// What a number is confirmed for.
    private enum NumberPurpose {
        case place(OpenedPlace)
        case shop(Shop, PhoneDevice)

        var shop: Shop {
            switch self {
            case .place(let place): place.shop
            case .shop(let shop, _): shop
            }
        }

        var isOfShop: Bool {
            switch self {
            case .place: false
            case .shop: true
            }
        }

        /// The name by which a shop's codes are limited: those for places, which are shown to be the callers', are
        /// counted apart from those that everybody may ask for.
        var limited: String { shop.id.rawValue + (isOfShop ? "" : "/place") }

        /// What a code is good for.
        var scope: String {
            switch self {
            case .place(let place): place.id.rawValue
            case .shop(_, let device): device.holder.rawValue
            }
        }
    }

    /// A request whose number was understood.
    private struct GivenNumber {
        let number: PhoneNumber
        let digest: String
        let language: String
        let purpose: NumberPurpose
        /// The device of the request, if it has a cookie.
        let device: PhoneDevice?
    }

    private func sender() throws(RefusedCall) -> SMSSender {
        guard let sms else { throw RefusedCall(.unknownRoute) }
        return sms
    }

    // MARK: - The calls

    func giveNumber(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let sender = try sender()
        let body = try request.decoded(
            NumberRequest.self,
            "{\"capability\" of a place and \"typedCode\": its ten digits, or "
                + "\"shop\", \"number\": at most "
                + "\(NumberRequest.maxNumberLength) characters, \"language\": it, for example, "
                + "\"code\": what was sent to the number}"
        ) { body in
            (body.capability == nil) != (body.shop == nil)
                && (body.typedCode.map({ TypedCode(rawValue: $0) != nil }) ?? true)
                && body.number.unicodeScalars.count <= NumberRequest.maxNumberLength
                && Self.isLanguage(body.language)
        }
        let device = options.phones.flatMap { PhoneDevice(request, of: $0) }
        if let capability = body.capability {
            return openForSMS(capability, request) { [self] result in
                do throws(RefusedCall) {
                    let place = try result.get()
                    _ = try proof(body.typedCode, of: place, request)
                    try take(body, for: .place(place), device, sender, request, respond)
                } catch { respond(error.response) }
            }
        }
        guard let device else { throw RefusedCall(.deviceUnknown) }
        guard let shop = body.shop.flatMap({ ShopTag(rawValue: $0) }).flatMap(shop),
            shop.policy.phones.needsNumber
        else {
            try take(.capabilities, of: Self.limited(request), ["from": request.client])
            throw RefusedCall(.notFound)
        }
        // No customer gives a number, and no shop pays for a code, where there is no place to take: neither a ticket nor a
        // visit, which can be booked whenever the shop is closed or has no tickets.
        let phones = shop.policy.phones
        if !(phones.hasPlaces && phones.hasVisits), let refusal = remoteRefusal(at: shop) {
            throw RefusedCall(Answers.response(refusal))
        }
        try take(body, for: .shop(shop, device), device, sender, request, respond)
    }

    func endNumber(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        _ = try sender()
        let body = try request.decoded(
            NumberEndRequest.self,
            "{\"capability\", \"typedCode\": ten digits}"
        ) { body in
            (body.typedCode.map({ TypedCode(rawValue: $0) != nil }) ?? true)
        }
        openPlace(body.capability, request) { [self] result in
            do throws(RefusedCall) {
                let place = try result.get().place
                _ = try proof(body.typedCode, of: place, request)
                try mayChangeMessages(
                    of: .place(place.id), in: place.shop.id, isProved: true, request)
                store.endSMS(place.id, in: place.shop.id) { [self] ended in
                    do throws(RefusedCall) {
                        report(
                            try present(ended), about: place.confirmation.number, of: place.shop)
                        respond(Answers.done)
                    } catch { respond(error.response) }
                }
            } catch { respond(error.response) }
        }
    }

    /// Adds whether SMS about a place are on, if it can have some.
    func withSMS(
        _ shown: FollowedPlace, of place: OpenedPlace,
        _ completion: @escaping @Sendable (FollowedPlace) -> Void
    ) {
        guard let sms, canHaveSMS(place, shown) else { return completion(shown) }
        store.hasSMS(place.id, in: place.shop.id) { result in
            var shown = shown
            // Without an answer of the database nothing is claimed.
            if case .success(let hasNumber) = result {
                shown.sms = SMSOfPlace(
                    prefixes: sms.sending.prefixes,
                    isOn: hasNumber && !sms.isUsedUp(place.shop.id))
            }
            completion(shown)
        }
    }

    private func canHaveSMS(_ place: OpenedPlace, _ shown: FollowedPlace) -> Bool {
        place.shop.policy.phones.smsPerDay > 0
            && [.planned, .called].contains(shown.reservation.status)
    }

    /// Sends a last SMS to numbers that get no more about a place, since another person may have done that; a failure is
    /// ignored.
    private func report(_ ended: [EndedNumber], about number: QueueNumber, of shop: Shop) {
        guard let sms, !ended.isEmpty else { return }
        Task {
            for one in ended {
                guard let receiver = sms.numbers.opened(one.sealed),
                    await !sms.isStopped(receiver)
                else { continue }
                let text = SMSText.ended(number).text(
                    in: one.language, of: shop.name, hasAnswers: sms.sending.hasAnswers, link: nil)
                _ = await sms.send(
                    text, to: receiver, for: shop.id, as: .notice, validMinutes: 60)
            }
        }
    }

    /// Ends the SMS to the numbers that were given with the former code of a paper, and notifies them.
    func endFormerNumbers(of reservation: Reservation, in shop: Shop) {
        store.endSMS(reservation.id, in: shop.id, onlyUnproved: true) { [self] ended in
            // They do nothing more in any case.
            guard let ended = try? ended.get() else { return }
            report(ended, about: reservation.number, of: shop)
        }
    }

    private func openForSMS(
        _ capability: String, _ request: WireRequest,
        _ opened: @escaping @Sendable (Result<OpenedPlace, RefusedCall>) -> Void
    ) {
        openPlace(capability, request) { [self] result in
            do throws(RefusedCall) {
                let (place, shown) = try result.get()
                guard canHaveSMS(place, shown) else { throw RefusedCall(.notFound) }
                opened(.success(place))
            } catch { opened(.failure(error)) }
        }
    }

    // MARK: - Codes

    private func take(
        _ body: NumberRequest, for purpose: NumberPurpose, _ device: PhoneDevice?,
        _ sender: SMSSender, _ request: WireRequest,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let detail = ["shop": purpose.shop.id.rawValue, "from": request.client]
        let number = try read(body.number, sender)
        // Tries of a code are counted by the number; they cost no SMS. For a place, which is shown to be the caller's,
        // others of the address count apart.
        switch (purpose, body.code) {
        case (.place(let place), nil):
            try take(.numbers, of: Self.limited(request, place.id.rawValue), detail)
        case (.shop, nil): try take(.numbers, of: request.client, detail)
        case (.place, .some): break
        case (.shop, .some): try take(.capabilities, of: Self.limited(request), detail)
        }
        let given = GivenNumber(
            number: number, digest: sender.numbers.digest(of: number), language: body.language,
            purpose: purpose, device: device)
        if let code = body.code { return compare(code, with: given, sender, respond) }
        if case .place = purpose, let device,
            ConfirmedFor.allCases.contains(where: {
                confirmedNumber(of: device, for: $0, request) == given.digest
            })
        {
            return permit(nil, to: given.digest, respond) { [self] in
                confirm(given, sender, respond)
            }
        }
        permit(.code, to: given.digest, respond) { [self] in
            do throws(RefusedCall) {
                try take(.shopNumbers, of: purpose.limited, detail)
                sendCode(to: given, sender, respond)
            } catch {
                store.giveBack(.code, to: given.digest)
                respond(error.response)
            }
        }
    }

    /// The number that was typed, if SMS can be sent to it.
    private func read(_ text: String, _ sender: SMSSender) throws(RefusedCall) -> PhoneNumber {
        do throws(PhoneNumber.Fault) {
            return try PhoneNumber(typed: text, prefixes: sender.sending.prefixes)
        } catch {
            switch error {
            case .notServed: throw notServed(sender)
            case .notMobile: throw RefusedCall(.numberNotMobile)
            }
        }
    }

    private func notServed(_ sender: SMSSender) -> RefusedCall {
        var problem = Problem(.numberNotServed)
        problem.prefixes = sender.sending.prefixes
        return RefusedCall(Answers.response(problem))
    }

    /// Continues if the number may do something once more; with nil, if its owner has not answered STOP.
    private func permit(
        _ use: SMSUse?, to digest: String,
        _ respond: @escaping @Sendable (WireResponse) -> Void,
        _ proceed: @escaping @Sendable () -> Void
    ) {
        store.permit(use, to: digest) { [self] result in
            do throws(RefusedCall) {
                switch try present(result) {
                case .given: proceed()
                case .usedUp: throw RefusedCall(use == .code ? .smsUsedUp : .tooManyRequests)
                case .noCode: throw RefusedCall(.wrongCode)
                case .stopped: throw RefusedCall(.numberStopped)
                }
            } catch { respond(error.response) }
        }
    }

    private func sendCode(
        to given: GivenNumber, _ sender: SMSSender,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        let shop = given.purpose.shop
        let code = sender.numbers.code(for: given.digest, scope: given.purpose.scope, at: clock())
        let words: SMSText =
            switch given.purpose {
            case .place: .code(code)
            case .shop: .joinCode(code)
            }
        let text = words.text(
            in: given.language, of: shop.name, hasAnswers: sender.sending.hasAnswers, link: nil)
        Task { [self] in
            let outcome = await sender.send(
                text, to: given.number, for: shop.id, as: .code,
                validMinutes: SMSNumbers.codeMinutes)
            if outcome == .sent {
                store.permit(.code, to: sender.numbers.scoped(given.digest, given.purpose.scope)) {
                    _ in
                    respond(Answers.response(NumberReply(given.number, isConfirmed: false)))
                }
                return
            }
            store.giveBack(.code, to: given.digest)
            // Only what costs the shop something counts for it, so that others do not keep its customers from confirming.
            limiters[.shopNumbers]?.giveBack(given.purpose.limited)
            switch outcome {
            case .sent: respond(Answers.response(NumberReply(given.number, isConfirmed: false)))
            case .usedUp: respond(RefusedCall(.smsUsedUp).response)
            case .refused: respond(notServed(sender).response)
            case .later: respond(Answers.unavailable)
            }
        }
    }

    private func compare(
        _ code: String, with given: GivenNumber, _ sender: SMSSender,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        // Every try counts, a right one too, so that none is known to be right before it is counted. Tries count for what the
        // code was sent for: who knows a number uses up no try of its owner's.
        let scope = given.purpose.scope
        let tries = sender.numbers.scoped(given.digest, scope)
        permit(nil, to: given.digest, respond) { [self] in
            permit(.attempt, to: tries, respond) { [self] in
                guard sender.numbers.isCode(code, for: given.digest, scope: scope, at: clock())
                else {
                    return respond(RefusedCall(.wrongCode).response)
                }
                confirm(given, sender, respond)
            }
        }
    }

    /// The number is its owner's: SMS about the place are on from now, and the device shows it later.
    private func confirm(
        _ given: GivenNumber, _ sender: SMSSender,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        var response = Answers.response(NumberReply(given.number, isConfirmed: true))
        if let device = given.device, let pages = options.phones {
            let use = given.purpose.isOfShop ? ConfirmedFor.places : .messages
            response.fields[HeaderField.setCookie] = device.cookie(
                ofNumber: sender.numbers.proof(
                    of: given.digest, for: use, device,
                    expires: clock() + PhoneDevice.numberLifetime),
                for: use, pages)
        }
        guard case .place(let place) = given.purpose else { return respond(response) }
        guard let sealed = sender.numbers.sealed(given.number) else {
            return respond(Answers.unavailable)
        }
        let subscription = Subscription(
            id: Subscription.nameOfNumber(given.digest), .number(sealed: sealed),
            language: given.language, isProved: true)
        let confirmed = response
        store.subscribe(
            subscription, to: .place(place.id), in: place.shop.id, opened: place.record
        ) { [self] written in
            do throws(RefusedCall) {
                let outcome = try present(written)
                guard !outcome.hasEnded else { throw RefusedCall(.notFound) }
                report(outcome.endedNumbers, about: place.confirmation.number, of: place.shop)
                respond(confirmed)
            } catch { respond(error.response) }
        }
    }

    // MARK: - Confirmed numbers

    /// The digest of the number that the device of a request has confirmed; nil if it has confirmed none.
    func confirmedNumber(
        of device: PhoneDevice, for use: ConfirmedFor = .places, _ request: WireRequest
    ) -> String? {
        guard let sms, let pages = options.phones,
            let proof = PhoneDevice.proofOfNumber(request, for: use, of: pages)
        else { return nil }
        return sms.numbers.confirmed(by: device, for: use, proof, at: clock())
    }

    /// The holders that a device may be: itself, and the number that it has confirmed.
    func holders(of device: PhoneDevice, _ request: WireRequest) -> [HolderID] {
        [device.holder]
            + (confirmedNumber(of: device, request).map { [Self.holder(ofNumber: $0)] } ?? [])
    }

    /// The holder of the places that are taken elsewhere at a shop which wants numbers: its missed calls count wherever the
    /// number is confirmed.
    static func holder(ofNumber digest: String) -> HolderID { HolderID("number/\(digest)") }
}
