import KioskFlow
import Reservations
import TerminalSurface

// The offer: what the customer would get, and a single question [UC11].
extension Canvas {
    mutating func drawOffer(_ scene: Scene, _ offer: Offer) {
        drawHeader(scene)
        let left = scene.timeLeft.map {
            wording.text("Time left: {time}", ["time": wording.countdown($0)])
        }
        drawFoot(hint: left)
        var blocks = [introduction(offer)]
        if let visit = offer.place.visit {
            let day = wording.day(visit.start.day, seenOn: offer.place.now.day)
            blocks.append(.text(day, theme.screen.bolded))
            blocks.append(.largest(wording.time(visit.start)))
            blocks.append(
                .ifRoom(wording.text("You can come in at this time."), theme.screen))
        } else {
            blocks += waitBlocks(
                Wait(estimate: offer.place.wait, told: offer.place.now),
                isCrowded: scene.printer.trouble != nil)
        }
        let trouble = scene.printer.trouble
        if let trouble {
            let text = wording.text(
                "{trouble} We will show your code here instead, to photograph or copy.",
                ["trouble": wording.trouble(trouble)])
            blocks.append(.text(text, theme.warning))
        }
        stack(blocks, in: divided.text)
        let confirm =
            if trouble != nil {
                wording.text("show my code")
            } else if offer.place.visit != nil {
                wording.text("print my visit")
            } else {
                wording.text("print my ticket")
            }
        placeRow(
            [
                Button(.cancel, label: wording.text("Cancel"), isMain: false),
                Button(
                    .confirm, label: wording.text("Confirm"), subtitle: confirm, isMain: true),
            ], in: divided.buttons)
    }

    private func introduction(_ offer: Offer) -> Block {
        if !offer.isExtendable {
            let text = wording.text("Please decide: we cannot keep this place any longer.")
            return .text(text, theme.warning)
        }
        if offer.renewed {
            let text = wording.text("Your earlier place has expired. Here is a new one:")
            return .text(text, theme.warning)
        }
        if offer.insteadOfVisit {
            let text = wording.text("A ticket for today has become free, for one person:")
            return .text(text, theme.warning)
        }
        return .spare(
            offer.place.visit == nil
                ? wording.text("Your ticket for today, for one person")
                : wording.text("Your visit, for one person"), theme.screen.bolded)
    }

    private func waitBlocks(_ wait: Wait, isCrowded: Bool) -> [Block] {
        if wait.isNow {
            return [
                .spare(wording.text("Nobody is waiting."), theme.screen),
                .largest(wording.text("No wait")),
            ]
        }
        let ahead = wording.peopleAhead(wait.estimate.peopleAhead)
        return [
            .spare(wording.text("Your wait is about"), theme.screen),
            .largest(wording.minutes(wait.minutes)),
            .text(wording.comeIn(wait), theme.screen.bolded),
            isCrowded ? .ifRoom(ahead, theme.screen) : .spare(ahead, theme.screen),
        ]
    }
}

extension Strings {
    /// Why no paper can be printed, in a customer's words.
    func trouble(_ trouble: PrinterTrouble) -> String {
        switch trouble {
        case .noPaper: text("The printer has no paper.")
        case .jam: text("Paper is stuck in the printer.")
        case .coverOpen: text("The printer is open.")
        case .offline: text("The printer does not answer.")
        case .stopped: text("The printer is out of service.")
        case .other: text("The printer has a fault.")
        case .silent: text("No ticket has come out.")
        }
    }
}
