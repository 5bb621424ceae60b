import KioskFlow
import Reservations
import TerminalSurface

// Home: what can be done, and the truth about the queue before a touch.
extension Canvas {
    mutating func drawHome(_ scene: Scene) {
        drawHeader(scene)
        drawFoot(hint: wording.text("Touch what you want."))
        let facts = homeFacts(scene)
        let rows = factRows(facts, columns: middle.columns)
        // A row of air over and under the facts, where they are not on the coarsest grid in two lines.
        let air = size.rows >= 24 || rows < 2 ? 1 : 0
        let (top, buttons) = middle.splitTop(rows + 2 * air + (facts.isEmpty ? 1 : 0))
        drawFacts(facts, in: top.inset(rows: air))
        spoken.sentences += facts
        placeChoices(
            Button(
                .getTicket, label: wording.text("Get a ticket"),
                subtitle: scene.queue?.ticketAvailable == false
                    ? wording.text("none left today: book a visit")
                    : wording.text("for today, for one person"), isMain: true),
            Button(
                .findReservation, label: wording.text("Delete a reservation"),
                subtitle: wording.text("or see how long you still wait"), isMain: false),
            in: buttons)
    }

    /// What most people want over what some want; each in letters as large as it has room for.
    private mutating func placeChoices(_ first: Button, _ second: Button, in area: Rectangle) {
        let (upper, lower) = area.splitBottom(max(5, area.rows * 2 / 5))
        for (button, place) in [(first, upper.splitBottom(1).rest), (second, lower)] {
            self.place(button, in: place, isLarge: button.largeLabel(in: place) != nil)
        }
    }

    /// What is called now on the left, what waits on the right.
    private func homeFacts(_ scene: Scene) -> [String] {
        guard let queue = scene.queue else { return [] }
        var facts: [String] = []
        if !queue.calling.isEmpty {
            // The display tells them all; three are enough to see how far it is.
            let numbers = queue.calling.prefix(3).map(\.text).joined(separator: " ")
            facts.append(wording.text("Now called: {numbers}", ["numbers": numbers]))
        }
        if !queue.ticketAvailable {
            facts.append(wording.text("No tickets are left for today."))
        } else if let wait = queue.wait {
            facts.append(wording.waitForTicket(Wait(estimate: wait, told: queue.now)))
        }
        return facts
    }

    private func factRows(_ facts: [String], columns: Int) -> Int {
        let together = facts.map(TextWidth.of).reduce(0, +) + 3 * max(0, facts.count - 1)
        return facts.isEmpty ? 0 : together <= columns ? 1 : facts.count
    }

    private mutating func drawFacts(_ facts: [String], in area: Rectangle) {
        let style = theme.screen.bolded
        if facts.count == 2, factRows(facts, columns: area.columns) == 1 {
            surface.set(facts[0], in: area, style)
            surface.set(facts[1], in: area, style, .right)
        } else {
            surface.set(lines: facts, in: area, style, .centre)
        }
    }
}
