import KioskFlow
import TerminalSurface

// Cancel a reservation [UC13]: what has become of it, or why the code leads to none.
extension Canvas {
    mutating func drawDeleting(_ scene: Scene) {
        drawHeader(scene)
        drawFoot()
        stack(
            [
                .heading(wording.text("One moment")),
                .text(wording.text("Cancelling your reservation."), theme.screen),
            ], in: middle)
    }

    mutating func drawDeleted(_ scene: Scene, _ deleted: Deleted) {
        drawHeader(scene)
        drawFoot()
        let number = ["number": deleted.number.text]
        stack(
            [
                .heading(wording.text("Number {number} is cancelled.", number)),
                .text(
                    wording.text("Thank you: somebody else can have the place."),
                    theme.screen.bolded),
                .text(wording.text("Your ticket is no longer valid."), theme.screen),
            ], in: divided.text)
        placeRow(
            [
                Button(
                    .done, label: wording.text("Done"), subtitle: wording.closing(scene.countdown),
                    isMain: true)
            ], in: divided.buttons)
    }

    mutating func drawCodeRefused(_ scene: Scene, _ refused: CodeRefused) {
        drawHeader(scene)
        drawFoot()
        let reason = refused.reason
        let (fault, advice) = wording.refusal(reason, isTyped: refused.isTyped)
        stack(
            [.heading(fault), .text(advice, theme.screen.bolded)], in: divided.text)
        // Where another try would tell the same, going is what most people want.
        let mayHelp =
            switch reason {
            case .unreadable, .unknown, .otherShop: true
            case .used, .missed, .closed, .deleted, .inside, .tooManyTries: false
            }
        placeRow(
            [
                Button(
                    .done, label: wording.text("Done"), subtitle: wording.closing(scene.countdown),
                    isMain: !mayHelp),
                Button(
                    .findReservation, label: wording.text("Try again"),
                    subtitle: wording.text("with this or another code"), isMain: mayHelp),
            ], in: divided.buttons)
    }
}

extension Wording {
    /// Why a code leads to no reservation that can be shown, and what to do about it.
    func refusal(_ reason: CodeRefusal, isTyped: Bool) -> (fault: String, advice: String) {
        switch reason {
        case .unreadable:
            (
                text("This code cannot be read"),
                text("Hold the ticket flat and still, or type the ten digits under the code.")
            )
        case .unknown:
            (
                text("We do not know this code"),
                isTyped
                    ? text("Check the digits, or ask the staff.")
                    : text("Show another ticket, or ask the staff.")
            )
        case .otherShop:
            (
                text("Code of another shop"),
                text("It is valid at the shop whose name is on the ticket.")
            )
        case .used:
            (
                text("Already used"),
                text("The visit with this code is over. There is nothing to cancel.")
            )
        case .missed:
            (
                text("Your turn has passed"),
                text(
                    "Your number was called and the time to come in is over. "
                        + "Please get a new ticket.")
            )
        case .closed:
            (
                text("The shop closed before your turn"),
                text("This number is no longer valid. Please get a new ticket.")
            )
        case .deleted:
            (
                text("Already cancelled"),
                text("This reservation is already cancelled. There is nothing left to do.")
            )
        case .inside:
            (
                text("Already in the shop"),
                text("Someone has come in with this code. There is nothing to cancel.")
            )
        case .tooManyTries:
            (
                text("Too many tries"),
                text("Please wait a few minutes, or ask the staff.")
            )
        }
    }
}
