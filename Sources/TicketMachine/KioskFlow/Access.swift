/// How the screens are drawn for the customer of the moment; one touch leads to the next.
public enum Appearance: String, Hashable, Sendable, CaseIterable {
    case normal
    /// Large letters wherever there is room for them.
    case large
    /// Large letters, dark on light: who needs another ground mostly needs large letters too.
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
public enum Voice: String, Hashable, Sendable, CaseIterable {
    case off, on, louder

    public var next: Voice {
        switch self {
        case .off: .on
        case .on: .louder
        case .louder: .off
        }
    }
}

// Access for everybody: what a customer sets for himself, and what the next one does not find.
extension KioskFlow {
    /// Whether the ear is offered.
    public var isSpeechThere: Bool { canSpeak && !isSpeechBroken }

    /// Nothing could be said: the customer is not left to wait for a voice, the next one may try.
    public mutating func speechFailed() {
        isSpeechBroken = true
        voice = .off
    }

    mutating func appearanceTouched(now: Duration) -> [KioskEffect] {
        appearance = appearance.next
        return customerStayed(now: now)
    }

    mutating func voiceTouched(now: Duration) -> [KioskEffect] {
        guard isSpeechThere else { return customerStayed(now: now) }
        voice = voice.next
        return customerStayed(now: now)
    }

    /// Whether a customer has set anything that the shop has not.
    var isCustomerRemembered: Bool {
        language != languages[0] || isChoosingLanguage || appearance != .normal || voice != .off
            || isSpeechBroken
    }

    /// Whether nobody is served and whoever touched last has gone.
    public func isLeft(now: Duration) -> Bool {
        state.isResting && now >= lastTouch + KioskTiming.customerMemory
    }

    mutating func forgetCustomer() {
        language = languages[0]
        isChoosingLanguage = false
        appearance = .normal
        voice = .off
        isSpeechBroken = false
    }
}
