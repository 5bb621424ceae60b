/// A QR symbol without its quiet zone: a square of dark and light modules (ISO/IEC 18004).
public struct QRMatrix: Hashable, Sendable {
    /// The most modules of a side of a code's symbol: version 3 (ISO/IEC 18004), for which the smallest screen has room.
    public static let maxCodeSide = 29
    /// Light modules that must surround the symbol on every side (ISO/IEC 18004 5.3.8).
    public static let quietZone = 4

    /// Modules along one side: 21 to 177.
    public let side: Int
    private let dark: [Bool]

    /// Takes the modules row by row from the top left; refuses a list that is not square.
    public init?(side: Int, dark: [Bool]) {
        guard side > 0, dark.count == side * side else { return nil }
        self.side = side
        self.dark = dark
    }

    /// A chequered pattern, which is no symbol, for pages that test a printer.
    public init(chequeredSide side: Int) {
        precondition(side > 0, "a pattern has modules")
        self.side = side
        dark = (0..<side * side).map { ($0 % side + $0 / side).isMultiple(of: 2) }
    }

    /// Whether a module is dark; everything outside the symbol is light.
    public func isDark(row: Int, column: Int) -> Bool {
        guard (0..<side).contains(row), (0..<side).contains(column) else { return false }
        return dark[row * side + column]
    }

    /// The modules row by row for a page: four to a hexadecimal digit, the left one in the highest bit, 1 for dark; the
    /// last digit of a row is filled with light ones.
    public var rows: [String] {
        (0..<side).map { row in
            stride(from: 0, to: side, by: 4).map { column in
                let digit = (0..<4).reduce(0) {
                    $0 * 2 + (isDark(row: row, column: column + $1) ? 1 : 0)
                }
                return String(digit, radix: 16)
            }.joined()
        }
    }
}
