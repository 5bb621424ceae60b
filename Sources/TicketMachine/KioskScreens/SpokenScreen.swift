public import KioskFlow

/// What a screen says aloud: its sentences in the order in which they stand, then its choices.
public struct SpokenScreen: Hashable, Sendable {
    /// Which screen it is, by a name nobody hears.
    public internal(set) var screen = ""
    public internal(set) var language = ""
    public internal(set) var sentences: [String] = []
    /// Labels of the buttons, without keypad and foot line.
    public internal(set) var choices: [String] = []
    /// The digits typed so far, where some can be.
    public internal(set) var typed: String?
    /// What the keys choose, and its label.
    public internal(set) var focus: UserAction?
    public internal(set) var focusLabel: String?

    /// What is to be said when this screen follows another, or when the voice begins (`nil`).
    ///
    /// On the same screen only what is new: a sentence, a digit, the button the keys have moved to.
    /// At Home the queue moves on by itself; nobody is talked to about that.
    public func newSentences(after before: SpokenScreen?) -> [String] {
        guard let before, before.screen == screen, before.language == language else {
            return sentences + choices
        }
        var said =
            screen == Self.home ? [] : sentences.filter { !before.sentences.contains($0) }
        if let typed, let old = before.typed, typed != old {
            said.append(
                typed.count > old.count
                    ? String(typed.suffix(1)) : typed.map { String($0) }.joined(separator: " "))
        }
        if focus != before.focus, let focusLabel { said.append(focusLabel) }
        return said.filter { !$0.isEmpty }
    }

    private static let home = "home"

    /// Queue numbers and groups of a code on this screen: they are read digit by digit.
    public internal(set) var digitwise: Set<String> = []

    /// Sentences as a voice reads them well: each ends, and numbers and codes come digit by digit.
    public func text(_ sentences: [String]) -> String {
        sentences.map { sentence in
            let text = Self.readable(sentence, digitwise: digitwise)
            return text.last.map { ".!?:".contains($0) } == true ? text : text + "."
        }.joined(separator: "\n")
    }

    /// Digits are followed by a pause where others come after them; times and counts are numbers.
    static func readable(_ sentence: String, digitwise: Set<String>) -> String {
        var words: [String] = []
        var wasDigits = false
        for word in sentence.split(whereSeparator: { $0 == " " || $0 == "\u{A0}" || $0 == "\n" }) {
            let run = word.prefix { $0.isASCII && $0.isNumber }
            let isDigits = digitwise.contains(String(run))
            if isDigits, wasDigits { words[words.count - 1] += "," }
            let rest = word.dropFirst(run.count)
            words.append(
                isDigits
                    ? run.map { String($0) }.joined(separator: " ") + rest
                    : String(word))
            wasDigits = isDigits && rest.isEmpty
        }
        return String(
            words.joined(separator: " ").flatMap { character -> [Character] in
                switch character {
                case "…": ["."]
                // A range of minutes, as people say it: "twenty, thirty".
                case "–": [",", " "]
                default: [character]
                }
            })
    }
}

extension Canvas {
    /// Adds to what the screen says aloud.
    mutating func say(_ sentences: String...) { spoken.sentences += sentences }

    /// The screen's words with those of its buttons.
    func spoken(focus: UserAction?) -> SpokenScreen {
        var result = spoken
        let labels = Dictionary(
            buttons.compactMap { button in button.action.map { ($0, button.words) } }
        ) { first, _ in first }
        result.language = wording.language
        let places = buttons.filter { $0.action == nil && !$0.label.isEmpty }.map(\.words)
        result.choices =
            buttons.filter { !$0.isFoot && !$0.isKey && $0.action != nil }.map(\.words) + places
        result.focus = focus
        result.focusLabel = focus.flatMap { labels[$0] }
        return result
    }
}

extension Button {
    /// The label as it is said; a countdown is not.
    fileprivate var words: String {
        let label = spoken ?? label
        guard let subtitle, action != .done else { return label }
        return "\(label): \(subtitle)"
    }

    /// Whether it is a key of the keypad: nobody wants ten digits read out.
    fileprivate var isKey: Bool { action?.isKeypadKey ?? false }
}

extension Scene {
    /// What is a name in digits on this screen, not a count.
    var digitwise: Set<String> {
        let calling =
            machine.state.isResting ? machine.service.queue?.calling.map(\.text) ?? [] : []
        let own: [String] =
            switch machine.state {
            case .issued(let issued):
                [issued.reservation.number.text]
                    + issued.reservation.typedCode.grouped.split(separator: " ").map(String.init)
            case .found(let found): [found.reservation.number.text]
            case .deleted(let deleted): [deleted.number.text]
            case .starting, .home, .closed, .outOfService, .asking, .offer, .noTicketToday,
                .noVisit, .confirming, .unresolved, .scanning, .lookingUp, .deleting, .codeRefused,
                .apology, .staffEntrance, .staff:
                []
            }
        return Set(calling + own)
    }
}
