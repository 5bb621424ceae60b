internal import KioskFlow
internal import KioskScreens

/// Reads the screens aloud if the customer has turned speech on: new content, and the button that has the focus. Screens
/// of help are always said, and loudly, whatever the customer has chosen (rules: help-screen).
@MainActor final class Speaker {
    private let port: (any SpeechPort)?
    private let failed: (String) -> Void
    /// What was said last; nil while speech is off.
    private var heard: (screen: SpokenScreen, voice: Voice)?
    /// The announcement that was made last, or the sentence of a screen that said the same.
    private var announced: String?

    /// - Parameter failed: called with the reason if something could not be said.
    init(_ port: (any SpeechPort)?, failed: @escaping (String) -> Void) {
        self.port = port
        self.failed = failed
    }

    /// Says what is new on the screen, if speech is on or the screen is always said.
    ///
    /// - Parameter isBroken: whether speech has failed for this customer, so that nothing is tried.
    func shows(_ screen: SpokenScreen, voice chosen: Voice, volume: Int, isBroken: Bool = false) {
        guard let port else { return }
        let voice = screen.isAlwaysSaid && !isBroken ? .louder : chosen
        let isNews = screen.announcement.map { $0 != announced } ?? false
        announced = screen.isAlwaysSaid ? screen.sentences.first : screen.announcement
        guard voice != .off else {
            if isNews, !isBroken, let announcement = screen.announcement {
                heard = nil
                return say([announcement], of: screen, isLoud: true, volume, to: port)
            }
            // An announcement is said to its end.
            if heard != nil { port.stop() }
            heard = nil
            return
        }
        // A customer who makes it louder has not understood it: everything is said again.
        let before = heard?.voice == voice ? heard?.screen : nil
        heard = (screen, voice)
        var sentences = screen.newSentences(after: before)
        // The sentences of Home are not said again, but news of the customer's call is.
        if isNews, let news = screen.announcement, !sentences.contains(news) {
            sentences.append(news)
        }
        guard !sentences.isEmpty else { return }
        say(sentences, of: screen, isLoud: voice == .louder, volume, to: port)
    }

    private func say(
        _ sentences: [String], of screen: SpokenScreen, isLoud: Bool, _ volume: Int,
        to port: any SpeechPort
    ) {
        Task {
            let end = await port.say(
                screen.text(sentences), language: screen.language, isLoud: isLoud, volume: volume)
            if case .failed(let reason) = end { failed(reason) }
        }
    }
}
