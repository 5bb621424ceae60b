public import Reservations

/// What an SMS to a customer says (rules: notices, sms, sms-answers).
public enum SMSText: Hashable, Sendable {
    /// The code, six digits, that shows that the customer receives SMS of the number.
    case code(String)
    /// The code, six digits, that shows the same before the customer has a place.
    case joinCode(String)
    /// What a notice reports, with the time that its kind documents.
    case notice(NoticeKind, QueueNumber, LocalMoment?)
    /// After *no*: how to give the place back; the word is four digits.
    case giveBack(QueueNumber, word: String)
    /// After *later*: when the customer is called after letting so many people go ahead, and how to accept that.
    case wait(QueueNumber, people: Int, earliest: LocalMoment, latest: LocalMoment, word: String)
    /// The customer has let people go ahead; the new times.
    case waits(QueueNumber, earliest: LocalMoment, latest: LocalMoment)
    /// Letting people go ahead is not possible now.
    case noLater(QueueNumber)
    /// A ticket that waits, with the times of its call and the ten digits that prove whose it is.
    case ticket(QueueNumber, earliest: LocalMoment, latest: LocalMoment, TypedCode)
    /// A ticket that is called already, with the last moment to enter.
    case calledTicket(QueueNumber, LocalMoment?, TypedCode)
    /// A visit as it is booked, with its start.
    case visit(QueueNumber, LocalMoment, TypedCode)
    /// A visit, with its start, was given back.
    case visitGivenBack(QueueNumber, LocalMoment)
    /// The number gets no more SMS about a place: they were ended on its page, or go to another number.
    case ended(QueueNumber)
    /// The number gets no more SMS at all, since its owner has answered STOP.
    case stopped
    /// What was answered by SMS is to be done on the page of the place.
    case answerOnPage(QueueNumber)
    /// What can be answered, after an SMS that was not understood.
    case explanation

    /// The text in a language, at most `GSM7.maxSeptets` septets long.
    ///
    /// It begins with the shop's name, which is shortened as far as is needed, or left out if no character of it can be
    /// written.
    ///
    /// - Parameters:
    ///   - language: As `it`; English if it is not one of those of `SMSWords`.
    ///   - shopName: In any script.
    ///   - hasAnswers: Whether the gateway passes on what customers answer. The texts then say what to answer.
    ///   - offersLater: Whether the shop lets customers let others go ahead. With answers the SMS shortly before the call
    ///     then says how.
    ///   - link: To the page of the place. Only the question has it, and only without answers. One that takes more than
    ///     120 septets is left out.
    public func text(
        in language: String, of shopName: String, hasAnswers: Bool, offersLater: Bool = false,
        link: String?
    ) -> String {
        let words = SMSWords(language)
        let link = link.flatMap { link in
            GSM7.septets(link).flatMap { $0 <= Capability.maxLinkBytes ? link : nil }
        }
        let candidates = phrases(
            hasAnswers: hasAnswers, offersLater: offersLater, hasLink: link != nil
        ).map { words.filled($0, with: values(words, link: link)) }
        // The last one, which is the shortest, always fits.
        let body = candidates.first { Self.room(beside: $0) >= 0 } ?? ""
        let room = Self.room(beside: body) - (GSM7.septets(words.afterName) ?? 0)
        let name = ShopNameText.shortened(shopName, to: room)
        return name.isEmpty ? body : name + words.afterName + body
    }

    private static func room(beside body: String) -> Int {
        GSM7.maxSeptets - (GSM7.septets(body) ?? .max)
    }

    /// The phrases that say it, the best one first; a later one only if the first is too long.
    private func phrases(
        hasAnswers: Bool, offersLater: Bool, hasLink: Bool
    ) -> [SMSWords.Phrase] {
        switch self {
        case .code: [hasAnswers ? .codeWithStop : .code]
        case .joinCode: [hasAnswers ? .joinCodeWithStop : .joinCode]
        case .giveBack: [.giveBack]
        case .wait: [.wait]
        case .waits: [.waits]
        case .noLater: [.noLater]
        case .ticket: [.ticket]
        case .calledTicket(_, let time, _): [time == nil ? .calledTicket : .calledTicketBy]
        case .visit: [.visit]
        case .visitGivenBack: [.visitGivenBack]
        case .ended: [.ended]
        case .stopped: [.stopped]
        case .answerOnPage: [.answerOnPage]
        case .explanation: [.explanation]
        case .notice(let kind, _, let time):
            switch kind {
            case .called: [time == nil ? .calledNow : .calledBy]
            case .question where hasAnswers: [.questionReply]
            case .question where hasLink: [.questionLink, .questionLinkShort]
            case .question: [.question]
            case .soon: [hasAnswers && offersLater ? .soonWithLater : .soon]
            case .later: [time == nil ? .later : .laterThan]
            case .closed: [.closed]
            case .givenBack: [.givenBack]
            case .cancelled: [.cancelled]
            case .missed: [time == nil ? .missed : .missedUntil]
            case .restored: [.restored]
            }
        }
    }

    /// What stands for the names in braces of the phrases.
    private func values(_ words: SMSWords, link: String?) -> [SMSWords.Value: String] {
        switch self {
        case .code(let code), .joinCode(let code): return [.code: code]
        case .notice(_, let number, let time):
            var values = [SMSWords.Value.number: number.text]
            values[.time] = time.map(words.time)
            values[.link] = link
            return values
        case .giveBack(let number, let word): return [.number: number.text, .word: word]
        case .wait(let number, let people, let earliest, let latest, let word):
            return [
                .number: number.text, .word: word, .people: words.people(people),
                .when: words.when(earliest, latest),
            ]
        case .waits(let number, let earliest, let latest):
            return [.number: number.text, .when: words.when(earliest, latest)]
        case .noLater(let number), .ended(let number), .answerOnPage(let number):
            return [.number: number.text]
        case .ticket(let number, let earliest, let latest, let code):
            return [
                .number: number.text, .when: words.when(earliest, latest), .code: code.grouped,
            ]
        case .calledTicket(let number, let time, let code):
            var values = [SMSWords.Value.number: number.text, .code: code.grouped]
            values[.time] = time.map(words.time)
            return values
        case .visit(let number, let start, let code):
            return [
                .number: number.text, .day: words.day(start.day), .time: words.time(start),
                .code: code.grouped,
            ]
        case .visitGivenBack(let number, let start):
            return [
                .number: number.text, .day: words.day(start.day), .time: words.time(start),
            ]
        case .stopped, .explanation: return [:]
        }
    }
}
