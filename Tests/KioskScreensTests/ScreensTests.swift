import Reservations
import TerminalSurface
import TestSupport
import Testing

@testable import KioskFlow
@testable import KioskScreens

struct ScreensTests {
    static let sizes = GridSize.each(
        (64, 20), (71, 23), (80, 24), (80, 25), (100, 30), (160, 50),
        // Panels of 22 inches, in landscape and portrait.
        (96, 27), (67, 58))

    /// The scenes that show a symbol.
    private static let issued = Samples.scenes.filter { _, scene in
        if case .issued = scene.state { true } else { false }
    }

    /// The grids on which a text has the least room: on these every sample is drawn in every language, also in the short
    /// check.
    private static let narrow = [Screens.smallest, GridSize(80, 24)]

    /// One language, another for each number; at full length all of them.
    private func languages(of index: Int) -> [String] {
        let all = Languages.codes
        return TestLength.isLong ? all : [all[index % all.count]]
    }

    /// The languages in which a sample is drawn at a size.
    private func languages(of index: Int, at size: GridSize) -> [String] {
        Self.narrow.contains(size)
            ? Languages.codes : languages(of: index + size.columns + size.rows)
    }

    /// Draws every sample at a size.
    ///
    /// - Parameter languages: those of each sample, by its index; nil for those of its size.
    private func everyFrame(
        of scenes: [(String, Scene)] = Samples.scenes, _ size: GridSize,
        _ appearance: Appearance = .normal, _ typeface: Typeface = .blocks,
        qr: QRMatrix? = Samples.qr,
        in languages: ((Int) -> [String])? = nil, _ check: (String, Frame, Scene) -> Void
    ) {
        for (index, (name, sample)) in scenes.enumerated() {
            for language in languages?(index) ?? self.languages(of: index, at: size) {
                let scene = sample.with {
                    $0.access.language = language
                    $0.access.appearance = appearance
                }
                check(
                    "\(name) in \(language), \(appearance), at \(size)",
                    scene.drawn(size, nil, typeface, qr: qr), scene)
            }
        }
    }

    /// The inverted theme has the same letters as the large one.
    private static let letters = [Appearance.normal, .large]

    @Test(
        "Every text fits, none covers another, every button can be hit, and there is a way back",
        arguments: sizes, letters)
    func everythingFits(_ size: GridSize, _ appearance: Appearance) throws {
        expectWhole(size, appearance, .blocks)
    }

    /// The grids of the panels for which pictures are kept, and of an ordinary terminal.
    static let panels = GridSize.each((64, 20), (64, 24), (80, 25), (96, 27), (67, 60), (120, 33))

    @Test(
        "The same in the machine's own font, on the grid of every panel",
        arguments: panels, letters)
    func everythingFitsInOwnFont(_ size: GridSize, _ appearance: Appearance) throws {
        expectWhole(size, appearance, try OwnFont.typeface())
    }

    private func expectWhole(_ size: GridSize, _ appearance: Appearance, _ typeface: Typeface) {
        everyFrame(size, appearance, typeface) { name, frame, scene in
            #expect(frame.isWhole, "\(name)")
            expectWayBack(name, frame, scene)
            checkButtons(name, frame, scene)
        }
        everyFrame(of: Self.issued, size, appearance, typeface, qr: nil) { name, frame, _ in
            #expect(frame.isWhole, "\(name)")
        }
    }

    /// Every screen must have a way back, or end by itself.
    private func expectWayBack(_ name: String, _ frame: Frame, _ scene: Scene) {
        let isServing =
            switch scene.state {
            // The machine waits for answers within the timeouts of its calls (rules: time-outs).
            case .starting, .confirming, .deleting, .changingTurn: false
            case .home, .closed, .outOfService: scene.isHelpShown && scene.help != .calling
            default: scene.warning == nil && !scene.access.isChoosingLanguage
            }
        let ways: [UserAction] = [
            .cancel, .done, .leave, .leaveStaff, .help(.decline), .help(.leave),
        ]
        let actions = frame.targets.map(\.id)
        #expect(!isServing || actions.contains(where: ways.contains), "\(name)")
        #expect(!scene.access.isChoosingLanguage || actions.contains(.closeLanguages), "\(name)")
    }

