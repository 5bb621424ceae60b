internal import KioskScreens
internal import Reservations

/// Sets a paper from its top to its foot.
///
/// The order is that of the screen with the same place: the number, when to come in, the code, and last what is needed
/// later. It is made for readers of eighty years: number and time fill the width, necessary facts are in bold letters
/// of at least 4 mm, and nothing but the foot is smaller than in a newspaper.
struct ReceiptComposer {
    /// Customers read no more facts or sentences than these; the limits also bound the length.
    static let maxFacts = 8
    static let maxInstructions = 10

    private(set) var items: [ReceiptItem] = []
    /// The filled length of the paper from its top, in points.
    private(set) var y = 0.0

    private let grid: DotGrid
    private let typesetter: Typesetter
    /// The scale of all sizes, which are for the 72 mm of an 80 mm roll. Narrow rolls get at least 85 %: with less, a
    /// line of 48 mm would hold more words, but tired eyes could not read them.
    private let scale: Double

    init(grid: DotGrid, typesetter: Typesetter) {
        self.grid = grid
        self.typesetter = typesetter
        scale = min(max(grid.usableWidth / DotGrid.points(7_200), 0.85), 1.3)
    }

    mutating func compose(
        _ content: ReceiptContent, facts: Int, instructions: Int
    ) throws(ReceiptRendererError) {
        if let mark = content.mark { self.mark(mark) }
        space(8)
        centred(content.shopName, size: 17, bold: true, lines: 3, limit: 120)
        space(3)
        // This line names the day, which the holder of a visit has to know weeks later.
        centred(content.kind, size: 12.5, bold: true, lines: 3, limit: 120)
        space(8)
        rule()
        space(9)
        centred(content.numberLabel, size: 13, lines: 2, limit: 60)
        space(7)
        number(content.number)
        space(12)
        if let entry = content.entry {
            centred(entry.label, size: 13, lines: 2, limit: 80)
            centred(entry.value, size: 28, bold: true, lines: 2, limit: 80, least: 0.6)
            space(4)
        }
        self.facts(Array(content.facts.prefix(facts)))
        try symbol(content.qr)
        typedCode(content.typedCode)
        if instructions > 0, !content.instructions.isEmpty {
            space(10)
            rule()
            space(8)
        }
        for sentence in content.instructions.prefix(instructions) {
            place(sentence, TextStyle(size: 12.5 * scale, lines: 8), limit: 300)
            space(6)
        }
        if let phones = content.symbolForPhones {
            smallSymbol(phones, beside: content.qr, module: Self.phoneModuleHundredthsMm)
        }
        if let calendars = content.symbolForCalendars {
            smallSymbol(calendars, beside: content.qr, module: Self.calendarModuleHundredthsMm)
        }
        space(4)
        centred(content.footer, size: 8.5, lines: 3, limit: 160)
        // The cutter's blade is above the print head; a torn edge must not take the footer.
        space(14)
    }

    private mutating func space(_ points: Double) { y += points * scale }

    /// Adds a frame from margin to margin with one line of bold letters in it, so that every reader notices the other
    /// paper with the same place.
    private mutating func mark(_ text: String) {
        let clean = ReceiptText.clean(text, limit: 20)
        guard !clean.isEmpty else { return }
        var style = TextStyle(size: 18 * scale, bold: true)
        let width = typesetter.text(clean, style).width
        style.size *= min(1, 0.9 * grid.usableWidth / max(width, 1))
        let set = typesetter.text(clean, style)
        space(4)
        y = grid.aligned(y)
        let height = grid.aligned(set.height + 6 * scale)
        items.append(.frame(y: y, height: height))
        items.append(
            .text(
                set, x: grid.left + (grid.usableWidth - set.width) / 2,
                y: y + (height - set.height) / 2))
        y += height
    }

    private mutating func rule() {
        y = grid.aligned(y)
        items.append(.rule(y: y))
        y += 2 * grid.dot
    }

