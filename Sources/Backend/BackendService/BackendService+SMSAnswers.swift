internal import BackendAPI
internal import Cryptography
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import SMSTexts

/// What customers answer by SMS (rules 38).
///
/// A sender can be forged. What harms no customer is done at once; what changes a place needs its word, which was sent to
/// the number.
extension BackendService {
    /// Whether the gateway passes on what customers answer.
    public var takesSMSAnswers: Bool { sms?.sending.hasAnswers ?? false }

    /// Does what a customer asks for by SMS. Whatever it is, the gateway hears that it has arrived.
    ///
    /// - Parameters:
    ///   - sender: The number as the gateway gives it, in the international form with or without `+` or `00`.
    ///   - id: What names the SMS, so that one that comes twice counts once; nil if the gateway gives none.
    ///   - done: Called exactly once, when nothing more will be done about it.
    public func takeSMSAnswer(
        from sender: String, text: String, id: String?, done: @escaping @Sendable () -> Void
    ) {
        let word: String
        defer { metrics.smsAnswers.count(word) }
        guard let sms, let number = Self.number(ofSender: sender),
            limiters[.smsAnswers]?.take("") == nil
        else {
            word = "refused"
            return done()
        }
        let digest = sms.numbers.digest(of: number)
        guard let answer = SMSAnswer(text) else {
            word = "unknown"
            return done()
        }
        word = answer.word
        let received = ReceivedAnswer(
            number: number, digest: digest,
            key: Self.key(of: id ?? "\(text).\(clock().seconds / 600)", from: digest))
        switch answer {
        case .stop: store.stopSMS(true, to: digest) { _ in done() }
        case .start: store.stopSMS(false, to: digest) { _ in done() }
        case .yes, .no, .later:
            Task { [self] in
                await take(answer, received, sms)
                done()
            }
        }
    }

    /// An answer by SMS, and whose it seems to be.
    private struct ReceivedAnswer: Sendable {
        let number: PhoneNumber
        let digest: String
        /// The idempotency key of what it changes.
        let key: String
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

    private func take(_ answer: SMSAnswer, _ received: ReceivedAnswer, _ sms: SMSSender) async {
        guard await permit(.answer, received), let places = await places(of: received) else {
            return
        }
        let wanted: PlaceOfNumber?
        switch answer {
        case .yes: wanted = places.first { $0.record.isAsked }
        case .no, .later: wanted = places.first
        case .stop, .start: wanted = nil
        }
        guard let wanted, let shop = store.shop(wanted.shop),
            let place = OpenedPlace(wanted.record, of: shop)
        else { return }
        let answered = AnsweredPlace(
            place: place, language: wanted.language,
            word: sms.numbers.word(for: received.digest, of: place.id))
        switch answer {
        case .yes: _ = await perform(.comes(place.id), on: place, received)
        case .no(let word): await giveBack(answered, word, received, sms)
        case .later(let word): await delay(answered, word, received, sms)
        case .stop, .start: break
        }
    }

    /// The place about which a customer has written.
    private struct AnsweredPlace: Sendable {
        let place: OpenedPlace
        let language: String
        let word: String
    }

    /// Gives the place back; without its word, says how. The notice that it was given back comes by SMS too.
    private func giveBack(
        _ answered: AnsweredPlace, _ word: String?, _ received: ReceivedAnswer, _ sms: SMSSender
    ) async {
        let confirmation = answered.place.confirmation
        guard let word else {
            let text = SMSText.giveBack(confirmation.number, word: answered.word)
            return await reply(text, to: received, about: answered, sms)
        }
        guard await isRight(word, answered, received) else { return }
        let code = PresentedCode.typed(confirmation.typedCode)
        _ = await perform(.delete(answered.place.id, code), on: answered.place, received)
    }

    /// Lets people go ahead; without the word of the place, says what that costs, and how.
    private func delay(
        _ answered: AnsweredPlace, _ word: String?, _ received: ReceivedAnswer, _ sms: SMSSender
    ) async {
        let (place, number) = (answered.place, answered.place.confirmation.number)
        let offers = store.found(place.record, of: place.shop.id)?.delayOffers ?? []
        // Enough to be of use, and not the most.
        guard let offer = offers.dropFirst(offers.count / 2).first else {
            return await reply(.noLater(number), to: received, about: answered, sms)
        }
        guard let word else {
            let text = SMSText.wait(
                number, people: offer.people, earliest: offer.wait.earliest,
                latest: offer.wait.latest, word: answered.word)
            return await reply(text, to: received, about: answered, sms)
        }
        guard await isRight(word, answered, received) else { return }
        let code = PresentedCode.typed(place.confirmation.typedCode)
        let command = MachineRequest.delay(place.id, code, people: offer.people)
        let isDone = await perform(command, on: place, received)
        let text =
            isDone
            ? SMSText.waits(
                number, earliest: offer.wait.earliest, latest: offer.wait.latest)
            : .noLater(number)
        await reply(text, to: received, about: answered, sms)
    }

    private func isRight(
        _ word: String, _ answered: AnsweredPlace, _ received: ReceivedAnswer
    ) async -> Bool {
        guard await permit(.attempt, received) else { return false }
        return Cryptography.equal(Array(word.utf8), Array(answered.word.utf8))
    }

    private func reply(
        _ text: SMSText, to received: ReceivedAnswer, about answered: AnsweredPlace,
        _ sms: SMSSender
    ) async {
        let shop = answered.place.shop
        let words = text.text(
            in: answered.language, of: shop.name, hasAnswers: sms.sending.hasAnswers, link: nil)
        _ = await sms.send(words, to: received.number, for: shop.id, as: .answer)
    }

    // MARK: - The store

    private func permit(_ use: SMSUse, _ received: ReceivedAnswer) async -> Bool {
        let result: Result<SMSPermission, StoreError> = await withCheckedContinuation { permitted in
            store.permit(use, to: received.digest) { permitted.resume(returning: $0) }
        }
        return (try? result.get()) == .given
    }

    /// The places of the number that are waited for or called, the newest first; nil if the store does not say.
    private func places(of received: ReceivedAnswer) async -> [PlaceOfNumber]? {
        let result: Result<[PlaceOfNumber], StoreError> = await withCheckedContinuation { found in
            store.places(of: received.digest) { found.resume(returning: $0) }
        }
        return try? result.get().filter { [.planned, .called].contains($0.record.state) }
    }

    /// Has the store carry a command out; returns whether it did.
    private func perform(
        _ command: MachineRequest, on place: OpenedPlace, _ received: ReceivedAnswer
    ) async -> Bool {
        let result: RequestResult = await withCheckedContinuation { performed in
            store.perform(
                AuthenticatedRequest(
                    shop: place.shop.id, sender: .phone(HolderID("place/\(place.id)")), nonce: nil,
                    idempotencyKey: received.key,
                    fingerprint: SHA256.digest(Array(received.key.utf8)), command: command,
                    answer: { Answers.storedWithoutBody($0, at: $1) })
            ) { performed.resume(returning: $0) }
        }
        if case .answered(let answer, _) = result { return answer.status < 300 }
        return false
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
