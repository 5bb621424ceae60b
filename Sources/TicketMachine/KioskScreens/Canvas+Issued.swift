import KioskFlow
import Reservations
import TerminalSurface

// The customer has a place: its number as large as the grid allows, with the code beside it [R9.3, R10].
extension Canvas {
    mutating func drawIssued(_ issued: Issued, qr: QRMatrix?) {
        if typeface.hasShapes, !isUpright { return drawIssuedOutlined(issued, qr: qr) }
        if !isTight { drawHeader() }
        if isUpright { return drawIssuedUpright(issued, qr: qr) }
        let top = isTight ? surface.bounds : surface.bounds.splitTop(headerRows).rest
        let codeArea = qr.map { draw($0, in: top) }
        let left = codeArea?.endColumn ?? 0
        // The foot line is under the code, so that *Done* reaches down to the edge of the screen.
        drawFoot(
            in: foot.intersection(surface.bounds.splitLeft(left > 0 ? left : size.columns / 2).left)
        )
        let right = top.splitLeft(left + 1).rest
        var info = right.splitLeft(right.columns - margin / 2).left
        if isTight, hasHelpBand {
            // The code has all rows; the band is over the words beside it.
            let (band, below) = info.splitTop(1)
            drawHelpBand(in: band)
            info = below
        }
        // The text and *Done* reach down to the edge of the screen, because the foot line ends under the code.
        let (content, done) = info.splitBottom(buttonRows)
        // No customer is in a hurry to touch *Done*, unless nothing else is to come.
        placeColumn(
            [doneButton()], in: codeArea == nil ? done.splitRight(done.columns / 2).right : done)
        let facts = content.inset(rows: isTight ? 0 : 1)
        if let codeArea { return drawFacts(issued, in: facts, entrySymbol: codeArea, at: .right) }
        drawFacts(issued, in: facts)
    }

    /// Draws the number with what to do now at the left; at the right the code and below it *Done*. If there is no
    /// paper, the code is as large as the panel allows, and *Done* is below the number.
    private mutating func drawIssuedOutlined(_ issued: Issued, qr: QRMatrix?) {
        drawHeader()
        drawFoot()
        let area = middle
        // *Done* grows only as far as the code has room above it.
        let (codeRoom, _) = area.splitBottom(buttonRows - division.furtherButtonRows + 1)
        let isLarge = issued.paper.isShownLarge
        let symbol = qr.flatMap {
            Figure.symbol(
                $0, typeface,
                fitting: GridSize(
                    columns: area.columns * 2 / 5, rows: isLarge ? area.rows : codeRoom.rows))
        }
        var columns = max(symbol?.columns ?? 0, area.columns * 2 / 5)
        // The symbol stands exactly over the middle of *Done*.
        if let symbol, (columns - symbol.columns) % 2 == 1 { columns += 1 }
        if isLarge {
            // The digits to copy are under the symbol, as on paper.
            let digits = typeface.caption(
                issued.slip.typedCode.grouped,
                fitting: GridSize(
                    columns: area.columns * 2 / 5, rows: area.rows - (symbol?.rows ?? 0)))
            let (left, right) = area.splitRight(max(symbol?.columns ?? 0, digits?.columns ?? 0))
            let place = right.centred(
                rows: (symbol?.rows ?? 0) + (digits?.rows ?? 0), columns: right.columns)
            if let symbol {
                let indent = (right.columns - symbol.columns) / 2
                surface.draw(symbol, row: place.row, column: right.column + indent, .code)
            }
            if let digits {
                let below = place.splitTop(symbol?.rows ?? 0).rest
                surface.draw(digits, in: below, theme.screen, .centre)
            }
            let (facts, done) = left.splitRight(margin).rest.splitBottom(buttonRows)
            placeColumn([doneButton()], in: done)
            drawFacts(issued, in: facts, hasCode: digits == nil)
            return
        }
        let (left, right) = area.splitRight(columns)
        let doneRows = min(buttonRows, area.rows - (symbol?.rows ?? 0) - 1)
        let (upper, done) = right.splitBottom(doneRows)
        placeColumn([doneButton()], in: done)
        if let symbol {
            let place = upper.splitBottom(1).rest.centred(
                rows: symbol.rows, columns: symbol.columns)
            surface.draw(symbol, row: place.row, column: place.column, .code)
            drawFacts(issued, in: left.splitRight(margin).rest, entrySymbol: place, at: .left)
            return
        }
        drawFacts(issued, in: left.splitRight(margin).rest)
    }

