import KioskFlow
import Reservations
import TerminalSurface

// Finding a reservation [UC13]: by its paper under the reader, or by the typed code on the paper.
extension Canvas {
    mutating func drawScanning(_ scene: Scene, _ scanning: Scanning) {
        drawHeader(scene)
        drawFoot()
        // On the coarsest grid the digits are beside the keys, and the title is left out.
        let isTight = size.rows < 24
        let above = isTight ? divided.text.splitBottom(1).rest : divided.text
        let (text, keys) = above.splitBottom(2 * keyRows + 1)
        let heading = wording.text("Show your ticket")
        let title: [Block] = isTight || !scene.isReaderThere ? [] : [.heading(heading)]
        // The screen first asks for the paper; a customer who types sees large digits in its place.
        let slots = slots(scanning.digits)
        let digits: [Block] =
            isTight
            ? [] : [scanning.digits.isEmpty ? .text(slots, theme.screen.bolded) : .largest(slots)]
        let hold =
            scene.isReaderThere
            ? wording.text("Hold the code of your ticket under the red light.")
            : wording.text("The code reader is not working just now.")
        let type =
            scene.isReaderThere
            ? wording.text("Can't see the red light? Type the ten digits:")
            : wording.text("Type the ten digits printed under the code:")
        // A customer who has begun to type needs only the digits, as large as there is room for.
        let isTyping = !isTight && !scanning.digits.isEmpty
        let prompt: [Block] = isTyping ? [] : title + [.text(hold, theme.warning)]
        var words = text
        if scanning.digits.isEmpty, scene.isReaderThere {
            words = drawArrows(scene, beside: max(TextWidth.of(hold), TextWidth.of(type)), in: text)
        }
        stack(
            prompt + [.text(type, theme.screen)] + digits, in: words,
            saying: (scene.isReaderThere ? [heading] : []) + [hold, type])
        spoken.typed = scanning.digits
        placeKeypad(in: keys, digits: isTight ? slots : nil)
        let missing = TypedCode.length - scanning.digits.count
        placeRow(
            [
                back,
                Button(
                    .enterCode, label: wording.text("OK"),
                    subtitle: missing > 0
                        ? wording.plural("{n} digit is missing", "{n} digits are missing", missing)
                        : wording.text("show my reservation"), isMain: missing <= 0),
            ], in: divided.buttons)
    }

    /// Keys have at least 3 rows (rules 18).
    var keyRows: Int { size.rows < 28 ? 3 : size.rows < 40 ? 4 : 7 }

    /// The typed digits in the groups in which the code is printed, with a mark for each digit still to come.
    private func slots(_ digits: String) -> String {
        // In large letters a dash is in the middle of the line; in text an underscore is at its foot.
        let empty: Character = size.rows < 24 || digits.isEmpty ? "_" : "-"
        let all = Array(digits.prefix(TypedCode.length))
        let whole = all + Array(repeating: empty, count: TypedCode.length - all.count)
        return [whole[0..<4], whole[4..<7], whole[7..<10]].map { String($0) }
            .joined(separator: " ")
    }

    /// Places 1 to 5 over 6 to 0, beside them the key that deletes the last digit, and under that key the
    /// typed digits if they are given.
    mutating func placeKeypad(in area: Rectangle, digits: String?) {
        let erase = Button(.erase, label: wording.text("Erase"), isMain: false)
        let (left, right) = area.splitRight(
            max(area.columns / 5, TextWidth.of(erase.label) + 4, TextWidth.of(digits ?? "")))
        let gap = max(1, margin / 2)
        let width = (left.columns - 5 * gap) / 5
        var keys: [Button] = []
        for index in 0..<10 {
            var key = Button(
                .digit((index + 1) % 10), label: String((index + 1) % 10), isMain: false)
            key.area = Rectangle(
                row: area.row + index / 5 * (keyRows + 1),
                column: area.column + index % 5 * (width + gap), rows: keyRows, columns: width)
            keys.append(key)
        }
        let lettering = Button.lettering(of: keys.map { ($0, $0.area) })
        for key in keys { place(key, in: key.area, lettering) }
        guard let digits else { return place(erase, in: right) }
        let (upper, lower) = right.splitBottom(keyRows)
        surface.set(
            lines: [digits],
            in: upper.splitTop(keyRows).top.centred(rows: 1, columns: right.columns),
            theme.screen.bolded, .centre)
        place(erase, in: lower)
    }

    mutating func drawLookingUp(_ scene: Scene) {
        drawHeader(scene)
        drawFoot()
        stack(
            [
                .heading(wording.text("One moment")),
                .text(wording.text("Finding your reservation."), theme.screen),
            ], in: divided.text)
        placeRow(
            [
                back, placeholder(for: .ticket),
            ], in: divided.buttons)
        dropPlaceholders()
    }

    /// Shows the state of the reservation and one question, so that no customer gives up a place by the first key.
    mutating func drawFound(_ scene: Scene, _ found: FoundReservation) {
        drawHeader(scene)
        // The question is above its answers; on the coarsest grid it is below them.
        let question = wording.text("Do you want to cancel this reservation?")
        let isTight = size.rows < 24
        drawFoot(hint: isTight ? question : nil)
        var blocks: [Block] = [
            .spare(wording.kind(found.visit, issued: found.issued), theme.screen.bolded),
            .largest(found.number.text),
        ]
        if found.status == .called {
            let text =
                found.enterBy.map(wording.enterBy)
                ?? wording.text("Your number has been called. You can come in.")
            blocks.append(.text(text, theme.warning))
        } else if let visit = found.visit {
            let text = wording.text("Come at {time}.", ["time": wording.time(visit.start)])
            blocks.append(.text(text, theme.screen.bolded))
        } else if let estimate = found.wait {
            let wait = Wait(estimate: estimate, told: scene.clock ?? found.issued)
            blocks.append(.text(wording.comeIn(wait), theme.screen.bolded))
            blocks.append(.spare(wording.peopleAhead(estimate.peopleAhead), theme.screen))
        }
        let words = blocks.map(\.words) + [question]
        if !isTight { blocks.append(.text(question, theme.screen.bolded)) }
        stack(blocks, in: divided.text, saying: words)
        // Each label says what happens to the place, because "Cancel" would mean the reservation to a
        // customer who came to cancel it. Neither button stands out, and the keys begin at the one that
        // changes nothing.
        placeRow(
            [
                Button(.cancel, label: wording.text("Keep my place"), isMain: false),
                Button(.confirm, label: wording.text("Give it up"), isMain: false),
            ], in: divided.buttons)
        firstFocus = .cancel
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
        if day == today?.advanced(by: 1) {
            return text("tomorrow, {day}", ["day": self.day(day)])
        }
        return self.day(day)
    }
}
