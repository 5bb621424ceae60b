internal import Reservations

/// The sentences of SMS in one language.
struct SMSWords {
    /// The languages, in the order of the texts.
    static let languages = ["en", "it", "de", "fr", "es"]

    /// What a phrase says; each has one text for each language.
    enum Phrase: CaseIterable {
        case code
        case codeWithStop
        case joinCode
        case joinCodeWithStop
        case calledNow
        case calledBy
        case soon
        case soonWithLater
        case later
        case laterThan
        case closed
        case givenBack
        case cancelled
        case question
        case questionReply
        case questionLink
        case questionLinkShort
        case missed
        case missedUntil
        case restored
        case giveBack
        case wait
        case waits
        case noLater
        case ticket
        case calledTicket
        case calledTicketBy
        case visit
        case visitGivenBack
        case ended
        case stopped
        case answerOnPage
        case explanation
    }

    /// What a text has in braces.
    enum Value: String {
        case code
        case number
        case time
        /// A weekday with its date.
        case day
        case link
        case word
        case people
        /// Between two times, or at one.
        case when
        case from
        case to
    }

    private let index: Int

    /// - Parameter language: English if it is none of `languages`.
    init(_ language: String) { index = Self.languages.firstIndex(of: language) ?? 0 }

    /// What follows the shop's name at the beginning of an SMS.
    var afterName: String { [": ", ": ", ": ", " : ", ": "][index] }

    /// The text of a phrase, with the values in place of their names. A value without a place in the text is not used.
    func filled(_ phrase: Phrase, with values: [Value: String]) -> String {
        Self.filled(phrase.texts[index], with: values)
    }

    /// "1 person", "5 people".
    func people(_ count: Int) -> String {
        let texts =
            count == 1
            ? ["1 person", "1 persona", "1 Person", "1 personne", "1 persona"]
            : ["people", "persone", "Personen", "personnes", "personas"].map { "\(count) \($0)" }
        return texts[index]
    }

    /// "14:25", and in French "14h25" and "8h05".
    func time(_ moment: LocalMoment) -> String {
        let time = moment.time.description
        guard Self.languages[index] == "fr" else { return time }
        let digits = time.hasPrefix("0") ? time.dropFirst() : time[...]
        return String(digits.replacing(":", with: "h"))
    }

    /// "Saturday 21 November", "sabato 21/11", "Samstag, 21.11.", "samedi 21/11"; in Spanish "21/11", since the alphabet
    /// of SMS cannot write that language's Saturday.
    func day(_ day: CalendarDay) -> String {
        let weekdays = [
            ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
            ["lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"],
            ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
            ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
        ]
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December",
        ]
        guard weekdays.indices.contains(index) else { return "\(day.day)/\(day.month)" }
        let weekday = weekdays[index][day.weekday.rawValue]
        switch Self.languages[index] {
        case "en": return "\(weekday) \(day.day) \(months[day.month - 1])"
        case "de": return "\(weekday), \(day.day).\(day.month)."
        default: return "\(weekday) \(day.day)/\(day.month)"
        }
    }

    /// "between 14:25 and 14:40", or "at 14:25" if both are in the same minute.
    func when(_ earliest: LocalMoment, _ latest: LocalMoment) -> String {
        let (from, to) = (time(earliest), time(latest))
        let texts =
            from == to
            ? ["at {from}", "alle {from}", "um {from} Uhr", "à {from}", "a las {from}"]
            : [
                "between {from} and {to}", "tra le {from} e le {to}",
                "zwischen {from} und {to} Uhr", "entre {from} et {to}",
                "entre las {from} y las {to}",
            ]
        return Self.filled(texts[index], with: [.from: from, .to: to])
    }

    /// Values are not searched for names in braces.
    private static func filled(_ text: String, with values: [Value: String]) -> String {
        var filled = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            filled += rest[..<start]
            let name = Value(rawValue: String(rest[rest.index(after: start)..<end]))
            filled += name.flatMap { values[$0] } ?? ""
            rest = rest[rest.index(after: end)...]
        }
        return filled + rest
    }
}
