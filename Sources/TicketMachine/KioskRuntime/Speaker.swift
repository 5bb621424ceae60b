internal import KioskFlow
internal import KioskScreens

/// Says what the screens say while the customer wants to hear it: what is new on them, and the
/// button the keys have moved to.
@MainActor
final class Speaker {
    private let port: SpeechPort?
    private let failed: (String) -> Void
    /// What was heard last; nil while the voice is off.
    private var heard: (screen: SpokenScreen, voice: Voice)?

    /// - Parameter failed: called with the reason when something could not be said.
    init(_ port: SpeechPort?, failed: @escaping (String) -> Void) {
        self.port = port
        self.failed = failed
    }

    /// The screen as it is now, and whether it is to be heard.
    func shows(_ screen: SpokenScreen, voice: Voice, volume: Int) {
        guard let port else { return }
        guard voice != .off else {
            if heard != nil { port.stop() }
            heard = nil
            return
        }
        // Who makes it louder has not understood: all is said again.
        let before = heard?.voice == voice ? heard?.screen : nil
        heard = (screen, voice)
        let sentences = screen.newSentences(after: before)
        guard !sentences.isEmpty else { return }
        let utterance = Utterance(
            text: screen.text(sentences), language: screen.language, isLoud: voice == .louder,
            volume: volume)
        Task {
            if case .failed(let reason) = await port.say(utterance) { failed(reason) }
        }
    }
}
