/// How the screens are drawn for the present customer; each touch leads to the next appearance.
public enum Appearance: String, Hashable, Sendable, CaseIterable, Codable {
    case normal
    /// Large text wherever there is room for it.
    case large
    /// Large text, dark on light: customers who need a different background mostly need large text too.
    case inverted

    public var next: Appearance {
        switch self {
        case .normal: .large
        case .large: .inverted
        case .inverted: .normal
        }
    }
}

/// Whether the screens are read aloud; each touch leads to the next setting.
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

/// What customers set for themselves, and what is reset for the next customer: language, text size, speech.
public struct AccessState: Hashable, Sendable, Codable {
    /// The language of the screens, one of `languages`.
    public internal(set) var language: String
    /// The languages that customers can choose from, the shop's own language first.
    public internal(set) var languages: [String]
    /// Whether the list of languages covers the screen.
    public internal(set) var isChoosingLanguage = false
    public internal(set) var appearance = Appearance.normal
    /// Off until the customer turns it on.
    public internal(set) var voice = Voice.off

    private let canSpeak: Bool
    private var isSpeechBroken = false
    /// The available catalogues, in the machine's order.
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

    /// Whether a customer has changed anything from the shop's own settings.
    var isSet: Bool {
        language != languages[0] || isChoosingLanguage || appearance != .normal || voice != .off
            || isSpeechBroken
    }

    mutating func choose(_ language: String) -> Bool {
        isChoosingLanguage = false
        guard languages.contains(language) else { return false }
        self.language = language
        return true
    }

    /// Turns speech off, so that this customer does not wait for it; the next customer may try again.
    mutating func speechFailed() {
        isSpeechBroken = true
        voice = .off
    }

    mutating func forget() {
        language = languages[0]
        isChoosingLanguage = false
        appearance = .normal
        voice = .off
        isSpeechBroken = false
    }

    /// Puts the staff's choice for the machine first, then the shop's own languages, then the other catalogues.
    mutating func order(machine: String?, shop: [String]?) {
        let wasOwn = language == languages[0]
        var ordered: [String] = []
        for code in [machine].compactMap(\.self) + (shop ?? languages) + catalogues
        where catalogues.contains(code) && !ordered.contains(code) { ordered.append(code) }
        languages = ordered
        if wasOwn { language = languages[0] }
    }
}
