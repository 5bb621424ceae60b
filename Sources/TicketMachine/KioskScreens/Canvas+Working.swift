import KioskFlow
import Reservations
import TerminalSurface

// The machine is working: what it waits for, and a way back if there is one.
extension Canvas {
    mutating func drawWorking(_ sentence: String, buttons: [Button] = []) {
        drawScreen([.heading(text("One moment")), .line(sentence)], buttons: buttons)
    }

    mutating func drawAsking(_ asking: Asking) {
        let sentence: Block =
            if asking.renewed {
                .line(text("Your place has expired. Finding you a new one."), .warning)
            } else if asking.insteadOfVisit {
                .line(text("A ticket for today has become free."), .warning)
            } else {
                switch asking.kind {
                case .ticket: .line(text("Finding you a place."))
                case .visit: .line(text("Finding the first available slot."))
                }
            }
        // The button has the place and size that it has on the offer, which comes next.
        drawScreen(
            [.heading(text("One moment")), sentence],
            buttons: [Button(.cancel, text("Cancel")), placeholder(for: asking.kind)])
    }

    /// Neither yes nor no is known (rules 12).
    mutating func drawUnresolved(_ kind: ReservationKind) {
        let meanwhile = text("You may already have a place. We will keep asking for two minutes.")
        let leave = Button(.leave, text("Leave"), subtitle: text("and give up the place"))
        drawScreen(
            [
                .heading(text("Please wait")), .line(meanwhile, .bold),
                .line(text("Your ticket will come as soon as we know.")),
            ], buttons: [leave, placeholder(for: kind)])
    }
}
