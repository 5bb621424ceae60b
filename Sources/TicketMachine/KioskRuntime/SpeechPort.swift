/// A text to be said.
public struct Utterance: Hashable, Sendable {
    /// Sentences in plain text.
    public var text: String
    /// BCP 47 primary subtag, as "it".
    public var language: String
    public var isLoud: Bool
    /// The volume that the staff has set for the machine, 1 to 10.
    public var volume: Int

    public init(text: String, language: String, isLoud: Bool, volume: Int = 5) {
        self.text = text
        self.language = language
        self.isLoud = isLoud
        self.volume = volume
    }
}

/// How an utterance ended.
public enum SpeechEnd: Hashable, Sendable {
    case said
    /// Another utterance began, or `stop` was called.
    case interrupted
    /// Nothing could be said; the reason is for the log.
    case failed(String)
}

/// The machine's speech output: one utterance at a time; no call blocks the caller.
public protocol SpeechPort: Sendable {
    /// Says something after stopping the present utterance, and returns when it has ended.
    func say(_ utterance: Utterance) async -> SpeechEnd
    /// Stops the present utterance at once.
    func stop()
}
