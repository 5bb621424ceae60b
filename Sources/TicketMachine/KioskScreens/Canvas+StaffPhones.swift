import KioskFlow
import TerminalSurface

// Customers' phones that are blocked after missed calls: the staff types what such a phone shows (rules: blocks).
extension Canvas {
    mutating func drawPhones(_ visit: StaffSession) {
        let (content, buttons) = staffDivided(rows: 1, height: tallButtonRows)
        let (words, result) = content.splitBottom(sentenceRows)
        stack(
            [
                .heading(text("Is a customer's phone blocked?")),
                .line(
                    text(
                        "A customer who missed three calls cannot join by phone for some days. "
                            + "The phone shows eight digits, with which you can lift the block.")),
            ], in: words)
        setOutcome(visit.outcome, in: result)
        placeGrid(
            [back, Button(.staff(.type(.reference)), text("Type the digits"), isMain: true)],
            columns: 2, height: tallButtonRows, in: buttons)
    }
}
