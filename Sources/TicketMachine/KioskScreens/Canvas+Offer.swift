import KioskFlow
import Reservations
import TerminalSurface

// The offer: what the customer would get, and a single question [UC11].
extension Canvas {
    mutating func drawOffer(_ offer: Offer) {
        var blocks = [introduction(offer)]
        let trouble = scene.printer.trouble
        if let visit = offer.place.visit {
            let day = wording.day(visit.start.day, seenOn: offer.place.now.day)
            blocks.append(.line(day, .bold))
            blocks.append(.largest(wording.time(visit.start)))
            blocks.append(.ifRoom(text("You can come in at this time.")))
        } else {
            let wait = Wait(estimate: offer.place.wait, quotedAt: offer.place.now)
            blocks += waitBlocks(wait, isCrowded: trouble != nil)
        }
        var confirm = offer.place.visit == nil ? text("print my ticket") : text("print my visit")
        if let trouble {
            let sentence = text(
                "{trouble} We will show your code here instead, to photograph or copy.",
                ["trouble": wording.trouble(trouble)])
            blocks.append(.line(sentence, trouble.emphasis))
            confirm = text("show my code")
        }
        // A voice has said it at Home.
        let said = blocks.map(\.words)
        // No sentence about the offer itself is left out for it.
        if !division.isSparing, let line = nearbyLine(offer.nearby.flatMap { NearbyFacts($0) }) {
            blocks.append(.ifRoom(line, .soft))
        }
        drawScreen(
            hint: scene.timeLeft.map { text("Time left: {time}", ["time": wording.countdown($0)]) },
            left: scene.timeLeft, blocks, saying: said,
            buttons: [
                Button(.cancel, text("Cancel")),
                Button(.confirm, text("Confirm"), subtitle: confirm, isMain: true),
            ])
    }

    private func introduction(_ offer: Offer) -> Block {
        if !offer.isExtendable {
            .line(text("Please decide: we cannot keep this place any longer."), .warning)
        } else if offer.renewed {
            .line(text("Your earlier place has expired. Here is a new one:"), .warning)
        } else if offer.insteadOfVisit {
            .line(text("A ticket for today has become free, for one person:"), .accent)
        } else if offer.place.visit == nil {
            .spare(text("Your ticket for today, for one person"), .bold)
        } else {
            .spare(text("Your visit, for one person"), .bold)
        }
    }

    private func waitBlocks(_ wait: Wait, isCrowded: Bool) -> [Block] {
        if wait.isNow { return [.spare(text("Nobody is waiting.")), .largest(text("No wait"))] }
        let ahead = wording.peopleAhead(wait.estimate.peopleAhead)
        return [
            introducing(text("Your wait is about")), .largest(wording.minutes(wait.minutes)),
            .line(wording.comeIn(wait), .bold), isCrowded ? .ifRoom(ahead) : .spare(ahead),
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
        case .absent: text("This machine prints no tickets.")
        case .offline: text("The printer does not answer.")
        case .stopped: text("The printer is out of service.")
        case .other: text("The printer has a fault.")
        case .silent: text("No ticket has come out.")
        }
    }
}

extension PrinterTrouble {
    /// How its sentence is set: without a printer nothing is wrong.
    var emphasis: Block.Emphasis { self == .absent ? .bold : .warning }
}
