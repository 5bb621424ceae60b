import KioskFlow
import TerminalSurface
import Testing

@testable import KioskScreens

/// Maintenance mode on the grids of the kiosk's panel.
struct StaffFitTests {
    private static let sizes = [(64, 20), (80, 25), (160, 50), (67, 58)].map {
        GridSize(columns: $0.0, rows: $0.1)
    }

    @Test("Every refusal has a sentence of its own that fits", arguments: sizes)
    func refusals(_ size: GridSize) {
        for language in Languages.codes {
            var sentences: Set<String> = []
            for (name, var scene) in Samples.refusalScenes {
                scene.language = language
                let frame = Screens.draw(scene, size: size, wordings: Languages.all)
                #expect(frame.surface.lost == 0, "\(name) in \(language) at \(size)")
                if let last = frame.spoken.sentences.last { sentences.insert(last) }
            }
            #expect(sentences.count == Samples.refusalScenes.count, "\(language)")
        }
    }

    @Test("Every fault leads by one touch to the screen that corrects it", arguments: sizes)
    func remedies(_ size: GridSize) throws {
        var scene = Samples.named("staff-overview-trouble")
        var parts: Set<MachinePart> = []
        for page in 0..<12 {
            if case .staff(var visit) = scene.state {
                visit.page = page
                scene.state = .staff(visit)
            }
            let frame = Screens.draw(scene, size: size, wordings: Languages.all)
            for target in frame.targets {
                if case .staff(.showPart(let part)) = target.id { parts.insert(part) }
            }
        }
        #expect(
            parts == [
                .service, .backend, .printer(0), .paper, .reader, .clock, .disk, .version, .papers,
            ])
    }

    @Test("Every light and the whole fingerprint are visible, in every language", arguments: sizes)
    func lights(_ size: GridSize) throws {
        for language in Languages.codes {
            for name in ["staff-overview", "staff-overview-one", "staff-overview-trouble"] {
                var scene = Samples.named(name)
                scene.language = language
                let frame = Screens.draw(scene, size: size, wordings: Languages.all)
                let wording = try #require(Languages.all[language])
                for light in [
                    "Service", "Backend", "Printer", "Paper", "Reader", "Clock", "Disk", "Key",
                    "Version", "Tickets",
                ] {
                    let words = wording.text(light)
                    let isSeen = [" ", ":", "\u{A0}:"].contains { end in
                        ["OK ", "!! ", ".. "].contains { shows(frame, $0 + words + end) }
                    }
                    // If cells are small, the fingerprint is in large letters.
                    #expect(
                        isSeen || frame.spoken.sentences.joined().contains(words),
                        "\(light) in \(language) at \(size), \(name)")
                    #expect(isSeen || size.rows >= 40, "\(light) in \(language), \(name)")
                }
            }
            var scene = Samples.named("staff-machine")
            scene.language = language
            let frame = Screens.draw(scene, size: size, wordings: Languages.all)
            let fingerprint = try #require(scene.staffFacts?.body?.fingerprint)
            for half in [fingerprint.prefix(23), fingerprint.suffix(23)] {
                #expect(
                    shows(frame, String(half)) || size.rows >= 40, "\(half) in \(language)")
            }
        }
    }

    private func shows(_ frame: Frame, _ words: String) -> Bool {
        let size = frame.surface.size
        return (0..<size.rows).contains { row in
            (0..<size.columns).map { frame.surface[row, $0].text }.joined().contains(words)
        }
    }

    @Test("A question opens with the focus on the harmless answer, whatever had it before")
    func questions() {
        var names: [String: String] = [:]
        for (name, scene) in Samples.scenes {
            guard case .staff(let visit) = scene.state else { continue }
            let frame = Screens.draw(scene, size: Self.sizes[1], wordings: Languages.all)
            guard visit.question != nil || visit.chosen != nil else {
                names[frame.spoken.screen] = name
                continue
            }
            #expect(frame.focus == .cancel, "\(name)")
            // The machine resets the focus if the name of the screen changes.
            #expect(frame.spoken.screen.hasSuffix("-question"), "\(name)")
        }
        #expect(names.keys.allSatisfy { !$0.hasSuffix("-question") }, "\(names)")
    }

    @Test(
        "A paper that may be missing comes first, with number and time, and leads to its remedies",
        arguments: sizes)
    func missing(_ size: GridSize) throws {
        for language in Languages.codes {
            var scene = Samples.named("staff-overview-missing")
            scene.language = language
            let frame = Screens.draw(scene, size: size, wordings: Languages.all)
            #expect(frame.surface.lost == 0, "\(language) at \(size)")
            let first = try #require(frame.spoken.sentences.first)
            #expect(first.hasPrefix("118, 1"), "\(first)")
            let papers = frame.targets.compactMap { target -> IssuedPaper? in
                if case .staff(.showPart(.missing(let paper))) = target.id { paper } else { nil }
            }
            #expect(papers.first?.number.text == "118")
        }
        let paper = try #require(Samples.named("staff-overview-missing").staffFacts?.papers?.first)
        let frame = Screens.draw(
            Samples.named("staff-missing"), size: size, wordings: Languages.all)
        #expect(
            Set(frame.targets.map(\.id)) == [
                .staff(.ask(.paper(.found, paper))), .reprint(.neverCame),
                .staff(.ask(.paper(.giveBack, paper))), .cancel,
            ])
    }

    @Test("Only managers see the people, and a PIN is never on the screen")
    func secrets() {
        let size = Self.sizes[1]
        let staff = Screens.draw(
            Samples.named("staff-overview-staff"), size: size, wordings: Languages.all)
        #expect(!staff.targets.contains { $0.id == .openStaff(.people) })
        let again = Screens.draw(
            Samples.named("staff-pin-again"), size: size, wordings: Languages.all)
        let text = (0..<size.rows).map { row in
            (0..<size.columns).map { again.surface[row, $0].text }.joined()
        }.joined(separator: "\n")
        #expect(text.contains("****") && !text.contains("7391"))
        #expect(!again.spoken.sentences.joined().contains("7391"))
    }

    @Test("A touch in a field is a hit, and one beside it shows its distance")
    func touchTest() {
        let size = Self.sizes[1]
        var scene = Samples.named("staff-touch-test")
        func drawn(_ marks: [TouchMark]) -> [String] {
            if case .staff(var visit) = scene.state {
                visit.touches = marks
                scene.state = .staff(visit)
            }
            return Screens.draw(scene, size: size, wordings: Languages.all).spoken.sentences
        }
        func mark(_ row: Int, _ column: Int) -> TouchMark {
            TouchMark(row: row, column: column, rows: 25, columns: 80)
        }
        let corners = [mark(0, 0), mark(1, 75), mark(23, 3), mark(24, 79)]
        let miss = drawn(corners + [mark(12, 46)])
        #expect(miss.first == "Touch each of the five fields.")
        #expect(miss.last?.contains("7 columns and 0 rows") == true, "\(miss)")
        #expect(drawn(corners + [mark(12, 39)]).first == "All five fields were hit.")
    }
}
