import KioskFlow
import Reservations
import TerminalSurface

// Finding a reservation [UC13] by its paper under the reader or by the typed code on the paper, and cancelling it.
extension Canvas {
    mutating func drawScanning(_ scanning: Scanning) {
        drawHeader()
        drawFoot()
        // On the coarsest grid the digits are beside the keys, and the title is left out.
        let (content, keys) = textAndKeypad
        let heading = text("Show your ticket")
        let isThere = scene.isReaderThere
        let hold =
            isThere
            ? text("Hold the code of your ticket under the red light.")
            : text("The code reader is not working just now.")
        let type =
            isThere
            ? text("Can't see the red light? Type the ten digits:")
            : text("Type the ten digits printed under the code:")
        let slots = slots(scanning.digits)
        var blocks: [Block] = []
        // A customer who has begun to type needs only the digits, as large as there is room for.
        if isTight || scanning.digits.isEmpty {
            if isThere, !isTight { blocks.append(.heading(heading)) }
            blocks.append(.line(hold, .warning))
        }
        blocks.append(.line(type))
        // The screen first asks for the paper; a customer who types sees large digits in its place.
        if !isTight {
            blocks.append(scanning.digits.isEmpty ? .line(slots, .bold) : .largest(slots))
        }
        var words = content
        if scanning.digits.isEmpty, isThere {
            words = drawArrows(beside: max(TextWidth.of(hold), TextWidth.of(type)), in: content)
        }
        stack(blocks, in: words, saying: (isThere ? [heading] : []) + [hold, type])
        spoken.typed = scanning.digits
        placeKeypad(in: keys, digits: isTight ? slots : nil)
        let missing = TypedCode.length - scanning.digits.count
        let next =
            missing > 0
            ? plural("{n} digit is missing", "{n} digits are missing", missing)
            : text("show my reservation")
        placeRow(
            [back, Button(.enterCode, text("OK"), subtitle: next, isMain: missing <= 0)],
            in: divided.buttons)
    }

    /// Whether the grid is the coarsest one, on which sentences are left out or stand beside others.
    var isTight: Bool { size.rows < 24 }

    /// The middle of a screen with a keypad and a row of buttons: text above, the keypad below it.
    var textAndKeypad: (text: Rectangle, keys: Rectangle) {
        let above = isTight ? divided.text.splitBottom(1).rest : divided.text
        let (text, keys) = above.splitBottom(2 * keyRows + 1)
        return (text, keys)
    }

    /// Keys have at least 3 rows (rules 18).
    var keyRows: Int { size.rows < 28 ? 3 : size.rows < 40 ? 4 : 7 }

    /// The typed digits in the groups in which the code is printed, with a mark for each digit still to come.
    private func slots(_ digits: String) -> String {
        // In large letters a dash is in the middle of the line; in text an underscore is at its foot.
        let empty: Character = size.rows < 24 || digits.isEmpty ? "_" : "-"
        let all = Array(digits.prefix(TypedCode.length))
        return TypedCode.grouped(
            all + Array(repeating: empty, count: TypedCode.length - all.count))
    }

    /// Places 1 to 5 over 6 to 0, beside them the key that deletes the last digit, and under that key the
    /// typed digits if they are given.
    mutating func placeKeypad(in area: Rectangle, digits: String?) {
        let erase = Button(.erase, text("Erase"))
        let (left, right) = area.splitRight(
            max(area.columns / 5, TextWidth.of(erase.label) + 4, TextWidth.of(digits ?? "")))
        let gap = max(1, margin / 2)
        let width = (left.columns - 5 * gap) / 5
        let keys = (0..<10).map { index in
            let digit = (index + 1) % 10
            return (
                Button(.digit(digit), String(digit)),
                Rectangle(
                    row: area.row + index / 5 * (keyRows + 1),
                    column: area.column + index % 5 * (width + gap), rows: keyRows, columns: width)
            )
        }
        placeAlike(keys)
        guard let digits else { return place(erase, in: right) }
        let (upper, lower) = right.splitBottom(keyRows)
        surface.set(
            lines: [digits],
            in: upper.splitTop(keyRows).top.centred(rows: 1, columns: right.columns),
            theme.screen.bolded, .centre)
        place(erase, in: lower)
    }

    /// Shows the state of the reservation and one question, so that no customer gives up a place by the first key.
    mutating func drawFound(_ found: FoundReservation) {
        var blocks: [Block] = [
            .spare(wording.kind(found.visit, issued: found.issued), .bold),
            .largest(found.number.text),
        ]
        if found.status == .called {
            let sentence =
                found.enterBy.map(wording.enterBy)
                ?? text("Your number has been called. You can come in.")
            blocks.append(.line(sentence, .warning))
        } else if let visit = found.visit {
            blocks.append(
                .line(text("Come at {time}.", ["time": wording.time(visit.start)]), .bold))
        } else if let estimate = found.wait {
            let wait = Wait(estimate: estimate, quotedAt: scene.clock ?? found.issued)
            blocks.append(.line(wording.comeIn(wait), .bold))
            blocks.append(.spare(wording.peopleAhead(estimate.peopleAhead)))
        }
        // The question is above its answers; on the coarsest grid it is below them.
        let question = text("Do you want to cancel this reservation?")
        let words = blocks.map(\.words) + [question]
        if !isTight { blocks.append(.line(question, .bold)) }
        // Each label says what happens to the place, because "Cancel" would mean the reservation to a
        // customer who came to cancel it. Neither button stands out, and the keys begin at the one that
        // changes nothing.
        drawScreen(
            hint: isTight ? question : nil, blocks, saying: words,
            buttons: [Button(.cancel, text("Keep my place")), Button(.giveUp, text("Give it up"))])
        firstFocus = .cancel
    }

    mutating func drawDeleted(_ deleted: Deleted) {
        drawScreen(
            [
                .heading(text("Number {number} is cancelled.", ["number": deleted.number.text])),
                .line(text("Thank you: somebody else can have the place."), .bold),
                .line(text("Your ticket is no longer valid.")),
            ], buttons: [doneButton()])
    }

    mutating func drawCodeRefused(_ refused: CodeRefused) {
        // Only refusals that a customer can meet lead to this screen.
        let sentences = refused.reason.customerSentences ?? Refusal.notFound.customerSentences
        let advice = refused.isTyped ? sentences?.adviceIfTyped : sentences?.advice
        // If another try would give the same answer, most people want to leave.
        let mayHelp = sentences?.mayHelpToTryAgain ?? false
        let again = Button(
            .findReservation, text("Try again"), subtitle: text("with this or another code"),
            isMain: mayHelp)
        drawScreen(
            [.heading(text(sentences?.heading ?? "")), .line(text(advice ?? ""), .bold)],
            buttons: [doneButton(isMain: !mayHelp), again])
    }
}

extension Strings {
    /// The kind of reservation, for example "Ticket for Friday 20 November" or "Visit on Saturday 21 November".
    func kind(_ visit: VisitSlot?, issued: LocalMoment) -> String {
        if let visit { return text("Visit on {day}", ["day": day(visit.start.day)]) }
        return text("Ticket for {day}", ["day": day(issued.day)])
    }

    /// A day as it is called on another day, for example "tomorrow, Friday 20 November".
    func day(_ day: CalendarDay, seenOn today: CalendarDay?) -> String {
        if day == today { return text("today, {day}", ["day": self.day(day)]) }
        if day == today?.advanced(by: 1) { return text("tomorrow, {day}", ["day": self.day(day)]) }
        return self.day(day)
    }
}