    /// Adds a centred text, smaller if it then fits in one line, otherwise in lines of equal length.
    ///
    /// With a factor of 0.78 or more a name is still larger than the sentences below it.
    private mutating func centred(
        _ text: String, size: Double, bold: Bool = false, lines: Int, limit: Int,
        least: Double = 0.78
    ) {
        let clean = ReceiptText.clean(text, limit: limit)
        guard !clean.isEmpty else { return }
        var style = TextStyle(size: size * scale, bold: bold, alignment: .centre, lines: lines)
        let width = typesetter.text(clean, style).width
        if width * least <= grid.usableWidth {
            style.size *= min(1, 0.99 * grid.usableWidth / width)
        }
        style.width = grid.usableWidth
        let set = typesetter.balanced(clean, style)
        let indent = (grid.usableWidth - (set.box ?? grid.usableWidth)) / 2
        items.append(.text(set, x: grid.left + indent, y: y))
        y += set.height
    }

    /// Adds a text over the whole width; adds nothing for an empty one.
    private mutating func place(_ text: String, _ style: TextStyle, limit: Int) {
        let clean = ReceiptText.clean(text, limit: limit)
        guard !clean.isEmpty else { return }
        var style = style
        style.width = grid.usableWidth
        let set = typesetter.text(clean, style)
        items.append(.text(set, x: grid.left, y: y))
        y += set.height
    }

    /// Adds the number in one line as wide as possible; all numbers of three digits have the same height.
    private mutating func number(_ text: String) {
        let clean = ReceiptText.clean(text, limit: 12)
        guard !clean.isEmpty else { return }
        let probe = 100.0
        let usual = typesetter.text("000", TextStyle(size: probe, bold: true)).ink.width
        let ink = typesetter.text(clean, TextStyle(size: probe, bold: true)).ink
        // With 0.9 of the width there is white at both sides, so that the number is easy to see.
        let size = probe * 0.9 * grid.usableWidth / max(usual, ink.width)
        let set = typesetter.text(clean, TextStyle(size: size, bold: true))
        let black = set.ink
        items.append(
            .text(
                set, x: grid.left + (grid.usableWidth - black.width) / 2 - black.x, y: y - black.y))
        y += black.height
    }

    /// Adds labels at the left and values at the right, a little smaller if all fit then; a value that still does not
    /// fit beside its label is placed below it.
    private mutating func facts(_ facts: [ReceiptContent.Fact]) {
        let facts = facts.map {
            (
                label: ReceiptText.clean($0.label, limit: 80),
                value: ReceiptText.clean($0.value, limit: 80)
            )
        }
        func rows(_ size: Double) -> [(label: LaidOutText, value: LaidOutText)] {
            facts.map { fact in
                (
                    typesetter.text(fact.label, TextStyle(size: 12.5 * size)),
                    typesetter.text(fact.value, TextStyle(size: 16 * size, bold: true))
                )
            }
        }
        func fits(_ row: (label: LaidOutText, value: LaidOutText)) -> Bool {
            row.label.width + row.value.width + 6 * scale <= grid.usableWidth
        }
        let smaller = rows(0.92 * scale)
        let set = smaller.allSatisfy(fits) ? smaller : rows(scale)
        let right = grid.left + grid.usableWidth
        for ((label, value), fact) in zip(set, facts) {
            if fits((label, value)) {
                let feet = max(label.baseline, value.baseline)
                items.append(.text(label, x: grid.left, y: y + feet - label.baseline))
                items.append(.text(value, x: right - value.width, y: y + feet - value.baseline))
                y += max(label.height, value.height)
            } else {
                place(fact.label, TextStyle(size: 12.5 * scale, lines: 2), limit: 80)
                place(
                    fact.value,
                    TextStyle(size: 17 * scale, bold: true, alignment: .trailing, lines: 3),
                    limit: 80)
            }
            space(4)
        }
    }

