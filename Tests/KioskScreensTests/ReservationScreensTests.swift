import KioskFlow
import Reservations
import TerminalSurface
import Testing

@testable import KioskScreens

/// Visits and finding or deleting a reservation [UC12, UC13].
struct ReservationScreensTests {
    private static let sizes = [
        (64, 20), (80, 24), (80, 25), (100, 30), (160, 50),
    ].map { GridSize(columns: $0.0, rows: $0.1) }

    private func draw(
        _ name: String, _ size: GridSize = GridSize(columns: 80, rows: 24), language: String = "en"
    ) -> Frame {
        var scene = Samples.named(name)
        scene.language = language
        return Screens.draw(
            scene, size: size, wordings: Languages.all, qr: Samples.qr,
            symbolForPhones: Samples.symbolForPhones(scene), invitation: Samples.invitation(scene))
    }

    private func lines(_ frame: Frame, from column: Int = 0) -> [String] {
        (0..<frame.surface.size.rows).map { row in
            (column..<frame.surface.size.columns).map { frame.surface[row, $0].text }.joined()
        }
    }

    private func shows(_ frame: Frame, _ text: String) -> Bool {
        lines(frame).contains { $0.contains(text) }
    }

    @Test("Home has two choices; the upper one, which most customers want, is the ticket")
    func home() throws {
        for size in Self.sizes {
            for language in Languages.all.keys {
                let frame = draw("home", size, language: language)
                #expect(frame.focus == .getTicket)
                let middle = size.columns / 2
                #expect(
                    frame.action(at: GridPosition(row: size.rows / 2 - 4, column: middle))
                        == .getTicket)
                let find = try #require(frame.targets.first { $0.id == .findReservation }?.area)
                let ticket = try #require(frame.targets.first { $0.id == .getTicket }?.area)
                #expect(ticket.end < find.row && ticket.rows >= find.rows)
            }
        }
    }

    @Test("No ticket today: Cancel and the first available slot; no place in a month: only Done")
    func noTicket() {
        #expect(draw("no-ticket-today").choices == [.cancel, .bookVisit])
        #expect(draw("no-ticket-today").focus == .bookVisit)
        #expect(draw("no-visit").choices == [.done])
        #expect(shows(draw("home-nothing-left"), "at the next free time"))
    }

    @Test("The offer of a visit shows its day as people say it")
    func visitOffer() {
        #expect(shows(draw("offer-visit"), "tomorrow, Saturday 21 November"))
        #expect(shows(draw("offer-visit-today"), "today, Friday 20 November"))
        #expect(shows(draw("offer-visit-later"), "Wednesday 16 December"))
        #expect(shows(draw("offer-instead"), "A ticket for today has become free"))
        #expect(draw("offer-visit").focus == .confirm)
    }

    @Test("The number is in large letters beside the code, in every language at every size")
    func largeNumber() {
        for size in Self.sizes {
            for language in Languages.all.keys {
                for (name, scene) in Samples.scenes {
                    guard case .issued(let issued) = scene.state else { continue }
                    // The symbol takes 33 columns, and its left edge has a margin of at most 3.
                    let frame = draw(name, size, language: language)
                    let number = issued.slip.number.text
                    let isSmall = lines(frame, from: 36).contains {
                        $0.filter { $0 != " " } == number
                    }
                    #expect(!isSmall, "\(name) in \(language) at \(size)")
                }
            }
        }
    }

    @Test("The keypad has ten digits and a key to erase; typed digits are shown in groups")
    func keypad() {
        for size in Self.sizes {
            let frame = draw("scanning", size)
            let keys = frame.targets.map(\.id)
            #expect(keys.filter { if case .digit = $0 { true } else { false } }.count == 10)
            #expect(keys.contains(.erase) && keys.contains(.enterCode) && keys.contains(.cancel))
        }
        #expect(shows(draw("scanning-typing", Screens.smallest), "0419 3__ ___"))
        // On larger grids the digits are large, in place of text that a customer who types does not need.
        #expect(!shows(draw("scanning-typing"), "Show your ticket"))
        #expect(shows(draw("scanning-typing"), "Type the ten digits:"))
        #expect(shows(draw("scanning-typing"), "5 digits are missing"))
        #expect(shows(draw("scanning-one-missing"), "1 digit is missing"))
        #expect(draw("scanning-typed").focus == .enterCode)
    }

    @Test("An arrow moves towards the reader's place until the customer types")
    func arrow() {
        for size in [Screens.smallest, GridSize(columns: 80, rows: 25)] {
            for language in Languages.all.keys {
                func steps(_ name: String, _ place: ReaderPlace) -> Set<Surface> {
                    var scene = Samples.named(name)
                    scene.language = language
                    scene.readerPlace = place
                    return Set(
                        (0..<3).map { step in
                            scene.arrowStep = step
                            return Screens.draw(scene, size: size, wordings: Languages.all).surface
                        })
                }
                for place in ReaderPlace.allCases {
                    #expect(steps("scanning", place).count >= 2, "\(language) \(size) \(place)")
                    #expect(steps("scanning-typing", place).count == 1)
                }
                #expect(steps("scanning", .left).isDisjoint(with: steps("scanning", .right)))
                #expect(steps("scanning", .below).isDisjoint(with: steps("scanning", .above)))
            }
        }
    }

    @Test("Without a reader the screen does not ask to scan the ticket, but for its digits")
    func noReader() {
        for size in Self.sizes {
            let frame = draw("scanning-no-reader", size)
            let said = frame.spoken.sentences.joined(separator: " ")
            #expect(said.contains("is not working") && said.contains("Type the ten digits"))
            for words in ["Show your ticket", "red light", "Or type"] {
                #expect(!shows(frame, words))
            }
        }
    }

    @Test("Keys and buttons of one colour never touch, so that each can be seen as one")
    func apart() {
        for size in Self.sizes {
            for (name, _) in Samples.scenes {
                let areas = draw(name, size).targets.map(\.area)
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

    @Test("A reservation that was found has its status; the button that keeps it has the focus")
    func found() {
        #expect(draw("found-ticket").focus == .cancel)
        #expect(shows(draw("found-ticket"), "9 people are ahead of you."))
        #expect(shows(draw("found-ticket"), "Ticket for Friday 20 November"))
        #expect(shows(draw("found-called"), "has been called"))
        #expect(draw("found-called").targets.contains { $0.id == .giveUp })
        #expect(shows(draw("found-visit"), "Visit on Wednesday 16 December"))
        #expect(shows(draw("found-visit"), "Come at 09:45."))
        for size in Self.sizes {
            // On the coarsest grid it takes two lines beside the foot line.
            let frame = draw("found-visit", size)
            #expect(shows(frame, "Do you want to cancel") && shows(frame, "this reservation?"))
        }
        #expect(shows(draw("found-visit"), "Supermercato Città Studi"))
    }

    @Test("Every refused code has a message of its own and two choices, in every language")
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
        #expect(shows(draw("refused-not-found-typed"), "Check the digits"))
        #expect(!shows(draw("refused-not-found"), "digits"))
        for reason in Samples.codeRefusals {
            #expect(draw("refused-\(reason.rawValue)").choices == [.done, .findReservation])
        }
    }

    @Test("A deletion without an answer says that it may have happened, and how to check")
    func unknownDeletion() {
        let frame = draw("apology-of-deletion")
        #expect(shows(frame, "We do not know whether your reservation is cancelled."))
        #expect(shows(frame, "Hold the ticket under the red light again to see."))
        #expect(!shows(frame, "Nothing has changed"))
    }
}