    /// The most rows of the symbol on an upright panel in the machine's own font: it is several centimetres wide with
    /// them, and the sentences can be large.
    private static let uprightSymbolRows = 12

    /// Draws the number, the code below it, and *Done* below the code.
    private mutating func drawIssuedUpright(_ issued: Issued, qr: QRMatrix?) {
        drawFoot()
        let (rest, button) = middle.splitBottom(uprightRows)
        placeColumn([doneButton()], in: button)
        let below = rest.splitBottom(1).rest
        let symbol = qr.flatMap {
            Figure.symbol(
                $0, typeface,
                fitting: GridSize(
                    columns: below.columns,
                    rows: typeface.hasShapes ? Self.uprightSymbolRows : below.rows))
        }
        let (content, code) = below.splitBottom(symbol?.rows ?? 0)
        if let symbol {
            let place = code.centred(rows: symbol.rows, columns: symbol.columns)
            surface.draw(symbol, row: place.row, column: place.column, .code)
        }
        drawFacts(issued, in: content.inset(rows: 1))
    }

    /// Draws the QR symbol at the left, twice as large if there is room, and returns its place.
    private mutating func draw(_ qr: QRMatrix, in top: Rectangle) -> Rectangle {
        let room = top.splitBottom(footRows).rest
        var once = Bitmap(qr)
        // The largest symbol has all rows of the smallest screen with half of its quiet zone, which readers and phones accept.
        if once.rows > room.rows { once = Bitmap(qr, quietZone: QRMatrix.quietZone / 2) }
        let twice = Bitmap(qr).scaled(2)
        // A number of the same height beside it needs 60 more columns.
        let bitmap = twice.rows < room.rows && twice.columns + 60 <= room.columns ? twice : once
        let indent = min(margin, max(0, (room.rows - bitmap.rows) / 2), room.columns >= 80 ? 3 : 0)
        let place = Rectangle(
            row: room.row + max(0, room.rows - bitmap.rows) / 2, column: indent,
            rows: bitmap.rows, columns: bitmap.columns)
        surface.draw(bitmap, row: place.row, column: place.column, .code)
        return Rectangle(
            row: place.row, column: place.column, rows: place.rows, columns: place.columns + indent)
    }

    private enum Side { case left, right }

    /// Draws the facts and beside them, away from the entry code's symbol, the symbol for phones.
    ///
    /// It is left out if it would not be clearly smaller than the entry code's, or if the texts beside it would be too
    /// small. A screen that is to be photographed has one symbol only, because the photograph is held to a reader.
    private mutating func drawFacts(
        _ issued: Issued, in area: Rectangle, entrySymbol: Rectangle, at side: Side
    ) {
        var alone = self
        alone.drawFacts(issued, in: area)
        guard let phones = symbolForPhones, scene.access.appearance == .normal,
            !issued.paper.isShownLarge,
            let symbol = Figure.symbol(
                phones, typeface,
                fitting: GridSize(columns: entrySymbol.columns * 3 / 4, rows: area.rows))
        else { return self = alone }
        let heading = text("On your phone")
        let sentence = TextFlow.balanced(
            text(
                "Scan this small QR code to follow your place from anywhere. At the door you need the large one."
            ), width: symbol.columns)
        let (facts, beside) =
            switch side {
            case .right: area.splitRight(symbol.columns)
            case .left: (area.splitLeft(symbol.columns).rest, area.splitLeft(symbol.columns).left)
            }
        let rows = symbol.rows + sentence.count + 3
        var both = self
        both.drawFacts(
            issued,
            in: side == .right ? facts.splitRight(margin).rest : facts.splitLeft(margin).rest)
        guard rows <= area.rows, both.surface.lost == alone.surface.lost,
            both.heights.keeps(alone.heights)
        else { return self = alone }
        let place = beside.centred(rows: rows, columns: symbol.columns)
        let below = place.splitTop(2).rest
        both.surface.set(
            lines: TextFlow.lines(heading, width: place.columns), in: place, theme.screen.bolded,
            .centre)
        both.surface.draw(symbol, row: below.row, column: below.column, .code)
        both.surface.set(
            lines: sentence, in: below.splitTop(symbol.rows + 1).rest, theme.screen, .centre)
        self = both
    }

