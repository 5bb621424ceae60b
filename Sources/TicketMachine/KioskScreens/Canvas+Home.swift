import KioskFlow
import Reservations
import TerminalSurface

// Home: what the customer can do, and the state of the queue, shown before any touch.
extension Canvas {
    mutating func drawHome() {
        drawHeader()
        drawFoot(hint: text("What would you like to do?"))
        let facts = homeFacts()
        // Numbers are large, to be read from a few steps away, if the buttons keep their large letters.
        let areLarge = (isLarge || size.rows >= 28) && facts.sides.contains { $0.value != nil }
        let lines = areLarge ? [] : factLines(facts, columns: middle.columns)
        spoken.sentences += factLines(facts, columns: .max).joined()
        for fact in facts.sides where fact.value != nil {
            heights.numbers.insert(fact.label)
            heights.all[fact.label] = 1
        }
        // There is an empty row over and under the facts, unless they have two lines on the coarsest grid.
        let air = size.rows >= 24 || !areLarge && lines.count < 2 ? 1 : 0
        let rows = areLarge ? largeFactRows(facts) : lines.count
        let above = division.isSparing ? 0 : air
        let (top, buttons) = middle.splitTop(rows + above + air + (rows == 0 ? 1 : 0))
        if areLarge {
            drawLargeFacts(facts, in: top.splitTop(above).rest.splitBottom(air).rest)
        } else {
            drawFactLines(lines, isOld: facts.age != nil, in: top.inset(rows: air))
        }
        // A touch always asks for a ticket, because one may have become free; the label names what a touch
        // leads to now.
        let isVisit = scene.service.queue?.ticketAvailable == false
        let main = Button(
            .getTicket, isVisit ? text("Book a visit") : text("Get a ticket"),
            subtitle: isVisit
                ? text("at the next free time, for one person")
                : text("for today, for one person"), isMain: true)
        placeChoices(
            main,
            Button(
                .findReservation, text("Cancel a reservation"),
                subtitle: text("or see how long you still have to wait")), in: buttons)
    }

    /// Places what most people want over what some want, each in letters as large as there is room for.
    private mutating func placeChoices(_ first: Button, _ second: Button, in area: Rectangle) {
        let share = max(5, area.rows * 2 / 5)
        func isMainLarge(_ share: Int) -> Bool {
            Button.lettering(of: [(first, area.splitBottom(share).rest.splitBottom(1).rest)])
                != .text
        }
        // With large letters the lower button may grow as long as the upper one keeps its large letters.
        let grown = share + division.furtherButtonRows
        let (upper, lower) = area.splitBottom(
            area.rows - grown > 5 && isMainLarge(grown) ? grown : share)
        placeAlike([(first, upper.splitBottom(1).rest)])
        placeAlike([(second, lower)])
    }
}
