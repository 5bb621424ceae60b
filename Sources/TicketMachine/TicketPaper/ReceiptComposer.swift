internal import KioskScreens
internal import Reservations

/// Sets a paper from its top to its foot.
///
/// Made for eyes of eighty years: the number fills the width, what one must know stands in bold
/// letters of 4 mm and more, nothing is set smaller than a newspaper but the foot.
struct ReceiptComposer {
    /// More facts or sentences than these nobody reads; they also bound the length.
    static let maxFacts = 8
    static let maxInstructions = 10

    private(set) var items: [ReceiptItem] = []
    /// How far down the paper is filled, in points.
    private(set) var y = 0.0

    private let grid: DotGrid
    private let typesetter: Typesetter
    /// Sizes are given for the 72 mm of an 80 mm roll; narrow rolls get 85 % of them, since at
    /// less, 48 mm would hold more words a line but tired eyes fewer.
    private let scale: Double

    init(grid: DotGrid, typesetter: Typesetter) {
        self.grid = grid
        self.typesetter = typesetter
        scale = min(max(grid.usableWidth / DotGrid.points(7_200), 0.85), 1.3)
    }

    mutating func compose(
        _ content: ReceiptContent, facts: Int, instructions: Int
    ) throws(ReceiptRendererError) {
        if let banner = content.banner { self.banner(banner) }
        space(8)
        centred(content.shopName, size: 17, bold: true, lines: 3, limit: 120)
        space(3)
        // With the day on it, which a visit's holder has to know weeks later.
        centred(content.kind, size: 12.5, bold: true, lines: 3, limit: 120)
        space(8)
        rule()
        space(9)
        centred(content.numberLabel, size: 13, lines: 2, limit: 60)
        space(7)
        number(content.number)
        space(11)
        rule()
        if facts > 0 {
            space(7)
            self.facts(Array(content.facts.prefix(facts)))
            space(4)
            rule()
        }
        try symbol(content.qr)
        typedCode(content.typedCode)
        space(10)
        rule()
        space(8)
        for sentence in content.instructions.prefix(instructions) {
            paragraph(sentence)
        }
        space(4)
        centred(content.footer, size: 8.5, lines: 3, limit: 160)
        // The cutter's blade stands above the print head; a torn edge must not take the footer.
        space(14)
    }

    private mutating func space(_ points: Double) {
        y += points * scale
    }

    /// One line of large letters, white on black: nobody overlooks that another paper has the same place.
    private mutating func banner(_ text: String) {
        let clean = ReceiptText.clean(text, limit: 20)
        guard !clean.isEmpty else { return }
        var style = TextStyle(size: 34 * scale, bold: true)
        let width = typesetter.text(clean, style).width
        style.size *= min(1, 0.95 * grid.usableWidth / max(width, 1))
        let set = typesetter.text(clean, style)
        space(4)
        y = grid.aligned(y)
        let height = grid.aligned(set.height)
        items.append(
            .banner(
                set, x: grid.left + (grid.usableWidth - set.width) / 2, y: y, height: height))
        y += height
    }

    private mutating func rule() {
        y = grid.aligned(y)
        items.append(.rule(y: y))
        y += 2 * grid.dot
    }

    /// In the middle; a little smaller if one line then holds it, else in lines of equal length.
    private mutating func centred(
        _ text: String, size: Double, bold: Bool = false, lines: Int, limit: Int
    ) {
        let clean = ReceiptText.clean(text, limit: limit)
        guard !clean.isEmpty else { return }
        var style = TextStyle(size: size * scale, bold: bold, alignment: .centre, lines: lines)
        let width = typesetter.text(clean, style).width
        // 0.78: a name so set is still larger than the sentences below it.
        if width * 0.78 <= grid.usableWidth {
            style.size *= min(1, 0.99 * grid.usableWidth / width)
        }
        style.width = grid.usableWidth
        let set = typesetter.balanced(clean, style)
        let indent = (grid.usableWidth - (set.box ?? grid.usableWidth)) / 2
        items.append(.text(set, x: grid.left + indent, y: y))
        y += set.height
    }

    private mutating func paragraph(_ text: String) {
        place(text, TextStyle(size: 12.5 * scale, lines: 8), limit: 300)
        space(6)
    }

    /// A text over the whole width; nothing for an empty one.
    private mutating func place(_ text: String, _ style: TextStyle, limit: Int) {
        let clean = ReceiptText.clean(text, limit: limit)
        guard !clean.isEmpty else { return }
        var style = style
        style.width = grid.usableWidth
        let set = typesetter.text(clean, style)
        items.append(.text(set, x: grid.left, y: y))
        y += set.height
    }

    /// One line, its black edges as far apart as the width allows; three digits of any number
    /// stand equally high.
    private mutating func number(_ text: String) {
        let clean = ReceiptText.clean(text, limit: 12)
        guard !clean.isEmpty else { return }
        let probe = 100.0
        let usual = typesetter.text("000", TextStyle(size: probe, bold: true)).ink.width
        let ink = typesetter.text(clean, TextStyle(size: probe, bold: true)).ink
        // 0.9: white at both sides makes a number a picture, not a stripe.
        let size = probe * 0.9 * grid.usableWidth / max(usual, ink.width)
        let set = typesetter.text(clean, TextStyle(size: size, bold: true))
        let black = set.ink
        items.append(
            .text(
                set, x: grid.left + (grid.usableWidth - black.width) / 2 - black.x, y: y - black.y))
        y += black.height
    }

    /// Labels left, values right, a little smaller if they all fit so; a value that still does
    /// not fit beside its label stands below it.
    private mutating func facts(_ facts: [ReceiptContent.Fact]) {
        let facts = facts.map { fact in
            ReceiptContent.Fact(
                label: ReceiptText.clean(fact.label, limit: 80),
                value: ReceiptText.clean(fact.value, limit: 80))
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

    /// In the middle, on the dots, never fewer than four of them a module.
    ///
    /// About half as wide as what is printed on, 37 mm of 72: readers hung up at a door find it at arm's
    /// length, and a worn print head loses less of it.
    private mutating func symbol(_ matrix: QRMatrix) throws(ReceiptRendererError) {
        let across = matrix.side + 2 * QRMatrix.quietZone
        let wanted = Int((0.52 * Double(grid.dots) / Double(matrix.side)).rounded())
        let dots = min(max(wanted, 4), grid.dots / across)
        guard dots >= 4 else { throw .symbolTooWide(modules: matrix.side, dots: grid.dots) }
        let module = Double(dots) * grid.dot
        let indent = (grid.dots - matrix.side * dots) / 2
        y = grid.aligned(y + Double(QRMatrix.quietZone) * module)
        items.append(
            .symbol(matrix, x: Double(grid.firstDot + indent) * grid.dot, y: y, module: module))
        y += Double(across - QRMatrix.quietZone) * module
    }

    /// One line in large figures, as wide as it may be; too long a one wraps.
    private mutating func typedCode(_ text: String) {
        let clean = ReceiptText.clean(text, limit: 40)
        let wanted = TextStyle(size: 22 * scale, bold: true)
        let width = typesetter.text(clean, wanted).width
        let fitting = min(1, grid.usableWidth / max(width, 1))
        place(
            clean,
            // 0.6: smaller figures are no longer copied by hand without mistakes.
            TextStyle(
                size: wanted.size * max(fitting * 0.99, 0.6), bold: true, alignment: .centre,
                lines: 2), limit: 40)
    }
}