    @Test("A translation that is too long for a screen is detected")
    func tooLong() {
        let long = Strings(
            language: "en", name: "English", rule: .oneAndOther,
            messages: [
                Strings.Key("Please ask the staff."): [String(repeating: "Wait. ", count: 200)]
            ])
        for (wordings, isLost) in [([:], false), (["en": long], true)] {
            let frame = Samples.named("out-of-service-A1").drawn(
                Screens.smallest, in: "en", wordings: wordings)
            #expect((frame.surface.lost > 0) == isLost)
        }
    }

    @Test("The target drawn last is the one that is touched")
    func overlappingTargets() {
        let frame = Frame(
            surface: Surface(size: Screens.smallest, style: .code),
            targets: [
                TouchTarget(id: .confirm, area: Rectangle(row: 0, column: 0, rows: 5, columns: 5)),
                TouchTarget(id: .cancel, area: Rectangle(row: 2, column: 2, rows: 1, columns: 1)),
            ], focus: nil, spoken: SpokenScreen(), heights: TextHeights())
        #expect(frame.action(at: GridPosition(row: 2, column: 2)) == .cancel)
        #expect(frame.action(at: GridPosition(row: 4, column: 4)) == .confirm)
        #expect(frame.action(at: GridPosition(row: 5, column: 4)) == nil)
    }

    /// No button leaves the screen, overlaps another or is too small for a glove (rules: touch-targets).
    private func checkButtons(_ name: String, _ frame: Frame, _ scene: Scene) {
        for (index, target) in frame.targets.enumerated() {
            #expect(frame.surface.bounds.contains(target.area), "\(name): \(target)")
            let isStaff =
                scene.staffFacts != nil
                && [.cancel, .openLanguages].contains(target.id)
            let isSmall = isKey(target.id) || isStaff || Frame.foot.contains(target.id)
            #expect(target.area.rows >= (isSmall ? 3 : 5), "\(name): \(target)")
            #expect(target.area.columns >= (isSmall ? 6 : 15), "\(name): \(target)")
            for other in frame.targets[(index + 1)...] {
                #expect(target.area.intersection(other.area).isEmpty, "\(name): \(target)")
            }
        }
    }

    private func isKey(_ action: UserAction) -> Bool {
        switch action {
        // *OK* is a key of the keypad (rules: touch-targets).
        case .digit, .erase, .keepDigit, .enterCode: true
        // The staff's own buttons are as large as those (rules: touch-targets).
        case .leaveStaff, .openStaff, .turnPage, .testPrint, .chooseReceipt, .reprint,
            .putOutOfService, .staff:
            true
        default: false
        }
    }

    @Test(
        "The issued screen has the whole symbol, once or twice as large, with its quiet zone",
        arguments: sizes)
    func symbol(_ size: GridSize) {
        everyFrame(of: Self.issued, size) { name, frame, _ in
            let isShown = [1, 2].contains { frame.surface.place(of: Samples.qr, times: $0) != nil }
            #expect(isShown, "\(name)")
        }
    }

