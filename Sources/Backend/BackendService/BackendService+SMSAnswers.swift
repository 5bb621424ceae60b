internal import BackendAPI
internal import Cryptography
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import SMSTexts

/// What customers answer by SMS (rules: sms-answers).
///
/// A sender can be forged. What harms no customer is done at once; what changes a place needs its word, which was sent to
/// the number. Only a number that the place's customer has given answers for it (rules: proofs).
extension BackendService {
    /// Does what a customer asks for by SMS.
    ///
    /// - Parameters:
    ///   - sender: The number as the gateway gives it, in the international form with or without `+` or `00`.
    ///   - id: What names the SMS, so that one that comes twice counts once; nil if the gateway gives none.
    ///   - done: Called exactly once, when nothing more will be done about it; with false if the gateway is to send it once
    ///     more later.
    public func takeSMSAnswer(
        from sender: String, text: String, id: String?, done: @escaping @Sendable (Bool) -> Void
    ) {
        let word: String
        defer { metrics.smsAnswers.count(word) }
        // No SMS was sent to a number that is of no mobile phone.
        guard let sms, let number = Self.number(ofSender: sender), number.isMobile else {
            word = "refused"
            return done(true)
        }
        let answer = SMSAnswer(text)
        guard limiters[.smsAnswers]?.take("") == nil else {
            word = "refused"
            return done(false)
        }
        word = answer?.word ?? "unknown"
        let digest = sms.numbers.digest(of: number)
        let received = ReceivedAnswer(
            number: number, digest: digest,
            key: Self.key(of: id ?? "\(text).\(clock().seconds / 600)", from: digest))
        if case .start = answer {
            return store.stopSMS(false, to: digest) { done((try? $0.get()) != nil) }
        }
        Task { [self] in
            do {
                switch answer {
                case nil: try await explain(received, sms)
                case .stop: try await stop(received, sms)
                case .some(let answer): try await take(answer, received, sms)
                }
                done(true)
            } catch { done(false) }
        }
    }

    /// An answer by SMS, and whose it seems to be.
    private struct ReceivedAnswer: Sendable {
        let number: PhoneNumber
        let digest: String
        /// The idempotency key of what it changes.
        let key: String
    }

    /// A place about which its number gets SMS.
    private struct AnsweredPlace: Sendable {
        let place: OpenedPlace
        let language: String
        let isProved: Bool

        var id: ReservationID { place.id }
        var number: QueueNumber { place.confirmation.number }
        var code: PresentedCode { .typed(place.confirmation.typedCode) }
    }

    /// Gateways write a number with `+`, with `00`, or with neither.
    private static func number(ofSender text: String) -> PhoneNumber? {
        let digits = text.drop { $0 == "+" || $0 == " " }
        return PhoneNumber(rawValue: "+" + (digits.hasPrefix("00") ? digits.dropFirst(2) : digits))
    }

    private static func key(of text: String, from digest: String) -> String {
        let bytes = SHA256.digest(Array("clup-sms \(digest) \(text)".utf8))
        return "sms-\(Crockford.encode(Array(bytes.prefix(16))))"
    }

    /// Ends all SMS to a number, and says so once if it had any: who has not asked for that can have them again. Fails if
    /// the store does not do its part.
    private func stop(_ received: ReceivedAnswer, _ sms: SMSSender) async throws {
        let newest = try await places(of: received).first
        let digest = received.digest
        try await store.awaiting { $0.stopSMS(true, to: digest, completion: $1) }.get()
        if let newest { await reply(.stopped, to: received, about: newest, sms) }
    }

    /// Says what can be answered, once within a day: an answer may come from a machine. Fails if the store does not do its
    /// part.
    private func explain(_ received: ReceivedAnswer, _ sms: SMSSender) async throws {
        guard let newest = try await places(of: received).first(where: \.isProved),
            try await permit(.explanation, received)
        else { return }
        await reply(.explanation, to: received, about: newest, sms)
    }

    /// Fails if the store does not do its part.
    private func take(
        _ answer: SMSAnswer, _ received: ReceivedAnswer, _ sms: SMSSender
    ) async throws {
        guard try await permit(.answer, received) else { return }
        let known = try await places(of: received)
        let places = known.filter(\.isProved)
        guard let newest = places.first else {
            guard let newest = known.first else { return }
            return await reply(.answerOnPage(newest.number), to: received, about: newest, sms)
        }
        switch answer {
        case .yes:
            guard let asked = places.first(where: { $0.place.record.isAsked }) else { return }
            _ = try await perform(.comes, on: asked, received)
        case .no(nil):
            let word = sms.numbers.wordToGiveBack(newest.id, for: received.digest)
            await reply(.giveBack(newest.number, word: word), to: received, about: newest, sms)
        case .no(let word?):
            guard try await permit(.word, received) else { return }
            // The notice that the place was given back comes by SMS too.
            for place in places
            where Self.equal(word, sms.numbers.wordToGiveBack(place.id, for: received.digest)) {
                _ = try await perform(.delete(proof: place.code), on: place, received)
            }
        case .later(nil): await offerToWait(newest, received, sms)
        case .later(let word?):
            guard try await permit(.word, received) else { return }
            for place in places { try await wait(place, word, received, sms) }
        case .stop, .start: break
        }
    }

