import KioskFlow
import Reservations
import TerminalSurface

// The machine is working: what it waits for, and a way back if there is one.
extension Canvas {
    mutating func drawStarting(_ scene: Scene) {
        drawHeader(scene)
        drawFoot()
        stack(
            [
                .heading(wording.text("One moment")),
                .text(wording.text("The machine is starting."), theme.screen),
            ], in: middle)
    }

    mutating func drawAsking(_ scene: Scene, _ asking: Asking) {
        drawHeader(scene)
        drawFoot()
        var blocks: [Block] = [.heading(wording.text("One moment"))]
        if asking.renewed {
            let text = wording.text("Your place has expired. Finding you a new one.")
            blocks.append(.text(text, theme.warning))
        } else if asking.insteadOfVisit {
            let text = wording.text("A ticket for today has become free.")
            blocks.append(.text(text, theme.warning))
        } else {
            let text =
                switch asking.kind {
                case .ticket: wording.text("Finding you a place.")
                case .visit: wording.text("Finding the first available slot.")
                }
            blocks.append(.text(text, theme.screen))
        }
        stack(blocks, in: divided.text)
        // The button has the place and size that it has on the offer, which comes next.
        placeRow(
            [
                Button(.cancel, label: wording.text("Cancel"), isMain: false),
                placeholder(for: asking.kind),
            ], in: divided.buttons)
        dropPlaceholders()
    }

    mutating func drawConfirming(_ scene: Scene) {
        drawHeader(scene)
        drawFoot()
        stack(
            [
                .heading(wording.text("One moment")),
                .text(wording.text("Booking your place."), theme.screen),
            ], in: middle)
    }

    /// Neither yes nor no is known (rules 12).
    mutating func drawUnresolved(_ scene: Scene, _ kind: ReservationKind) {
        drawHeader(scene)
        drawFoot()
        stack(
            [
                .heading(wording.text("Please wait")),
                .text(
                    wording.text(
                        "You may already have a place. We will keep asking for two minutes."),
                    theme.screen.bolded),
                .text(wording.text("Your ticket will come as soon as we know."), theme.screen),
            ], in: divided.text)
        placeRow(
            [
                Button(
                    .leave, label: wording.text("Leave"),
                    subtitle: wording.text("and give up the place"), isMain: false),
                placeholder(for: kind),
            ], in: divided.buttons)
        dropPlaceholders()
    }
}
