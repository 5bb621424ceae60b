import KioskFlow
import Reservations
import TerminalSurface
import Testing

@testable import KioskScreens

/// Visits and finding or deleting a reservation [UC12, UC13].
struct ReservationScreensTests {
    private static let sizes = GridSize.each(
        (64, 20), (80, 24), (80, 25), (100, 30), (160, 50))

    // What these screens say is in the expected screens and the expected spoken sentences.
    @Test(
        "Each screen has its own buttons, of which the harmless or the usual one has the focus",
        arguments: [
            ("no-ticket-today", [.cancel, .bookVisit], .bookVisit), ("no-visit", [.done], .done),
            ("offer-visit", [.cancel, .confirm], .confirm),
            ("found-ticket", [.cancel, .giveUp], .cancel),
            ("found-called", [.cancel, .giveUp], .cancel),
            ("found-more-time", [.cancel, .openDelays, .giveUp], .cancel),
            ("delay-offers-one-person", [.cancel, .delay(people: 1)], .cancel),
            ("turn-changed", [.done], .done), ("turn-changed-back", [.done], .done),
            ("turn-changed-called", [.done], .done),
            ("missed-call", [.cancel, .reclaim], .reclaim),
        ] + Samples.codeRefusals.map { ("refused-\($0.rawValue)", [.done, .findReservation], nil) }
            as [(String, [UserAction], UserAction?)])
    func buttons(_ name: String, _ choices: [UserAction], _ focus: UserAction?) {
        let frame = Samples.named(name).drawn()
        #expect(frame.choices == choices)
        #expect(frame.focus == focus ?? frame.focus)
    }

    @Test(
        "The number is in large letters beside the code, in every language at every size",
        arguments: sizes, Languages.codes)
    func largeNumber(_ size: GridSize, _ language: String) {
        for (name, scene) in Samples.scenes {
            guard case .issued(let issued) = scene.state else { continue }
            // The symbol takes 33 columns, and its left edge has a margin of at most 3.
            let frame = Samples.named(name).drawn(size, in: language)
            let number = issued.slip.number.text
            let isSmall = frame.surface.rows(from: 36).contains {
                $0.filter { $0 != " " } == number
            }
            #expect(!isSmall, "\(name) in \(language) at \(size)")
        }
    }

    @Test("The keypad has ten digits and a key to erase; once all are typed, OK has the focus")
    func keypad() {
        for size in Self.sizes {
            let frame = Samples.named("scanning").drawn(size)
            let keys = frame.targets.map(\.id)
            #expect(keys.filter { if case .digit = $0 { true } else { false } }.count == 10)
            #expect(keys.contains(.erase) && keys.contains(.enterCode) && keys.contains(.cancel))
        }
        #expect(Samples.named("scanning-typed").drawn().focus == .enterCode)
    }

    @Test(
        "An arrow moves towards the reader's place until the customer types",
        arguments: [Screens.smallest, GridSize(80, 25)], Languages.codes)
    func arrow(_ size: GridSize, _ language: String) {
        func steps(_ name: String, _ place: ReaderPlace) -> Set<Surface> {
            var scene = Samples.named(name).with { $0.readerPlace = place }
            return Set(
                (0..<3).map { step in
                    scene.arrowStep = step
                    return scene.drawn(size, in: language).surface
                })
        }
        for place in ReaderPlace.allCases {
            #expect(steps("scanning", place).count >= 2, "\(language) \(size) \(place)")
            #expect(steps("scanning-typing", place).count == 1)
        }
        #expect(steps("scanning", .left).isDisjoint(with: steps("scanning", .right)))
        #expect(steps("scanning", .below).isDisjoint(with: steps("scanning", .above)))
    }

    @Test("Without a reader the screen does not ask to scan the ticket, but for its digits")
    func noReader() {
        for size in Self.sizes {
            let frame = Samples.named("scanning-no-reader").drawn(size)
            let said = frame.spoken.sentences.joined(separator: " ")
            #expect(said.contains("is not working") && said.contains("Type the ten digits"))
            for words in ["Show your ticket", "red light", "Or type"] {
                #expect(!frame.shows(words))
            }
        }
    }

    @Test("A machine that never had a reader asks for the digits, and calls nothing broken")
    func neverHadReader() {
        for size in Self.sizes {
            let frame = Samples.named("scanning-no-reader-ever").drawn(size)
            #expect(frame.shows("Type the ten digits"))
            for words in ["not working", "red light", "Show your ticket"] {
                #expect(!frame.shows(words))
            }
        }
    }

    @Test("A machine that prints no tickets says so, calls nothing broken, and shows the code")
    func neverHadPrinter() {
        for size in Self.sizes {
            for name in ["offer-no-printer", "issued-shown-only-no-printer"] {
                let said = Samples.named(name).drawn(size).spoken.sentences.joined(separator: " ")
                #expect(said.contains("This machine prints no tickets."), "\(name): \(said)")
                #expect(!said.contains("does not answer"))
            }
        }
    }

    @Test("Keys and buttons of one colour never touch, so that each can be seen as one")
    func apart() {
        for size in Self.sizes {
            for (name, _) in Samples.scenes {
                let areas = Samples.named(name).drawn(size).targets.map(\.area)
                for (index, area) in areas.enumerated() {
                    let around = Rectangle(
                        row: area.row - 1, column: area.column - 1, rows: area.rows + 2,
                        columns: area.columns + 2)
                    for other in areas[(index + 1)...] {
                        #expect(around.intersection(other).isEmpty, "\(name) at \(size)")
                    }
                }
            }
        }
    }

    @Test("The question whether to cancel has room on every grid")
    func found() {
        for size in Self.sizes {
            // On the coarsest grid it takes two lines beside the foot line.
            let frame = Samples.named("found-visit").drawn(size)
            #expect(frame.shows("Do you want to cancel") && frame.shows("this reservation?"))
        }
    }

    @Test("Every refused code has a message of its own, in every language")
    func refused() {
        for (language, wording) in Languages.all {
            for isTyped in [true, false] {
                let all = Refusal.allCases.compactMap(\.customerSentences)
                let headings = all.map { wording.text($0.heading) }
                let advice = all.map { wording.text(isTyped ? $0.adviceIfTyped : $0.advice) }
                #expect(Set(headings).count == all.count, "\(language)")
                #expect(Set(advice).count == all.count, "\(language)")
            }
        }
    }
}
