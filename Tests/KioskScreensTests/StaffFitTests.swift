import KioskFlow
import TerminalSurface
import Testing

@testable import KioskScreens

/// Maintenance mode on the grids of the kiosk's panel.
struct StaffFitTests {
    private static let sizes = GridSize.each((64, 20), (80, 25), (160, 50), (67, 58))

    @Test("Every refusal has a sentence of its own that fits", arguments: sizes, Languages.codes)
    func refusals(_ size: GridSize, _ language: String) {
        var sentences: Set<String> = []
        for (name, scene) in Samples.refusalScenes {
            let frame = scene.drawn(size, in: language)
            #expect(frame.surface.lost == 0, "\(name) in \(language) at \(size)")
            if let last = frame.spoken.sentences.last { sentences.insert(last) }
        }
        #expect(sentences.count == Samples.refusalScenes.count, "\(language)")
    }

    @Test("Every fault leads by one touch to the screen that corrects it", arguments: sizes)
    func remedies(_ size: GridSize) throws {
        var parts: Set<MachinePart> = []
        for page in 0..<12 {
            let scene = Samples.named("staff-overview-trouble").withSession { $0.page = page }
            for target in scene.drawn(size).targets {
                if case .staff(.showPart(let part)) = target.id { parts.insert(part) }
            }
        }
        #expect(
            parts == [
                .service, .backend, .printer(0), .paper, .reader, .clock, .disk, .version, .papers,
            ])
    }

    @Test(
        "Every light and the whole fingerprint are visible, in every language",
        arguments: sizes, Languages.codes)
    func lights(_ size: GridSize, _ language: String) throws {
        for name in ["staff-overview", "staff-overview-one", "staff-overview-trouble"] {
            let frame = Samples.named(name).drawn(size, in: language)
            let wording = try #require(Languages.all[language])
            for light in [
                "Service", "Backend", "Printer", "Paper", "Reader", "Clock", "Disk", "Key",
                "Version", "Tickets",
            ] {
                let words = wording.text(light)
                let isSeen = [" ", ":", "\u{A0}:"].contains { end in
                    ["OK ", "!! ", ".. "].contains { frame.shows($0 + words + end) }
                }
                // If cells are small, the fingerprint is in large letters.
                #expect(
                    isSeen || frame.spoken.sentences.joined().contains(words),
                    "\(light) in \(language) at \(size), \(name)")
                #expect(isSeen || size.rows >= 40, "\(light) in \(language), \(name)")
            }
        }
        let scene = Samples.named("staff-machine")
        let frame = scene.drawn(size, in: language)
        let fingerprint = try #require(scene.staffFacts?.body?.fingerprint)
        for half in [fingerprint.prefix(23), fingerprint.suffix(23)] {
            #expect(frame.shows(String(half)) || size.rows >= 40, "\(half)")
        }
    }

    @Test("A question opens with the focus on the harmless answer, whatever had it before")
    func questions() {
        var names: [String: String] = [:]
        for (name, scene) in Samples.scenes {
            guard case .staff(let visit) = scene.state else { continue }
            let frame = scene.drawn(Self.sizes[1])
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
            let frame = Samples.named("staff-overview-missing").drawn(size, in: language)
            #expect(frame.surface.lost == 0, "\(language) at \(size)")
            let first = try #require(frame.spoken.sentences.first)
            #expect(first.hasPrefix("118, 1"), "\(first)")
            let papers = frame.targets.compactMap { target -> IssuedPaper? in
                if case .staff(.showPart(.missing(let paper))) = target.id { paper } else { nil }
            }
            #expect(papers.first?.number.text == "118")
        }
        let paper = try #require(Samples.named("staff-overview-missing").staffFacts?.papers?.first)
        #expect(
            Set(Samples.named("staff-missing").drawn(size).targets.map(\.id)) == [
                .staff(.ask(.paper(.found, paper))), .reprint(.neverCame),
                .staff(.ask(.paper(.giveBack, paper))), .cancel,
            ])
    }

    @Test("Without printer and reader nothing on the overview is wrong", arguments: sizes)
    func noDevices(_ size: GridSize) {
        let sentences = Samples.named("staff-overview-no-devices").drawn(size).spoken.sentences
        #expect(sentences.contains("Printer: none"), "\(sentences)")
        #expect(sentences.contains("Reader: none"), "\(sentences)")
        #expect(!sentences.contains { $0.contains("not printed") || $0.contains("plug it in") })
        let reader = Samples.named("staff-reader-away").with { $0.readerPlace = nil }.drawn(size)
        #expect(reader.spoken.sentences.contains("This machine has no code reader."))
    }

    @Test("Only managers see the people, and a PIN is never on the screen")
    func secrets() {
        let staff = Samples.named("staff-overview-staff").drawn(Self.sizes[1])
        #expect(!staff.targets.contains { $0.id == .openStaff(.people) })
        let again = Samples.named("staff-pin-again").drawn(Self.sizes[1])
        #expect(again.shows("****") && !again.shows("7391"))
        #expect(!again.spoken.sentences.joined().contains("7391"))
    }

    @Test("A touch in a field is a hit, and one beside it shows its distance")
    func touchTest() {
        func drawn(_ marks: [TouchMark]) -> [String] {
            Samples.named("staff-touch-test").withSession { $0.touches = marks }
                .drawn(Self.sizes[1]).spoken.sentences
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
