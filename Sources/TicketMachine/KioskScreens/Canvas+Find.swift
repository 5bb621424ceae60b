import KioskFlow
import Reservations
import TerminalSurface

// Finding a reservation [UC13] or an order [Click-And-Collect UC10] by its code under the reader or by its ten digits, and
// cancelling a reservation.
extension Canvas {
    mutating func drawScanning(_ scanning: Scanning) {
        drawHeader()
        drawFoot()
        if scanning.corrected != nil { return drawCorrecting(scanning) }
        let hasReader = scene.readerPlace != nil
        let isThere = scene.isReaderReady
        let (heading, holdCode, typeDigits) =
            switch scanning.sought {
            case .reservation:
                (
                    text("Show your ticket"),
                    text("Hold the code of your ticket under the red light."),
                    text("Type the ten digits printed under the code:")
                )
            case .order:
                (
                    text("Show the code of your order"),
                    text("Hold the code of your order under the red light."),
                    text("Type the ten-digit code of your order:")
                )
            }
        let hold = isThere ? holdCode : text("The code reader is not working just now.")
        let isTyping = !scanning.digits.isEmpty
        // A voice does not say it again when the first digit is typed.
        let said = isThere ? text("Can't see the red light? Type the ten digits:") : typeDigits
        let type = isTyping ? typeDigits : said
        let missing = TypedCode.length - scanning.digits.count
        let next =
            missing > 0
            ? plural("{n} digit is missing", "{n} digits are missing", missing)
            : find(scanning.sought)
        // The screen first asks for the paper; a customer who types sees the digits in its place.
        var blocks: [Block] = []
        if isThere, !isTyping { blocks.append(.ifRoom(heading, .bold)) }
        if hasReader, !isTyping { blocks.append(.line(hold, isThere ? .accent : .warning)) }
        let isOptional = isTight && (isTyping || !typeface.hasShapes)
        let isAll = !hasReader && !isTyping
        blocks.append(isOptional && !isAll ? .ifRoom(type) : .line(type, isAll ? .bold : .plain))
        if isTyping {
            blocks.append(.largest(slots(scanning.digits)))
        } else if !typeface.hasShapes {
            blocks.append(.line(slots(""), .bold))
        }
        if isTyping { blocks.append(.line(next, .soft)) }
        drawKeypad(
            blocks,
            saying: (isThere ? [heading] : []) + (hasReader ? [hold] : []) + [said],
            ok: ok(next, isMain: missing <= 0), in: middle,
            hasArrow: isThere && !isTyping)
        spoken.typed = scanning.digits
    }

    /// The key that looks the typed digits up, and what a voice says of it.
    private func ok(_ next: String, isMain: Bool) -> Button {
        var ok = Button(.enterCode, text("OK"), isMain: isMain)
        ok.spoken = "\(text("OK")): \(next)"
        return ok
    }

    /// What is found with a whole code.
    private func find(_ sought: Sought) -> String {
        switch sought {
        case .reservation: text("show my reservation")
        case .order: text("show my order")
        }
    }

    /// The digits of a refused code: there is a gap in place of the one that the next key replaces.
    private mutating func drawCorrecting(_ scanning: Scanning) {
        var shown = Array(scanning.digits)
        var next = find(scanning.sought)
        if let marked = scanning.marked {
            next = text(
                "In the gap you typed {digit}. Type another digit, or press the arrow to keep it.",
                ["digit": String(shown[marked])])
            shown[marked] = gap
        }
        let question = text("Which digit is wrong?")
        var keep = Button(.keepDigit, text("Next"))
        keep.spoken = keep.label
        keep.sign = "arrow-right"
        if !typeface.hasShapes { keep.forms = ["→"] }
        drawKeypad(
            [.line(question, .bold), .largest(TypedCode.grouped(shown)), .line(next)],
            saying: [question, next], ok: ok(find(scanning.sought), isMain: true), erase: keep,
            in: middle)
        spoken.typed = scanning.digits
    }

    /// Whether the grid is the coarsest one, on which sentences are left out or stand beside others.
    var isTight: Bool { size.rows < 24 }

    /// The typed digits in the groups in which the code is printed, with a mark for each digit still to come.
    private func slots(_ digits: String) -> String {
        let all = Array(digits.prefix(TypedCode.length))
        let missing = TypedCode.length - all.count
        return TypedCode.grouped(
            all + Array(repeating: digits.isEmpty ? "_" : gap, count: missing))
    }

    /// In block letters a dash is in the middle of the line; elsewhere an underscore, as wide as a digit, is at its foot.
    private var gap: Character { isTight || typeface.hasShapes ? "_" : "-" }

    // MARK: The keypad

    private static let keypadGap = 2

