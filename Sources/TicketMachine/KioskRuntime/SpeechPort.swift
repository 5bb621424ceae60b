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
    /// Says sentences in plain text after stopping the present utterance, and returns when they have ended.
    ///
    /// - Parameters:
    ///   - language: BCP 47 primary subtag, as "it".
    ///   - volume: what the staff has set for the machine, 1 to 10.
    func say(_ text: String, language: String, isLoud: Bool, volume: Int) async -> SpeechEnd
    /// Stops the present utterance at once.
    func stop()
}
