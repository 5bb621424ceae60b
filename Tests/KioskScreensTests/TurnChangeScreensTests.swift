import KioskFlow
import Reservations
import TerminalSurface
import Testing

@testable import KioskScreens

/// More time, and a missed call (rules 34).
struct TurnChangeScreensTests {
    private func draw(
        _ name: String, _ size: GridSize, _ language: String = "en",
        _ typeface: Typeface = .blocks
    ) -> Frame {
        var scene = Samples.named(name)
        scene.language = language
        return Screens.draw(scene, size: size, typeface: typeface, wordings: Languages.all)
    }

    private func words(_ frame: Frame) -> String { frame.spoken.sentences.joined(separator: " ") }

    /// The text in an area of the screen, its lines joined by spaces.
    private func text(_ frame: Frame, in area: Rectangle) -> String {
        (area.row..<area.end).map { row in
            (area.column..<area.endColumn).map { frame.surface[row, $0].text }.joined()
                .split(separator: " ").joined(separator: " ")
        }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    @Test(
        "Every number of people is one button with its price, beside the way to keep the place",
        arguments: ScreensTests.sizes)
    func offers(_ size: GridSize) throws {
        for language in Languages.codes {
            let wording = try #require(Languages.all[language])
            let frame = draw("delay-offers", size, language)
            #expect(frame.focus == .cancel)
            let choices: [(UserAction, String)] = [
                (.cancel, "14:25"), (.delay(people: 2), "14:35"), (.delay(people: 5), "14:50"),
                (.delay(people: 10), "15:25"),
            ]
            #expect(Set(frame.choices) == Set(choices.map(\.0)))
            for (action, begin) in choices {
                let area = try #require(frame.targets.first { $0.id == action }?.area)
                let time = wording.time(Samples.clock("2026-11-20T\(begin):00+01:00"))
                #expect(
                    text(frame, in: area).contains(time), "\(action) in \(language) at \(size)")
            }
        }
    }

    @Test("The offers say that the number stays, and are said with their prices")
    func spoken() {
        let frame = draw("delay-offers", GridSize(columns: 80, rows: 24))
        #expect(words(frame).contains("Your number 042 stays the same."))
        #expect(frame.spoken.choices.contains("2 people: You can come in between 14:35 and 14:50."))
        #expect(
            frame.spoken.choices.contains("Keep my place: You can come in between 14:25 and 14:40.")
        )
        let one = draw("delay-offers-one-person", GridSize(columns: 80, rows: 24))
        #expect(one.choices == [.cancel, .delay(people: 1)])
        #expect(one.spoken.choices.contains { $0.hasPrefix("1 person: ") })
    }

    @Test("The way to keep the place is at the lower left, as on the screen before")
    func placeOfKeeping() throws {
        for size in ScreensTests.sizes where size.columns >= 2 * size.rows {
            for name in ["found-more-time", "delay-offers", "delay-offers-two"] {
                let own = draw(name, size).targets.filter { !$0.id.isInFootLine }
                let keep = try #require(own.first { $0.id == .cancel }?.area)
                #expect(own.allSatisfy { $0.area.end <= keep.end }, "\(name) at \(size)")
                #expect(own.allSatisfy { $0.area.column >= keep.column }, "\(name) at \(size)")
            }
        }
    }

    @Test("More time is a choice only where it can be had; the question fits the choices")
    func moreTime() {
        let size = GridSize(columns: 80, rows: 24)
        #expect(draw("found-more-time", size).choices == [.cancel, .openDelays, .giveUp])
        #expect(words(draw("found-more-time", size)).contains("What would you like to do?"))
        #expect(draw("found-ticket", size).choices == [.cancel, .giveUp])
        #expect(words(draw("found-ticket", size)).contains("Do you want to cancel"))
    }

    @Test("After the change the number and its new time are shown, or that it is called")
    func changed() {
        let size = GridSize(columns: 80, rows: 24)
        let delayed = words(draw("turn-changed", size))
        #expect(delayed.contains("You let 2 people go ahead. 042"))
        #expect(delayed.contains("between 14:35 and 14:50. Your number stays the same."))
        let back = words(draw("turn-changed-back", size))
        #expect(back.contains("You have your place back. 042 You can come in between"))
        #expect(back.contains("Watch the display. When 042 is called"))
        let called = words(draw("turn-changed-called", size))
        #expect(called == "You have your place back. 042 Please come in now, by 14:15.")
        for name in ["turn-changed", "turn-changed-back", "turn-changed-called"] {
            #expect(draw(name, size).choices == [.done])
        }
    }

    @Test(
        "A missed call says what happened, until when the place can be had back, and what follows")
    func missed() {
        let frame = draw("missed-call", GridSize(columns: 80, rows: 24))
        #expect(frame.choices == [.cancel, .reclaim] && frame.focus == .reclaim)
        #expect(
            words(frame)
                == "Your number was called and the time to come in is over. 042 You can take your "
                + "place back until 14:15, but only once. Your number is then called next.")
    }

    @Test("A change without an answer says what may have happened, and how to check")
    func unknown() {
        let size = GridSize(columns: 80, rows: 24)
        for (name, change) in [
            ("apology-of-delay", "your time to come in has changed."),
            ("apology-of-reclaim", "you have your place back."),
        ] {
            let said = words(draw(name, size))
            #expect(said.contains("We do not know whether \(change)"))
            #expect(said.contains("Hold the ticket under the red light again to see."))
            #expect(!said.contains("Nothing has changed"))
        }
    }

    @Test("The number is read digit by digit on each of these screens")
    func digits() {
        for name in ["delay-offers", "turn-changed", "missed-call"] {
            let spoken = draw(name, GridSize(columns: 80, rows: 24)).spoken
            #expect(spoken.text(spoken.sentences).contains("0 4 2"), "\(name)")
        }
    }
}