    /// Adds the symbol in the middle, aligned to the printer's dots, with at least four dots for each module.
    ///
    /// It is as wide as whole dots allow up to 40 mm, or as the roll allows: readers on a wall at a door read it at
    /// arm's length, and a worn print head damages less of it.
    private mutating func symbol(_ matrix: QRMatrix) throws(ReceiptRendererError) {
        let across = matrix.side + 2 * QRMatrix.quietZone
        let dots = dotsPerModule(of: matrix)
        guard dots >= 4 else { throw .symbolTooWide(modules: matrix.side, dots: grid.dots) }
        let module = Double(dots) * grid.dot
        let indent = (grid.dots - matrix.side * dots) / 2
        y = grid.aligned(y + Double(QRMatrix.quietZone) * module)
        items.append(
            .symbol(matrix, x: Double(grid.firstDot + indent) * grid.dot, y: y, module: module))
        y += Double(across - QRMatrix.quietZone) * module
    }

    private func dotsPerModule(of matrix: QRMatrix) -> Int {
        let wanted = Int(DotGrid.points(4_000) / grid.dot) / matrix.side
        return min(max(wanted, 4), grid.dots / (matrix.side + 2 * QRMatrix.quietZone))
    }

    /// Adds a symbol that a phone reads with its words, if it is clearly smaller than the entry code's symbol: a customer must not
    /// hold the wrong one under a reader.
    ///
    /// A phone is held near, so the smallest modules that a thermal printer prints clearly are enough. The words are
    /// beside the symbol, or above it if the paper is shorter then.
    private mutating func smallSymbol(
        _ phones: ReceiptContent.SymbolForPhones, beside entry: QRMatrix, module: Int
    ) {
        let matrix = phones.qr
        let dots = Int((DotGrid.points(module) / grid.dot).rounded(.up))
        guard matrix.side * dots * 3 <= entry.side * dotsPerModule(of: entry) * 2 else { return }
        space(4)
        rule()
        space(8)
        place(phones.heading, TextStyle(size: 12.5 * scale, bold: true, lines: 2), limit: 60)
        space(2)
        let zone = QRMatrix.quietZone * dots
        let side = matrix.side + 2 * QRMatrix.quietZone
        let height = Double(side * dots) * grid.dot
        let sentence = ReceiptText.clean(phones.sentence, limit: 300)
        var style = TextStyle(size: 11 * scale, width: grid.usableWidth, lines: 12)
        let above = typesetter.text(sentence, style)
        let column = grid.usableWidth - height - 3 * scale
        style.width = column
        style.breaksWords = false
        let beside = typesetter.text(sentence, style)
        let isBeside =
            beside.width <= column && !beside.isCut
            && max(beside.height, height) < above.height + height
        let rows = isBeside ? max(beside.height, height) : above.height + height
        let words = isBeside ? beside : above
        items.append(
            .text(words, x: grid.left, y: y + (isBeside ? (rows - beside.height) / 2 : 0)))
        let free = grid.dots - side * dots
        let first = grid.firstDot + (isBeside ? free : free / 2) + zone
        let top = y + (isBeside ? (rows - height) / 2 : above.height) + Double(zone) * grid.dot
        items.append(
            .symbol(
                matrix, x: Double(first) * grid.dot, y: grid.aligned(top),
                module: Double(dots) * grid.dot))
        y = grid.aligned(y + rows)
        space(4)
    }

    /// The width of a module of the symbol for phones: four dots at 203 dpi.
    private static let phoneModuleHundredthsMm = 50
    /// The width of a module of the symbol for calendars: three dots at 203 dpi, and four at 300. With another dot it would
    /// not be clearly smaller than the entry code's symbol, since its text is three times as long as a link.
    private static let calendarModuleHundredthsMm = 33

    /// Adds the code in one line of large digits, as wide as possible; a code that is too long wraps.
    private mutating func typedCode(_ text: String) {
        let clean = ReceiptText.clean(text, limit: 40)
        let wanted = TextStyle(size: 22 * scale, bold: true)
        let width = typesetter.text(clean, wanted).width
        let fitting = min(1, grid.usableWidth / max(width, 1))
        place(
            clean,
            // Digits smaller than 0.6 of the size are not copied by hand without mistakes.
            TextStyle(
                size: wanted.size * max(fitting * 0.99, 0.6), bold: true, alignment: .centre,
                lines: 2), limit: 40)
    }
}
