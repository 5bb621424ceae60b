internal import KioskFlow
internal import KioskScreens

/// Reads the screens aloud if the customer has turned speech on: new content, and the button that has the focus.
@MainActor final class Speaker {
    private let port: (any SpeechPort)?
    private let failed: (String) -> Void
    /// What was said last; nil while speech is off.
    private var heard: (screen: SpokenScreen, voice: Voice)?

    /// - Parameter failed: called with the reason if something could not be said.
    init(_ port: (any SpeechPort)?, failed: @escaping (String) -> Void) {
        self.port = port
        self.failed = failed
    }

    /// Says what is new on the screen, if speech is on.
    func shows(_ screen: SpokenScreen, voice: Voice, volume: Int) {
        guard let port else { return }
        guard voice != .off else {
            if heard != nil { port.stop() }
            heard = nil
            return
        }
        // A customer who makes it louder has not understood it: everything is said again.
        let before = heard?.voice == voice ? heard?.screen : nil
        heard = (screen, voice)
        let sentences = screen.newSentences(after: before)
        guard !sentences.isEmpty else { return }
        Task {
            let end = await port.say(
                screen.text(sentences), language: screen.language, isLoud: voice == .louder,
                volume: volume)
            if case .failed(let reason) = end { failed(reason) }
        }
    }
}
