import TerminalSurface
import Testing

@testable import KioskFlow
@testable import KioskScreens

/// Accessible use: the foot line, large letters, the voice.
struct AccessScreensTests {
    private static let sizes = GridSize.each(
        (64, 20), (80, 24), (80, 25), (100, 30), (160, 50))
    private static let usual = GridSize(80, 25)

    @Test(
        "Every screen has language, letters, voice and help in its foot line, at least 3 rows x 6 columns",
        arguments: sizes)
    func footLine(_ size: GridSize) {
        for language in Languages.codes {
            for (name, scene) in Samples.customerScenes where scene.warning == nil {
                let foot = scene.drawn(size, in: language).targets
                    .filter { Frame.foot.contains($0.id) }
                let first: UserAction =
                    scene.access.isChoosingLanguage ? .closeLanguages : .openLanguages
                // Screens of help are help, and the PIN entry is the staff's.
                let hasHelp = scene.state.isForCustomers && !scene.isHelpShown
                #expect(
                    foot.map(\.id) == [first, .changeAppearance, .changeVoice]
                        + (hasHelp ? [.help(.open)] : []), "\(name)")
                for target in foot {
                    #expect(target.area.rows >= 3 && target.area.columns >= 6, "\(name): \(target)")
                    #expect(target.area.end == size.rows, "\(name): \(target)")
                }
            }
        }
    }

    @Test("A machine without a voice has no speech button, but the rest of the foot line")
    func noVoice() {
        for (name, var scene) in Samples.customerScenes where scene.warning == nil {
            scene.access.speechFailed()
            let targets = scene.drawn(Self.usual).targets.map(\.id)
            #expect(
                !targets.contains(.changeVoice) && targets.contains(.changeAppearance), "\(name)")
        }
    }

    @Test("The buttons of the foot line show the effect of the next touch")
    func footWords() {
        var scene = Samples.named("home")
        var labels: [String?] = []
        for (appearance, voice) in zip(Appearance.allCases, Voice.allCases) {
            scene.access.voice = voice
            labels += [UserAction.changeAppearance, .changeVoice].map {
                scene.drawn(GridSize(100, 30), appearance, pointing: Highlight(focus: $0))
                    .spoken.focusLabel
            }
        }
        #expect(
            labels == [
                "Larger letters", "Listen", "Black on white", "Louder", "Normal letters",
                "Voice off",
            ])
    }

    /// Counts the rows that contain half blocks, apart from the QR symbol.
    private func largeRows(_ frame: Frame) -> Int {
        frame.surface.rows().count { $0.contains("▄") }
    }

    @Test("Large letters cover more of the screen, never less, and no number becomes smaller")
    func large() {
        for size in Self.sizes {
            var larger = 0
            for (name, scene) in Samples.scenes {
                if case .issued = scene.state { continue }
                let (normal, large) = (scene.drawn(size), scene.drawn(size, .large))
                #expect(largeRows(large) >= min(largeRows(normal), 6), "\(name) at \(size)")
                if largeRows(large) > largeRows(normal) { larger += 1 }
            }
            // On a coarse grid normal letters are already as large as possible on most screens.
            #expect(larger > (size.rows < 40 ? 2 : 30), "\(larger) at \(size)")
        }
    }

    @Test("The inverted theme has the same texts in the same places, dark on light")
    func inverted() {
        let ground = Theme.light.screen.background
        for (name, scene) in Samples.scenes {
            let (large, inverted) = (
                scene.drawn(Self.usual, .large), scene.drawn(Self.usual, .inverted)
            )
            #expect(large.targets.map(\.area) == inverted.targets.map(\.area), "\(name)")
            #expect(large.spoken.sentences == inverted.spoken.sentences, "\(name)")
            // The foot line differs, since it shows the effect of the next touch.
            let foot = scene.staffFacts == nil ? 3 : 25
            let rows = [large, inverted].map { $0.surface.rows().dropLast(foot) }
            #expect(rows[0] == rows[1], "\(name)")
            let isLight = scene.settings.hasLightTheme
            #expect(isLight || inverted.surface[20, 0].style.background == ground, "\(name)")
        }
    }

    // MARK: The voice

    private func said(_ scene: Scene, after before: Scene?, focus: UserAction? = nil) -> [String] {
        scene.drawn(Self.usual, pointing: Highlight(focus: focus)).spoken
            .newSentences(after: before.map { $0.drawn(Self.usual).spoken })
    }

    @Test("A new screen is read as a whole, with its choices, of the same one only new sentences")
    func news() {
        let printing = Samples.named("issued-printing")
        #expect(said(printing, after: Samples.named("offer")) == said(printing, after: nil))
        #expect(
            said(Samples.named("issued-printed"), after: printing) == ["Take your ticket below."])
        #expect(said(printing, after: printing).isEmpty)
        let offer = Samples.named("offer")
        #expect(said(offer, after: nil).suffix(2) == ["Cancel", "Confirm: print my ticket"])
        var later = offer
        later.timeLeft = 12
        #expect(said(later, after: offer).isEmpty)
        later.access.language = "it"
        #expect(said(later, after: offer) == said(later, after: nil))
    }

    @Test("A move of the focus reads the button's words, and nothing more")
    func focusMoves() {
        let offer = Samples.named("offer")
        #expect(said(offer, after: offer, focus: .cancel) == ["Cancel"])
        #expect(said(offer, after: offer, focus: .openLanguages) == ["Language"])
        #expect(said(offer, after: offer, focus: .changeVoice) == ["Listen"])
    }

    @Test("Typing reads each digit, erasing the remaining ones, the last digit the effect of OK")
    func typing() {
        let some = Samples.named("scanning-typing")
        #expect(said(some, after: Samples.named("scanning")) == ["3"])
        #expect(said(Samples.named("scanning"), after: some).isEmpty)
        let nine = Samples.named("scanning-one-missing")
        #expect(
            said(Samples.named("scanning-typed"), after: nine) == ["2", "OK: show my reservation"])
        #expect(said(some, after: nine) == ["0 4 1 9 3"])
    }

    @Test("The warning is read in steps of ten seconds, and Home is read only once")
    func timeAndHome() {
        let offer = Samples.offer(Samples.wait)
        let (first, later, last) = (
            offer.with { $0.warning = 38 }, offer.with { $0.warning = 31 },
            offer.with { $0.warning = 30 }
        )
        #expect(said(first, after: offer).contains("40 seconds"))
        #expect(said(later, after: first).isEmpty)
        #expect(said(last, after: later) == ["30 seconds"])
        let home = Samples.named("home")
        #expect(said(Samples.named("home-nothing-left"), after: home).isEmpty)
        #expect(!said(home, after: nil).isEmpty)
    }

    @Test(
        "Numbers and codes are read digit by digit, times and minutes as they are written",
        arguments: [
            ("042", "0 4 2."), ("Code 0419 384 512", "Code 0 4 1 9, 3 8 4, 5 1 2."),
            (
                "When 042 is called, come in within 10 minutes.",
                "When 0 4 2 is called, come in within 10 minutes."
            ),
            ("Come at 09:45.", "Come at 09:45."), ("123456", "1 2 3 4 5 6."),
            ("Wait: 20–35 minutes", "Wait: 20, 35 minutes."), ("Printing …", "Printing ."),
            ("Now called: 041 042", "Now called: 0 4 1, 0 4 2."), ("Still there?", "Still there?"),
            ("112 people are waiting.", "112 people are waiting."),
        ])
    func numbers(_ text: String, _ read: String) {
        var screen = SpokenScreen()
        screen.digitwise = ["041", "042", "0419", "384", "512", "123456"]
        #expect(screen.text([text]) == read)
    }
}
