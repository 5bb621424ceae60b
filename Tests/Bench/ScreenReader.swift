/// The screen that a terminal like xterm shows for the bytes a program sends: characters without colours.
///
/// It understands what ncurses sends to xterm-256color (terminfo(5)); all characters of the kiosk's texts in this bench
/// have width 1.
struct ScreenReader {
    let rows: Int
    let columns: Int
    private var cells: [UInt32]
    private var row = 0
    private var column = 0
    private var state = State.ground
    /// The character that `rep` repeats.
    private var last: UInt32 = 0x20
    /// The parameters of the sequence that is being read; the array is kept, so that no byte allocates.
    private var parameters: [Int] = []
    private var scalar: UInt32 = 0
    private var following = 0

    private enum State {
        case ground
        case escape
        /// One more character belongs to the sequence, as in "ESC ( B".
        case skip
        case control
        /// Like `control`, with a "?" or the like: modes, which do not move the cursor.
        case privateControl
        /// A text for the terminal itself, which ends with BEL or ESC \.
        case text
    }

    init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        cells = Array(repeating: 0x20, count: rows * columns)
    }

    /// The place at which a text begins; nil while it is not on the screen.
    func place(of text: String) -> (row: Int, column: Int)? {
        let wanted = text.unicodeScalars.map(\.value)
        for row in 0..<rows {
            let line = cells[(row * columns)..<((row + 1) * columns)]
            if let found = line.firstRange(of: wanted) {
                return (row, found.lowerBound - row * columns)
            }
        }
        return nil
    }

    func shows(_ text: String) -> Bool { place(of: text) != nil }

    /// The screen as lines of text.
    var lines: [String] {
        (0..<rows).map { row in
            let line = cells[(row * columns)..<((row + 1) * columns)]
            return String(String.UnicodeScalarView(line.map { Unicode.Scalar($0) ?? " " }))
        }
    }

    mutating func take(_ bytes: ArraySlice<UInt8>) { for byte in bytes { take(byte) } }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .ground: ground(byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["):
                parameters.removeAll(keepingCapacity: true)
                state = .control
            case UInt8(ascii: "]"): state = .text
            case UInt8(ascii: "("), UInt8(ascii: ")"): state = .skip
            default: state = .ground
            }
        case .skip: state = .ground
        case .text: if byte == 0x07 || byte == UInt8(ascii: "\\") { state = .ground }
        case .control, .privateControl:
            switch byte {
            case 0x30...0x39:
                if parameters.isEmpty { parameters.append(0) }
                let last = parameters.count - 1
                parameters[last] = min(parameters[last] * 10 + Int(byte - 0x30), 9_999)
            case UInt8(ascii: ";"):
                if parameters.isEmpty { parameters.append(0) }
                parameters.append(0)
            case 0x3C...0x3F: state = .privateControl
            case 0x40...0x7E:
                if case .control = state { control(byte) }
                state = .ground
            default: break
            }
        }
    }

    private mutating func ground(_ byte: UInt8) {
        if following > 0, byte & 0xC0 == 0x80 {
            scalar = scalar << 6 | UInt32(byte & 0x3F)
            following -= 1
            if following == 0 { put(scalar) }
            return
        }
        following = 0
        switch byte {
        case 0x1B: state = .escape
        case 0x0D: column = 0
        case 0x0A: lineFeed()
        case 0x08: column = max(0, min(column, columns - 1) - 1)
        case 0x09: column = min(columns - 1, (column / 8 + 1) * 8)
        case 0x20...0x7E: put(UInt32(byte))
        case 0xC2...0xDF: (scalar, following) = (UInt32(byte & 0x1F), 1)
        case 0xE0...0xEF: (scalar, following) = (UInt32(byte & 0x0F), 2)
        case 0xF0...0xF4: (scalar, following) = (UInt32(byte & 0x07), 3)
        default: break
        }
    }

    private mutating func put(_ character: UInt32) {
        // The cursor waits behind the last column until the next character comes (xenl).
        if column >= columns {
            column = 0
            lineFeed()
        }
        cells[row * columns + column] = character
        column += 1
        last = character
    }

    private mutating func lineFeed() {
        guard row == rows - 1 else {
            row += 1
            return
        }
        cells.removeFirst(columns)
        cells.append(contentsOf: Array(repeating: 0x20, count: columns))
    }

    private mutating func control(_ final: UInt8) {
        func parameter(_ index: Int, _ standard: Int = 1) -> Int {
            parameters.indices.contains(index) && parameters[index] > 0
                ? parameters[index] : standard
        }
        let count = parameter(0)
        let here = row * columns + min(column, columns - 1)
        let lineEnd = (row + 1) * columns
        switch Character(Unicode.Scalar(final)) {
        case "H", "f": (row, column) = (min(count, rows) - 1, min(parameter(1), columns) - 1)
        case "G", "`": column = min(count, columns) - 1
        case "d": row = min(count, rows) - 1
        case "A": row = max(0, row - count)
        case "B": row = min(rows - 1, row + count)
        case "C": column = min(columns - 1, column + count)
        case "D": column = max(0, min(column, columns - 1) - count)
        case "b": for _ in 0..<count { put(last) }
        case "X": blank(here..<min(lineEnd, here + count))
        case "K":
            switch parameter(0, 0) {
            case 0: blank(here..<lineEnd)
            case 1: blank(row * columns..<here + 1)
            default: blank(row * columns..<lineEnd)
            }
        case "J":
            switch parameter(0, 0) {
            case 0: blank(here..<cells.count)
            case 1: blank(0..<here + 1)
            default: blank(0..<cells.count)
            }
        case "P":
            let gone = min(count, lineEnd - here)
            cells.removeSubrange(here..<here + gone)
            cells.insert(contentsOf: Array(repeating: 0x20, count: gone), at: lineEnd - gone)
        case "@":
            let new = min(count, lineEnd - here)
            cells.removeSubrange(lineEnd - new..<lineEnd)
            cells.insert(contentsOf: Array(repeating: 0x20, count: new), at: here)
        default: break
        }
    }

    private mutating func blank(_ range: Range<Int>) {
        for index in range { cells[index] = 0x20 }
    }
}
