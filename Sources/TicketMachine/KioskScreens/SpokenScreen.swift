public import KioskFlow
import Reservations

/// The text that a voice says for a screen: its sentences in their order, then its choices.
public struct SpokenScreen: Hashable, Sendable {
    /// The name of the screen, by which two of them are compared; it is not said.
    public internal(set) var screen = ""
    public internal(set) var language = ""
    public internal(set) var sentences: [String] = []
    /// Sentences after these about what changes by itself: they are said with the screen, and not again when they change.
    public internal(set) var passing: [String] = []
    /// Labels of the buttons, without keypad and foot line.
    public internal(set) var choices: [String] = []
    /// The digits typed so far; nil if the screen has no keypad.
    public internal(set) var typed: String?
    /// The button that the keys have chosen; its label is `focusLabel`.
    public internal(set) var focus: UserAction?
    public internal(set) var focusLabel: String?

    /// Whether it is said loudly even if the customer has not turned the voice on.
    public internal(set) var isAlwaysSaid = false
    /// A sentence of another matter than the screen's, which is said loudly as soon as it is new; nil if there is none.
    public internal(set) var announcement: String?

    /// The sentences to be said when this screen follows another, or when the voice begins (`nil`).
    ///
    /// On the same screen they are only what is new: a sentence, a digit, the button that the keys have moved to. At
    /// Home the queue moves on by itself, which is not said.
    public func newSentences(after before: SpokenScreen?) -> [String] {
        guard let before, before.screen == screen, before.language == language else {
            return sentences + passing + choices
        }
        var said = screen == "home" ? [] : sentences.filter { !before.sentences.contains($0) }
        if let typed, let old = before.typed, typed != old {
            said.append(
                typed.count > old.count
                    ? String(typed.suffix(1)) : typed.map { String($0) }.joined(separator: " "))
        }
        if focus != before.focus, let focusLabel { said.append(focusLabel) }
        return said.filter { !$0.isEmpty }
    }

    /// Queue numbers and groups of a code on this screen, which are read digit by digit.
    public internal(set) var digitwise: Set<String> = []

    /// Sentences prepared for a voice: each has an end, and numbers and codes are read digit by digit.
    public func text(_ sentences: [String]) -> String {
        sentences.map { sentence in
            let text = Self.readable(sentence, digitwise: digitwise)
            return text.last.map { ".!?:".contains($0) } == true ? text : text + "."
        }.joined(separator: "\n")
    }

    /// The sentence with a pause between digits and further digits; times and counts stay numbers.
    static func readable(_ sentence: String, digitwise: Set<String>) -> String {
        var words: [String] = []
        var wasDigits = false
        for word in sentence.split(whereSeparator: { $0 == " " || $0 == "\u{A0}" || $0 == "\n" }) {
            // A name with a letter, as "C-017", is read without its dash.
            let name = word.prefix { $0.isASCII && ($0.isNumber || $0.isLetter || $0 == "-") }
            let digits = word.prefix { $0.isASCII && $0.isNumber }
            let run = digitwise.contains(String(name)) ? name : digits
            let isDigits = digitwise.contains(String(run))
            if isDigits, wasDigits { words[words.count - 1] += "," }
            let rest = word.dropFirst(run.count)
            words.append(
                isDigits
                    ? run.filter { $0 != "-" }.map { String($0) }.joined(separator: " ") + rest
                    : String(word))
            wasDigits = isDigits && rest.isEmpty
        }
        return String(
            words.joined(separator: " ").flatMap { character -> [Character] in
                switch character {
                case "…": ["."]
                // A range of minutes is said as "twenty, thirty".
                case "–": [",", " "]
                default: [character]
                }
            })
    }
}

extension Canvas {
    mutating func say(_ sentences: String...) { spoken.sentences += sentences }

    func spoken(focus: UserAction?) -> SpokenScreen {
        var result = spoken
        let labels = Dictionary(buttons.map { ($0.action, $0.words) }) { first, _ in first }
        result.language = wording.language
        result.choices = buttons.filter { !$0.isFoot && !$0.action.isKeypadKey }.map(\.words)
        result.focus = focus
        result.focusLabel = focus.flatMap { labels[$0] }
        return result
    }
}

extension Button {
    /// The label to be said, without a countdown.
    fileprivate var words: String {
        let label = spoken ?? label
        guard let subtitle, action != .done else { return label }
        return "\(label): \(subtitle)"
    }
}

extension Scene {
    /// Digits that are a name on this screen, not a count.
    var digitwise: Set<String> {
        if isHelpShown {
            let phone = helpPhone?.split(separator: " ").map(String.init) ?? []
            return Set([Canvas.emergencyNumber] + phone)
        }
        var names = state.isResting ? queue?.calling.map(\.text) ?? [] : []
        if case .issued(let issued) = state {
            let code = issued.slip.typedCode.grouped
            names += [issued.slip.number.text] + code.split(separator: " ").map(String.init)
            if case .order(let arrived) = issued.slip { names.append(arrived.order.reference) }
        }
        switch state {
        case .found(let found), .delayOffers(let found), .missedCall(let found):
            names.append(found.reservation.number.text)
        case .order(let found):
            names += [found.order.reference] + [found.order.number?.text].compactMap(\.self)
        case .turnChanged(let changed): names.append(changed.reservation.number.text)
        case .deleted(let deleted): names.append(deleted.number.text)
        case .codeRefused(let refused):
            let code = refused.typed.map { TypedCode.grouped(Array($0)) } ?? ""
            names += code.split(separator: " ").map(String.init)
        case .starting, .home, .closed, .outOfService, .asking, .offer, .noTicketToday, .noVisit,
            .confirming, .unresolved, .issued, .scanning, .lookingUp, .changingTurn, .deleting,
            .requestFailed, .pinEntry, .staff:
            break
        }
        return Set(names)
    }
}