    private func offers(to answered: AnsweredPlace) -> [DelayOffer] {
        store.found(answered.place.record, of: answered.place.shop.id)?.delayOffers ?? []
    }

    /// Says what it costs to let people go ahead, and how that is done.
    private func offerToWait(
        _ answered: AnsweredPlace, _ received: ReceivedAnswer, _ sms: SMSSender
    ) async {
        let offers = offers(to: answered)
        // Enough to be of use, and not the most.
        guard let offer = offers.dropFirst(offers.count / 2).first else {
            return await reply(.noLater(answered.number), to: received, about: answered, sms)
        }
        let word = sms.numbers.wordToWait(
            answered.id, people: offer.people, for: received.digest)
        let text = SMSText.wait(
            answered.number, people: offer.people, earliest: offer.wait.earliest,
            latest: offer.wait.latest, word: word)
        await reply(text, to: received, about: answered, sms)
    }

    /// Lets exactly as many people go ahead as were offered with the word; nothing if it is none of this place.
    private func wait(
        _ answered: AnsweredPlace, _ word: String, _ received: ReceivedAnswer, _ sms: SMSSender
    ) async throws {
        let offers = offers(to: answered)
        let possible = Set([1] + DelayOffer.peopleToChoose).union(offers.map(\.people))
        let wanted = possible.sorted().first {
            Self.equal(
                word, sms.numbers.wordToWait(answered.id, people: $0, for: received.digest))
        }
        guard let wanted else { return }
        let outcome = try await perform(
            .delay(people: wanted, proof: answered.code), on: answered, received)
        switch (outcome, offers.first { $0.people == wanted }) {
        // It was answered before.
        case (.again, _): return
        case (.done, let offer?):
            let text = SMSText.waits(
                answered.number, earliest: offer.wait.earliest, latest: offer.wait.latest)
            await reply(text, to: received, about: answered, sms)
        case (.done, nil): return
        case (.refused, _):
            await reply(.noLater(answered.number), to: received, about: answered, sms)
        }
    }

    private func reply(
        _ text: SMSText, to received: ReceivedAnswer, about answered: AnsweredPlace,
        _ sms: SMSSender
    ) async {
        let shop = answered.place.shop
        let words = text.text(
            in: answered.language, of: shop.name, hasAnswers: sms.sending.hasAnswers, link: nil)
        _ = await sms.send(
            words, to: received.number, for: shop.id, as: .answer, validMinutes: 15)
    }

    private static func equal(_ word: String, _ other: String) -> Bool {
        Cryptography.equal(Array(word.utf8), Array(other.utf8))
    }

    // MARK: - The store

    private func permit(_ use: SMSUse, _ received: ReceivedAnswer) async throws -> Bool {
        let digest = received.digest
        return try await store.awaiting { $0.permit(use, to: digest, completion: $1) }.get()
            == .given
    }

    /// The places of the number that are waited for or called, the newest first.
    private func places(of received: ReceivedAnswer) async throws -> [AnsweredPlace] {
        let digest = received.digest
        let places = await store.awaiting { $0.places(of: digest, completion: $1) }
        return try places.get().compactMap { found in
            guard [.planned, .called].contains(found.record.state),
                let shop = store.shop(found.shop),
                let place = OpenedPlace(found.record, of: shop)
            else { return nil }
            return AnsweredPlace(
                place: place, language: found.language, isProved: found.isProved)
        }
    }

    /// What became of a command.
    private enum Performed {
        case done
        /// It was carried out before, and was only answered once more.
        case again
        case refused
    }

    /// Has the store carry a command out; fails if it cannot just now.
    private func perform(
        _ command: ReservationCommand, on answered: AnsweredPlace, _ received: ReceivedAnswer
    ) async throws -> Performed {
        let result: RequestResult = await withCheckedContinuation { performed in
            store.perform(
                AuthenticatedRequest(
                    shop: answered.place.shop.id, sender: .phone(HolderID("place/\(answered.id)")),
                    nonce: nil, idempotencyKey: received.key,
                    fingerprint: SHA256.digest(Array(received.key.utf8)),
                    command: .reservation(answered.id, command),
                    answer: { Answers.storedWithoutBody($0, at: $1) })
            ) { performed.resume(returning: $0) }
        }
        switch result {
        case .answered(_, replayed: true): return .again
        case .answered(let answer, _): return answer.status < 300 ? .done : .refused
        case .keyReused, .nonceSeen: return .again
        case .unavailable(let error): throw error
        }
    }
}

extension SMSAnswer {
    /// Its name in the metrics.
    fileprivate var word: String {
        switch self {
        case .stop: "stop"
        case .start: "start"
        case .yes: "yes"
        case .no: "no"
        case .later: "later"
        }
    }
}