    /// Draws a screen with keys in the order of a telephone's, 123 at the top (ITU-T E.161): at its right side, with the
    /// words and *Back* beside them; on an upright panel under the words.
    mutating func drawKeypad(
        _ blocks: [Block], saying words: [String], back: Button? = nil, ok: Button,
        erase: Button? = nil, in area: Rectangle, hasArrow: Bool = false
    ) {
        let back = back ?? self.back
        var (content, keys) = isUpright ? area.splitBottom(area.rows * 3 / 5) : (area, area)
        var leave: Rectangle
        if isUpright {
            (keys, leave) = keys.splitBottom(uprightRows + 1)
        } else {
            // A key has at least 3 rows and 6 columns (rules: touch-targets).
            let height = min(7, (area.rows - 3) / 4)
            let width = min(3 * height, (area.columns * 11 / 20 - 2 * Self.keypadGap) / 3)
            let columns = 3 * width + 2 * Self.keypadGap
            (content, keys) = area.splitLeft(area.columns - columns)
            keys = keys.splitTop(4 * height + 3).top
            (content, leave) = content.splitLeft(content.columns - 2 * Self.keypadGap).left
                .intersection(
                    Rectangle(
                        row: area.row, column: area.column, rows: keys.rows, columns: area.columns)
                )
                .splitBottom(max(5, height + 1))
        }
        placeKeys(erase: erase ?? self.erase, ok: ok, in: keys)
        // An arrow that points down stands beside the way back, and not above it: it would point at the button.
        let isArrowBeside = hasArrow && scene.readerPlace == .below
        if isUpright { leave = leave.splitTop(1).rest }
        let width =
            isUpright
            ? (leave.columns - Self.keypadGap) / 2
            : isArrowBeside ? leave.columns * 3 / 5 : leave.columns
        let (place, beside) = leave.splitLeft(width)
        // Typed digits are larger than the way back.
        self.place(back, in: place, typeface.hasShapes ? .label : .text)
        if isArrowBeside {
            drawArrow(in: beside)
        } else if hasArrow {
            content = drawArrow(under: content)
        }
        // Large letters of the machine's own font have some space below them.
        stack(blocks, in: content.splitBottom(typeface.hasShapes ? 0 : 1).rest, saying: words)
    }

    private var erase: Button {
        var erase = Button(.erase, text("Erase"))
        erase.sign = "erase"
        erase.spoken = erase.label
        if !typeface.hasShapes { erase.forms = [erase.label, "←"] }
        return erase
    }

    /// - Parameter erase: the key beside the 0.
    private mutating func placeKeys(erase: Button, ok: Button, in area: Rectangle) {
        let height = (area.rows - 3) / 4
        let width = (area.columns - 2 * Self.keypadGap) / 3
        func place(_ index: Int) -> Rectangle {
            Rectangle(
                row: area.row + index / 3 * (height + 1),
                column: area.column + index % 3 * (width + Self.keypadGap), rows: height,
                columns: width)
        }
        let digits = (1...9).map { ($0, $0 - 1) } + [(0, 10)]
        placeAlike(digits.map { (Button(.digit($0), String($0)), place($1)) })
        self.place(erase, in: place(9))
        self.place(ok, in: place(11), lettering(of: [(ok, place(11))]))
    }

    /// Shows the state of the reservation and one question, so that no customer gives up a place by the first key.
    mutating func drawFound(_ match: Found) {
        let found = match.reservation
        var blocks: [Block] = [
            .spare(wording.kind(found.visit, issued: found.issued), .bold),
            .largest(found.number.text),
        ]
        blocks += when(found)
        if found.status == .planned, found.visit == nil, let wait = found.wait {
            blocks.append(.spare(wording.peopleAhead(wait.peopleAhead)))
        }
        // The question is above its answers; on the coarsest grid it is below them.
        let isSimple = match.delayOffers.isEmpty
        let question =
            isSimple
            ? text("Do you want to cancel this reservation?")
            : text("What would you like to do?")
        let words = blocks.map(\.words) + [question]
        if !isTight { blocks.append(.line(question, .bold)) }
        // Each label says what happens to the place, because "Cancel" alone would mean the reservation to a
        // customer who came to cancel it; two buttons have room for what follows, too. No button stands out or
        // is larger, and the keys begin at the one that changes nothing.
        drawScreen(
            hint: isTight ? question : nil, isQuestion: true, blocks, saying: words,
            buttons: [
                Button(
                    .cancel, text("Keep my place"),
                    subtitle: isSimple ? text("nothing changes") : nil)
            ]
                + (isSimple ? [] : [Button(.openDelays, text("I need more time"))])
                + [
                    Button(
                        .giveUp,
                        isSimple
                            ? text("Yes, cancel it", context: "reservation")
                            : text("Cancel the reservation"),
                        subtitle: isSimple ? text("your number will no longer be valid") : nil)
                ])
        firstFocus = .cancel
    }

    /// When the holder of a reservation can come in; empty if that is not known.
    func when(_ found: FoundReservation) -> [Block] {
        if found.status == .called {
            let sentence =
                found.enterBy.map(wording.enterBy)
                ?? text("Your number has been called. You can come in.")
            return [.line(sentence, .accent)]
        }
        if let visit = found.visit {
            return [.line(text("Come at {time}.", ["time": wording.time(visit.start)]), .bold)]
        }
        return found.wait.map { [.line(comeIn($0, found), .bold)] } ?? []
    }

    /// When a customer can come in after a wait that was estimated now.
    func comeIn(_ wait: WaitEstimate, _ found: FoundReservation) -> String {
        wording.comeIn(Wait(estimate: wait, quotedAt: scene.clock ?? found.issued))
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
        let sentences =
            refused.reason.sentences(for: refused.sought)
            ?? Refusal.notFound.sentences(for: refused.sought)
        let advice = refused.typed == nil ? sentences?.advice : sentences?.adviceIfTyped
        // If another try would give the same answer, most people want to leave.
        let mayHelp = sentences?.mayHelpToTryAgain ?? false
        let again = Button(
            refused.sought.search, text("Try again"),
            subtitle: refused.typed == nil
                ? text("with this or another code") : text("change a digit"),
            isMain: mayHelp)
        let typed = refused.typed.map { [Block.largest(TypedCode.grouped(Array($0)))] } ?? []
        drawScreen(
            [.heading(text(sentences?.heading ?? ""))] + typed + [.line(text(advice ?? ""), .bold)],
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
