import KioskFlow
import Reservations
import TerminalSurface

// More time for a waiting ticket, and the place of a missed call (rules: more-time).
extension Canvas {
    /// Shows how many people may go ahead; each choice says what it costs, so that a touch on it is the decision.
    mutating func drawDelayOffers(_ found: Found) {
        let reservation = found.reservation
        let keep = Button(
            .cancel, text("Keep my place"),
            subtitle: reservation.wait.map { comeIn($0, reservation) })
        let offers = found.delayOffers.map { offer in
            Button(
                .delay(people: offer.people), plural("{n} person", "{n} people", offer.people),
                subtitle: comeIn(offer.wait, reservation))
        }
        drawScreen(
            [
                .heading(text("How many people will you let go ahead?")),
                .line(
                    text(
                        "You will come in later. Your number {number} stays the same.",
                        ["number": reservation.number.text])),
            ], buttons: [keep] + offers, inPairs: true)
        // The keys begin at the choice that changes nothing.
        firstFocus = .cancel
    }

    mutating func drawMissedCall(_ found: FoundReservation) {
        var blocks: [Block] = [
            .line(text("Your number was called and the time to come in is over."), .warning),
            .largest(found.number.text),
        ]
        if let end = found.reclaimBy {
            let offer = text(
                "You can take your place back until {time}, but only once. Your number is then called next.",
                ["time": wording.time(end)])
            blocks.append(.line(offer, .bold))
        }
        drawScreen(
            blocks,
            buttons: [
                Button(.cancel, text("No, thank you")),
                Button(.reclaim, text("Take my place back"), isMain: true),
            ])
    }

    mutating func drawChangingTurn(_ change: TurnChange) {
        switch change {
        case .delay: drawWorking(text("Giving you more time."))
        case .reclaim: drawWorking(text("Getting your place back."))
        }
    }

    mutating func drawTurnChanged(_ changed: TurnChanged) {
        let found = changed.reservation
        let number = found.number.text
        var blocks: [Block] = []
        switch changed.change {
        case .delay(let people):
            blocks.append(
                introducing(
                    plural("You let {n} person go ahead.", "You let {n} people go ahead.", people),
                    .bold))
        case .reclaim: blocks.append(introducing(text("You have your place back."), .bold))
        }
        blocks.append(.largest(number))
        blocks += when(found)
        if case .delay = changed.change {
            blocks.append(.line(text("Your number stays the same.")))
            blocks.append(
                .line(
                    text("Your ticket stays valid: the new time replaces the one printed on it.")))
        }
        if found.status == .planned { blocks.append(.ifRoom(watchDisplay(number))) }
        drawScreen(blocks, buttons: [doneButton()])
    }
}
