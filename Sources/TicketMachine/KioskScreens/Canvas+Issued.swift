import KioskFlow
import Reservations
import TerminalSurface

// The customer has a place: its number as large as the grid allows, with the code beside it [R9.3, R10].
extension Canvas {
    mutating func drawIssued(_ scene: Scene, _ issued: Issued, qr: QRMatrix?) {
        let isTight = size.rows < 24
        if !isTight { drawHeader(scene) }
        if isUpright { return drawIssuedUpright(scene, issued, qr: qr) }
        let top = isTight ? surface.bounds : surface.bounds.splitTop(headerRows).rest
        let codeArea = qr.map { draw($0, in: top) }
        let left = codeArea?.endColumn ?? 0
        // The foot line is under the code, so that *Done* reaches down to the edge of the screen.
        drawFoot(
            in: foot.intersection(surface.bounds.splitLeft(left > 0 ? left : size.columns / 2).left)
        )
        let right = top.splitLeft(left + 1).rest
        let info = Rectangle(
            row: right.row, column: right.column, rows: right.rows,
            columns: right.columns - margin / 2)
        // The text and *Done* reach down to the edge of the screen, because the foot line ends under the code.
        let (text, done) = info.splitBottom(buttonRows)
        // No customer is in a hurry to touch *Done*, unless nothing else is to come.
        placeColumn(
            [doneButton(scene)],
            in: codeArea == nil ? done.splitRight(done.columns / 2).right : done)
        let air = isTight ? 0 : 1
        drawFacts(issued, in: text.inset(rows: air))
    }

    /// Draws the number, the code below it, and *Done* below the code.
    private mutating func drawIssuedUpright(_ scene: Scene, _ issued: Issued, qr: QRMatrix?) {
        drawFoot()
        let (rest, button) = middle.splitBottom(uprightRows)
        placeColumn([doneButton(scene)], in: button)
        let bitmap = qr.map { Bitmap($0) }
        let (text, code) = rest.splitBottom(1).rest.splitBottom(bitmap?.rows ?? 0)
        if let bitmap {
            surface.draw(
                bitmap, row: code.row, column: (size.columns - bitmap.columns) / 2, .code)
        }
        drawFacts(issued, in: text.inset(rows: 1))
    }

    private func doneButton(_ scene: Scene) -> Button {
        Button(
            .done, label: wording.text("Done"), subtitle: wording.closing(scene.countdown),
            isMain: true)
    }

    /// Draws the QR symbol at the left, twice as large if there is room, and returns its place.
    private mutating func draw(_ qr: QRMatrix, in top: Rectangle) -> Rectangle {
        let once = Bitmap(qr)
        let twice = once.scaled(2)
        let room = Rectangle(
            row: top.row, column: top.column, rows: top.rows - Self.footRows, columns: top.columns)
        // A number of the same height beside it needs 60 more columns.
        let bitmap =
            twice.rows < room.rows && twice.columns + 60 <= room.columns ? twice : once
        let indent = min(margin, max(0, (room.rows - bitmap.rows) / 2), room.columns >= 80 ? 3 : 0)
        let place = Rectangle(
            row: room.row + max(0, room.rows - bitmap.rows) / 2, column: indent,
            rows: bitmap.rows, columns: bitmap.columns)
        surface.draw(bitmap, row: place.row, column: place.column, .code)
        return Rectangle(
            row: place.row, column: place.column, rows: place.rows,
            columns: place.columns + indent)
    }

    private mutating func drawFacts(_ issued: Issued, in area: Rectangle) {
        let reservation = issued.reservation
        let number = reservation.number.text
        let wait = Wait(estimate: reservation.wait, told: reservation.issued)
        var blocks: [Block] = [
            .spare(wording.text("Your number, for one person"), theme.screen.bolded),
            .largest(number),
        ]
        if let visit = reservation.visit {
            let text = wording.text(
                "{day}, at {time}",
                ["day": wording.day(visit.start.day), "time": wording.time(visit.start)])
            blocks.append(.text(text, theme.screen.bolded))
        } else if let end = reservation.enterBy {
            blocks.append(.text(wording.enterBy(end), theme.screen.bolded))
        } else {
            blocks.append(.text(wording.comeIn(wait), theme.screen.bolded))
        }
        blocks.append(paper(issued.paper))
        blocks.append(
            .text(
                wording.text("Code {code}", ["code": reservation.typedCode.grouped]),
                theme.screen.bolded))
        // Facts that matter only on another day are left out for a large number if there is little room.
        let isCrowded = size.rows < 24 && issued.paper.isShownLarge
        if reservation.visit == nil ? reservation.enterBy == nil : !isCrowded {
            let text = wording.text(
                "Watch the display. When {number} is called, come in within {n} minutes.",
                ["number": number, "n": String(ShopPolicy.entryTimeLimitMinutes)])
            blocks.append(.spare(text, theme.screen))
        }
        if !issued.paper.isShownLarge {
            let text = wording.text("To cancel, show this ticket to this machine.")
            blocks.append(.ifRoom(text, theme.soft))
        }
        stack(blocks, in: area)
    }

    /// What has happened to the paper, and what the customer can do about it.
    private func paper(_ paper: Issued.Paper) -> Block {
        switch paper {
        case .printing:
            .text(wording.text("Printing your ticket …"), theme.warning)
        case .printed: .text(wording.text("Take your ticket below."), theme.warning)
        case .late(let trouble), .shownOnly(let trouble):
            .text(
                wording.text(
                    "{trouble} Photograph this screen, or copy the code.",
                    ["trouble": wording.trouble(trouble)]), theme.warning)
        }
    }
}
