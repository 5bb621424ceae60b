/// A screen's size in pixels and, if it reports it, in millimetres.
public struct Panel: Hashable, Sendable {
    public var width: Int
    public var height: Int
    /// Millimetres across the width, from the panel's EDID; nil if it reports none.
    public var millimetres: Int?

    /// - Parameters:
    ///   - millimetres: across and down, exchanged if the picture is turned.
    public init(width: Int, height: Int, millimetres: (across: Int, down: Int)? = nil) {
        self.width = width
        self.height = height
        guard let (across, down) = millimetres, across > 0, down > 0 else { return }
        let isTurned = (across < down) != (width < height) && width != height
        self.millimetres = isTurned ? down : across
    }
}

extension Panel {
    /// The first connected output with a picture in xrandr(1)'s answer; nil if there is none.
    ///
    /// Its line: `HDMI-1 connected primary 1280x800+0+0 (normal left ...) 217mm x 136mm`.
    public init?(xrandr text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 2, words[1] == "connected",
                let (width, height) = words.lazy.compactMap({ Self.mode($0) }).first
            else { continue }
            var size: (across: Int, down: Int)?
            if words.count > 5, words[words.count - 2] == "x",
                let across = Self.number(words[words.count - 3], before: "mm"),
                let down = Self.number(words[words.count - 1], before: "mm")
            {
                size = (across, down)
            }
            self.init(width: width, height: height, millimetres: size)
            return
        }
        return nil
    }

    /// Reads a mode such as `1280x800+0+0`.
    private static func mode(_ word: Substring) -> (Int, Int)? {
        guard let plus = word.firstIndex(of: "+") else { return nil }
        let sides = word[..<plus].split(separator: "x").map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0
        else { return nil }
        return (width, height)
    }

    private static func number(_ word: Substring, before unit: String) -> Int? {
        word.hasSuffix(unit) ? Int(word.dropLast(unit.count)) : nil
    }
}

/// Letters for a panel: the font's size, the grid of its cells, and the height of its capitals.
public struct PanelFont: Hashable, Sendable {
    /// The size of the em, as fontconfig's `pixelsize`.
    public let pixelSize: Int
    public let grid: GridSize
    /// Pixels from the left edge of the screen to the first cell, and below from the upper one; the free pixels are
    /// shared out.
    public let left: Int
    public let top: Int
    /// Height of capitals in tenths of a millimetre; nil if the panel's size is not known.
    public let capitalHeight: Int?

    /// The distance in millimetres up to which capitals look large enough, filling 0.7 degrees (EN 301 549 5.1.4).
    public var readingDistance: Int? { capitalHeight.map { $0 * 8184 / 1000 } }

    /// The height of capitals of a size in tenths of a millimetre; nil if the panel's size is not known.
    public func capitalHeight(_ size: TypeSize) -> Int? {
        capitalHeight.map { $0 * size.capitals / TypeSize.text.capitals }
    }

    /// The desired height of capitals in tenths of a millimetre, between 5 and 7 mm: read from 49 cm.
    private static let capitalHeightTenthsMm = 60
    /// The finest grid for which the screens were drawn.
    private static let finest = GridSize(columns: 160, rows: 50)
    /// The grid of an ordinary terminal, for a panel without millimetres.
    private static let ordinary = GridSize(columns: 80, rows: 25)

    /// Sizes at which ascent, descent and advance of the machine's own font are whole pixels, so that its pieces meet;
    /// at every other size a hairline stays between two cells. Above 72 pixels xterm's cells are narrower.
    public static let seamless = Array(stride(from: 12, through: 72, by: 4))

    /// The largest letters up to 6 mm that leave room for the coarsest grid; nil if even the smallest leave no room.
    public init?(_ panel: Panel, coarsest: GridSize) {
        let sizes = Self.seamless.reversed().map { FontCell(pixelSize: $0) }
        func room(_ cell: FontCell) -> GridSize {
            GridSize(columns: panel.width / cell.width, rows: panel.height / cell.height)
        }
        let fitting = sizes.filter { room($0).holds(coarsest) }
        guard let largest = fitting.first else { return nil }
        // On a large wall panel too, a grid finer than the screens were drawn for is not needed.
        let drawn = fitting.filter { Self.finest.holds(room($0)) }
        let chosen = drawn.first { cell in
            cell.capitalHeight(on: panel).map { $0 <= Self.capitalHeightTenthsMm }
                ?? room(cell).holds(Self.ordinary)
        }
        let cell = chosen ?? drawn.last ?? largest
        pixelSize = cell.pixelSize
        grid = room(cell)
        left = (panel.width - grid.columns * cell.width) / 2
        top = (panel.height - grid.rows * cell.height) / 2
        capitalHeight = cell.capitalHeight(on: panel)
    }
}

/// A cell of the machine's own font, half as wide as high (`Kiosk/make-font`).
private struct FontCell {
    let pixelSize: Int

    var width: Int { pixelSize / 2 }
    var height: Int { pixelSize }

    /// Height of capitals in tenths of a millimetre.
    func capitalHeight(on panel: Panel) -> Int? {
        panel.millimetres.map {
            10 * pixelSize * TypeSize.text.capitals * $0 / (TypeSize.unitsPerRow * panel.width)
        }
    }
}

/// The sizes of text in the machine's own font: each has capitals at least half as high again as the one before.
public enum TypeSize: String, Hashable, Sendable, CaseIterable {
    /// Plain letters.
    case text
    /// Labels, and sentences in large letters.
    case label
    /// Titles, and the label of the button that most people want.
    case title
    /// Values: a time, a wait.
    case value
    /// The number on an issued ticket.
    case number
    /// That number in large letters.
    case largeNumber = "large-number"

    static let unitsPerRow = 1_024

    /// Rows of cells that a line takes.
    public var rows: Int {
        switch self {
        case .text: 1
        case .label: 2
        case .title: 3
        case .value: 5
        case .number: 8
        case .largeNumber: 12
        }
    }

    /// The height of capitals in units of the font, of which a row has 1,024; as `Kiosk/make-font` draws them.
    public var capitals: Int {
        switch self {
        case .text: 591
        case .label: 960
        case .title: 1_472
        case .value: 2_560
        case .number: 6_144
        case .largeNumber: 9_216
        }
    }
}
