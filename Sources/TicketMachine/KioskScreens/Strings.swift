public import Reservations

/// The texts of one language for screens and paper, with its formats of days and times.
///
/// Labels are the words that a native speaker would choose for a first-time customer, not those of the requirements:
/// "Cancel the reservation" is called deletion there. A language has one word for one thing on screens, paper and web
/// pages, and a button says what a touch does: never "Cancel" beside the question whether a reservation is to be
/// cancelled.
public struct Strings: Hashable, Sendable {
    /// BCP 47 primary subtag, for example "it".
    public let language: String
    /// The language's own name, for example "Italiano".
    public let name: String
    private let rule: PluralRule
    private let messages: [Key: [String]]

    /// The key of a message in a catalogue: the English text, and a context if one text has two meanings.
    public struct Key: Hashable, Sendable {
        public let context: String?
        public let text: String

        public init(_ text: String, context: String? = nil) {
            self.context = context
            self.text = text
        }
    }

    public init(language: String, name: String, rule: PluralRule, messages: [Key: [String]]) {
        self.language = language
        self.name = name
        self.rule = rule
        self.messages = messages
    }

    /// The source texts themselves, for a machine that finds no catalogue.
    public static let english = Strings(
        language: "en", name: "English", rule: .oneAndOther, messages: [:])

    /// The keys of the catalogue, to be compared with those that the program uses.
    public var keys: Set<Key> { Set(messages.keys) }

    /// A text with `{name}` replaced by its value; the English text if there is no translation.
    public func text(_ text: String, context: String? = nil, _ values: [String: String] = [:])
        -> String
    { fill(messages[Key(text, context: context)]?.first ?? text, values) }

    /// The form of a text for a number, which also replaces `{n}`.
    public func plural(
        _ one: String, _ other: String, _ number: Int, _ values: [String: String] = [:]
    ) -> String {
        var values = values
        values["n"] = String(number)
        guard let forms = messages[Key(one)], let form = forms[at: rule.form(for: number)] else {
            return fill(number == 1 ? one : other, values)
        }
        return fill(form, values)
    }

    /// The names in braces of a message.
    public static func placeholders(in message: String) -> Set<String> {
        var names: Set<String> = []
        var rest = message[...]
        while let open = rest.firstIndex(of: "{") {
            rest = rest[rest.index(after: open)...]
            guard let close = rest.firstIndex(of: "}") else { break }
            names.insert(String(rest[..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return names
    }

    /// Replaces all names in one pass, so that braces in a value are text and nothing more.
    private func fill(_ message: String, _ values: [String: String]) -> String {
        guard message.contains("{") else { return message }
        var result = ""
        var rest = message[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            let inner = rest[rest.index(after: open)...]
            guard let close = inner.firstIndex(of: "}"), let value = values[String(inner[..<close])]
            else {
                result += "{"
                rest = inner
                continue
            }
            result += value
            rest = inner[inner.index(after: close)...]
        }
        return result + rest
    }
}

// Days and times of day.
extension Strings {
    /// The time of day in the format of the language.
    public func time(_ moment: LocalMoment) -> String { time(moment.time) }

    public func time(_ time: TimeOfDay) -> String {
        text(
            "{hour}:{minute}", context: "time of day",
            ["hour": time.hour.padded(2), "minute": time.minute.padded(2)])
    }

    /// A day, for example "Friday 20 November".
    public func day(_ day: CalendarDay) -> String {
        // In French and Italian the first day of a month has an ordinal number.
        let number = day.day == 1 ? text("1", context: "first day of a month") : String(day.day)
        return text(
            "{weekday} {day} {month}", context: "date",
            ["weekday": weekday(day.weekday), "day": number, "month": month(day.month)])
    }

    public func weekday(_ weekday: Weekday) -> String {
        [
            text("Monday"), text("Tuesday"), text("Wednesday"), text("Thursday"), text("Friday"),
            text("Saturday"), text("Sunday"),
        ][weekday.rawValue]
    }

    /// The name of a month, 1 to 12; empty for any other number.
    public func month(_ month: Int) -> String {
        let names = [
            text("January"), text("February"), text("March"), text("April"), text("May"),
            text("June"), text("July"), text("August"), text("September"), text("October"),
            text("November"), text("December"),
        ]
        return names[at: month - 1] ?? ""
    }
}

extension Array {
    /// The element at an index; nil if there is none.
    subscript(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