    @Test(
        "The focus always has a frame, and the keys reach every button",
        arguments: letters)
    func focus(_ appearance: Appearance) {
        // The buttons of a sample are the same in every language.
        everyFrame(GridSize(80, 24), appearance, in: languages(of:)) { name, frame, scene in
            var focus = frame.focus
            var seen: [UserAction] = []
            for _ in 0...frame.targets.count {
                guard let marked = focus else { break }
                let before = seen.last
                seen.append(marked)
                let next = scene.drawn(pointing: Highlight(focus: marked))
                #expect(
                    next.area(of: marked).map { next.surface[$0.row, $0.column].text } == "╔",
                    "\(name)")
                #expect(next.text.count { $0 == "╔" } == 1, "\(name)")
                #expect(before == nil || next.previousFocus == before, "\(name)")
                focus = next.nextFocus
            }
            // Each target has the focus once, and then the first one has it again.
            #expect(Set(seen.dropLast()) == Set(frame.targets.map(\.id)), "\(name)")
            #expect(seen.last == seen.first, "\(name)")
        }
    }

    @Test("Confirm has the focus on the offer, and a touch on a button is that button")
    func touches() throws {
        let frame = Samples.named("offer").drawn(GridSize(80, 25))
        #expect(frame.focus == .confirm)
        let confirm = try #require(frame.area(of: .confirm))
        let cancel = try #require(frame.area(of: .cancel))
        #expect(
            frame.action(at: GridPosition(row: confirm.row, column: confirm.column)) == .confirm)
        let last = GridPosition(row: cancel.end - 1, column: cancel.endColumn - 1)
        #expect(frame.action(at: last) == .cancel)
        #expect(frame.action(at: GridPosition(row: last.row, column: last.column + 1)) == nil)
        #expect(cancel.endColumn < confirm.column, "Cancel is on the left, Confirm on the right")
    }

    @Test("A button under a finger looks different")
    func pressed() {
        let scene = Samples.named("home")
        let plain = scene.drawn()
        let pressed = scene.drawn(pointing: Highlight(pressed: .getTicket))
        let area = plain.targets[0].area
        #expect(plain.surface[area.row, area.column].style == Theme.dark.main)
        #expect(pressed.surface[area.row, area.column].style == Theme.dark.pressed)
    }

    @Test("The warning asks for more time, which the keys choose first, or gives the place back")
    func warning() {
        for (name, words) in [("warning", "give my place back"), ("warning-one", "finished")] {
            let frame = Samples.named(name).drawn()
            #expect(frame.targets.map(\.id) == [.cancel, .stay] && frame.focus == .stay)
            #expect(frame.spoken.choices.contains { $0.contains(words) }, "\(name)")
        }
    }

    @Test("A terminal of any size is drawn on, even an empty one", arguments: [0, 1, 2, 5, 19, 63])
    func anySize(_ side: Int) {
        for (_, scene) in Samples.scenes {
            for size in [GridSize(side, side), GridSize(200, side), GridSize(side, 60)]
            where !size.holds(Screens.smallest) {
                let frame = scene.drawn(size)
                #expect(frame.surface.size == size && frame.targets.isEmpty)
            }
        }
    }

    @Test("Every theme keeps 4.5:1 for text and 3:1 for blocks", arguments: [Theme.dark, .light])
    func contrast(_ theme: Theme) {
        for (name, style) in theme.all {
            #expect(style.foreground.contrast(with: style.background) >= 4.5, "\(name)")
        }
        for block in [theme.main, theme.quiet, theme.pressed] {
            #expect(block.background.contrast(with: theme.screen.background) >= 3, "\(block)")
        }
        #expect(
            theme.main.background.contrast(with: theme.screen.background)
                > theme.quiet.background.contrast(with: theme.screen.background),
            "what most people want stands out most")
    }

    @Test("Every screen that gives a place says that it is for one person")
    func onePerson() {
        for name in ["home", "offer", "offer-now", "offer-no-paper", "issued-printing"] {
            #expect(Samples.named(name).drawn().shows("for one person"), "\(name)")
        }
    }

    @Test("A hostile shop name cannot move or hide text, nor leave the top line")
    func hostileShop() {
        let name =
            "\u{1B}]0;x\u{7}\u{9B}2J\u{202E}A\u{200B}B\r\n\u{8}C"
            + String(repeating: "\u{301}", count: 40) + String(repeating: "長", count: 10_000)
        let frame = Samples.scene(.home, shop: name).drawn()
        #expect(frame.surface.lost == 0)
        #expect(frame.shows("Fri 14:05"))
        #expect(!hasControls(frame))
        #expect(frame.surface[0, 2].text == "]")
    }

    @Test("A hostile message of the shop is shown clean and cut, with all other text in its place")
    func hostileMessage() {
        let message =
            "\u{1B}[2J\u{202E}Back\r\nat\u{9B}3J 3 <b>" + String(repeating: "長", count: 10_000)
        for size in Self.narrow {
            let frame = Samples.outOfService(message).drawn(size)
            #expect(frame.surface.lost == 0)
            #expect(frame.shows("[2JBack at3J 3") && frame.shows("S1"))
            #expect(!hasControls(frame))
        }
    }

    private func hasControls(_ frame: Frame) -> Bool {
        frame.surface.rows().joined().unicodeScalars.contains {
            [.control, .format].contains($0.properties.generalCategory)
        }
    }
}