    /// - Parameter hasCode: whether the typed code is among the facts.
    private mutating func drawFacts(_ issued: Issued, in area: Rectangle, hasCode: Bool = true) {
        // After the number comes what to do now, then when to come in; what is needed later is last.
        let facts = facts(of: issued.slip)
        let number = issued.slip.number.text
        var blocks: [Block] = [
            introducing(facts.introduction, .bold), .largest(number), paper(issued.paper),
        ]
        blocks += facts.when.map { [.line($0, .bold)] } ?? []
        let code = text("Code {code}", ["code": issued.slip.typedCode.grouped])
        if hasCode { blocks.append(.line(code, .bold)) }
        // Facts that matter only on another day are left out for a large number if there is little room.
        let isCrowded = isTight && issued.paper.isShownLarge
        if let watch = facts.watch, !facts.isOfLater || !isCrowded {
            let isOptional = typeface.hasShapes && (isTight || issued.paper.isShownLarge)
            blocks.append(isOptional ? .ifRoom(watch) : .spare(watch))
        }
        if !issued.paper.isShownLarge {
            if issued.slip.isForPhones { blocks.append(.ifRoom(facts.scan, .soft)) }
            if let later = facts.later { blocks.append(.ifRoom(later, .soft)) }
        }
        stack(blocks, in: area, saying: blocks.map(\.words) + (hasCode ? [] : [code]))
    }

    /// What a slip says besides its number and its code.
    private struct SlipFacts {
        let introduction: String
        /// When the customer's turn comes, if that is known.
        let when: String?
        /// What to do until then; nil if it is the turn.
        let watch: String?
        /// Whether that matters only on another day.
        var isOfLater = false
        /// What may be needed later.
        let later: String?
        /// What a phone does with the one symbol.
        let scan: String
    }

    private func facts(of slip: Slip) -> SlipFacts {
        let number = slip.number.text
        switch slip {
        case .reservation(let reservation):
            let when: String
            if let visit = reservation.visit {
                when = text(
                    "{day}, at {time}",
                    ["day": wording.day(visit.start.day), "time": wording.time(visit.start)])
            } else if let end = reservation.enterBy {
                when = wording.enterBy(end)
            } else {
                when = wording.comeIn(
                    Wait(estimate: reservation.wait, quotedAt: reservation.issued))
            }
            let isCalled = reservation.visit == nil && reservation.enterBy != nil
            return SlipFacts(
                introduction: text("Your number, for one person"), when: when,
                watch: isCalled ? nil : watchDisplay(number),
                isOfLater: reservation.visit != nil,
                later: scene.allowsDelays && reservation.visit == nil && !isCalled
                    ? text("To get more time or to cancel, show this ticket to this machine.")
                    : text("To cancel, show this ticket to this machine."),
                scan: wording.scanToFollow)
        case .order(let arrived):
            let order = arrived.order
            return SlipFacts(
                introduction: wording.nameAndParcels(of: order),
                when: order.wait.map { wording.readyAt(Wait(estimate: $0, quotedAt: order.now)) },
                watch: watchForDesk, later: nil, scan: wording.scanToFollowOrder)
        }
    }

    /// What a customer does until the number is called.
    func watchDisplay(_ number: String) -> String {
        text(
            "Watch the display. When {number} is called, come in within {n} minutes.",
            ["number": number, "n": String(ShopPolicy.entryTimeLimitMinutes)])
    }

    /// What has happened to the paper, and what the customer can do about it.
    private func paper(_ paper: Issued.Paper) -> Block {
        switch paper {
        case .printing: .line(text("Printing your ticket …"), .accent)
        case .printed: .line(text("Take your ticket below."), .accent)
        case .late(let trouble), .shownOnly(let trouble):
            .line(
                text(
                    "{trouble} Photograph this screen, or copy the code.",
                    ["trouble": wording.trouble(trouble)]), trouble.emphasis)
        }
    }
}
