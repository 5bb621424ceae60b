import KioskFlow
import Reservations
import TerminalSurface
import Testing

@testable import KioskScreens

/// More time, and a missed call (rules: more-time).
struct TurnChangeScreensTests {
    /// The text in an area of the screen, its lines joined by spaces.
    private func text(_ frame: Frame, in area: Rectangle) -> String {
        (area.row..<area.end).map { row in
            (area.column..<area.endColumn).map { frame.surface[row, $0].text }.joined()
                .split(separator: " ").joined(separator: " ")
        }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    @Test(
        "Every number of people is one button with its price, beside the way to keep the place",
        arguments: ScreensTests.sizes, Languages.codes)
    func offers(_ size: GridSize, _ language: String) throws {
        let wording = try #require(Languages.all[language])
        let frame = Samples.named("delay-offers").drawn(size, in: language)
        #expect(frame.focus == .cancel)
        let choices: [(UserAction, String)] = [
            (.cancel, "14:25"), (.delay(people: 2), "14:35"), (.delay(people: 5), "14:50"),
            (.delay(people: 10), "15:25"),
        ]
        #expect(Set(frame.choices) == Set(choices.map(\.0)))
        for (action, begin) in choices {
            let area = try #require(frame.area(of: action))
            let time = wording.time(Samples.clock("2026-11-20T\(begin):00+01:00"))
            #expect(text(frame, in: area).contains(time), "\(action)")
        }
    }

    @Test("The way to keep the place is at the lower left, as on the screen before")
    func placeOfKeeping() throws {
        for size in ScreensTests.sizes where size.columns >= 2 * size.rows {
            for name in ["found-more-time", "delay-offers", "delay-offers-two"] {
                let own = Samples.named(name).drawn(size).targets.filter { !$0.id.isInFootLine }
                let keep = try #require(own.first { $0.id == .cancel }?.area)
                #expect(own.allSatisfy { $0.area.end <= keep.end }, "\(name) at \(size)")
                #expect(own.allSatisfy { $0.area.column >= keep.column }, "\(name) at \(size)")
            }
        }
    }
}
