import KioskFlow
import Reservations
import TerminalSurface

// The offer: what the customer would get, and the one question [UC11].
extension Canvas {
    mutating func drawOffer(_ scene: Scene, _ offer: Offer) {
        drawHeader(scene)
        let left = scene.timeLeft.map {
            wording.text("Time to decide: {time}", ["time": wording.countdown($0)])
        }
        drawFoot(hint: left)
        let wait = Wait(estimate: offer.place.wait, told: offer.place.told)
        var blocks: [Block] = []
        if offer.renewed {
            let text = wording.text("The place before has run out. This is a new one:")
            blocks.append(.text(text, theme.warning))
        } else {
            blocks.append(
                .text(wording.text("Your ticket for today, for one person"), theme.screen.bolded))
        }
        if wait.isNow {
            blocks.append(.largest(wording.text("Come in now")))
            blocks.append(
                .text(wording.text("Nobody is waiting and there is room."), theme.screen))
        } else {
            blocks.append(.text(wording.text("Your wait is about"), theme.screen))
            blocks.append(.largest(wording.minutes(wait.minutes)))
            blocks.append(.text(wording.comeIn(wait), theme.screen.bolded))
            blocks.append(.text(wording.peopleAhead(wait.estimate.peopleAhead), theme.screen))
        }
        let trouble = scene.printer.trouble
        if let trouble {
            let text = wording.text(
                "{trouble} We show your code here instead: to photograph or to copy.",
                ["trouble": wording.trouble(trouble)])
            blocks.append(.text(text, theme.warning))
        }
        stack(blocks, in: divided.text)
        let confirm =
            trouble == nil ? wording.text("print my ticket") : wording.text("show my code")
        placeRow(
            [
                Button(.cancel, label: wording.text("Cancel"), isMain: false),
                Button(
                    .confirm, label: wording.text("Confirm"), subtitle: confirm, isMain: true),
            ], in: divided.buttons)
    }
}

extension Wording {
    /// Why no paper comes, as a customer would say it.
    func trouble(_ trouble: PrinterTrouble) -> String {
        switch trouble {
        case .noPaper: text("The printer has no paper.")
        case .jam: text("Paper is stuck in the printer.")
        case .coverOpen: text("The printer is open.")
        case .offline: text("The printer does not answer.")
        case .stopped: text("The printer is out of use.")
        case .other: text("The printer has a fault.")
        case .silent: text("No paper has come out.")
        }
    }
}
