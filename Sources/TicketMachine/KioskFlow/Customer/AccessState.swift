/// How the screens are drawn for the customer of the moment; one touch leads to the next.
public enum Appearance: String, Hashable, Sendable, CaseIterable, Codable {
    case normal
    /// Large text wherever there is room for it.
    case large
    /// Large text, dark on light: customers who need another ground mostly need large text too.
    case inverted

    public var next: Appearance {
        switch self {
        case .normal: .large
        case .large: .inverted
        case .inverted: .normal
        }
    }
}

/// Whether the screens are read aloud; one touch leads to the next.
public enum Voice: String, Hashable, Sendable, CaseIterable, Codable {
    case off, on, louder

    public var next: Voice {
        switch self {
        case .off: .on
        case .on: .louder
        case .louder: .off
        }
    }
}

/// What customers set for themselves, and what the next one does not find: language, text size, voice.
public struct AccessState: Hashable, Sendable, Codable {
    /// The language of the screens, one of `languages`.
    public internal(set) var language: String
    /// What customers can choose from, the shop's own language first.
    public internal(set) var languages: [String]
    /// Whether the screen of the languages lies over the state's own.
    public internal(set) var isChoosingLanguage = false
    public internal(set) var appearance = Appearance.normal
    /// Off until it is asked for.
    public internal(set) var voice = Voice.off

    /// Whether the machine has a voice at all.
    private let canSpeak: Bool
    /// Whether the last try to say something failed.
    private var isSpeechBroken = false
    /// Catalogues that are there, in the machine's order.
    private let catalogues: [String]

    init(catalogues: [String], canSpeak: Bool) {
        precondition(!catalogues.isEmpty, "a machine without a catalogue cannot speak")
        self.catalogues = catalogues
        self.canSpeak = canSpeak
        languages = catalogues
        language = catalogues[0]
    }

    /// Whether the speech button is offered.
    public var isSpeechThere: Bool { canSpeak && !isSpeechBroken }

    /// Whether a customer has set anything that the shop has not.
    var isSet: Bool {
        language != languages[0] || isChoosingLanguage || appearance != .normal || voice != .off
            || isSpeechBroken
    }

    mutating func openLanguages() { isChoosingLanguage = true }
    mutating func closeLanguages() { isChoosingLanguage = false }

    /// Answers whether there is such a language.
    mutating func choose(_ language: String) -> Bool {
        isChoosingLanguage = false
        guard languages.contains(language) else { return false }
        self.language = language
        return true
    }

    mutating func changeAppearance() { appearance = appearance.next }
    mutating func changeVoice() { if isSpeechThere { voice = voice.next } }

    /// Nothing could be said: the customer is not left to wait for a voice, the next one may try.
    mutating func speechFailed() {
        isSpeechBroken = true
        voice = .off
    }

    /// The next customer finds the machine as this one did.
    mutating func forget() {
        language = languages[0]
        isChoosingLanguage = false
        appearance = .normal
        voice = .off
        isSpeechBroken = false
    }

    /// Puts the staff's choice for the machine first, then the shop's own, then what else there is.
    mutating func order(machine: String?, shop: [String]?) {
        let wasOwn = language == languages[0]
        var ordered: [String] = []
        for code in [machine].compactMap(\.self) + (shop ?? languages) + catalogues
        where catalogues.contains(code) && !ordered.contains(code) {
            ordered.append(code)
        }
        languages = ordered
        if wasOwn { language = languages[0] }
    }
}
