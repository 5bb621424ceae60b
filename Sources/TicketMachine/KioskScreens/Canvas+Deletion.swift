import KioskFlow
import Reservations
import TerminalSurface

// The end of "Cancel a reservation" [UC13]: the result, or the reason why the code leads to no reservation.
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
        // Only refusals that a customer can meet lead to this screen.
        let sentences =
            refused.reason.customerSentences ?? Refusal.notFound.customerSentences
        let advice = refused.isTyped ? sentences?.adviceIfTyped : sentences?.advice
        stack(
            [
                .heading(wording.text(sentences?.heading ?? "")),
                .text(wording.text(advice ?? ""), theme.screen.bolded),
            ], in: divided.text)
        // If another try would give the same answer, most people want to leave.
        let mayHelp = sentences?.mayHelpToTryAgain ?? false
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
