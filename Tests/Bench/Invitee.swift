import BackendAPI
import QRCode
import Reservations

/// Prints the link with which a phone joins a shop's queue at present, for demonstrations and tests.
enum Invitee {
    static func run(_ options: Options) throws {
        let device = try DeviceConnection(
            "machine", port: options.backendPort(),
            key: Customers.key(options.required("state")))
        guard let link = try device.call(API.queue).reply().join else {
            throw BenchError("the shop gives no places to phones now")
        }
        print(link)
        if options.text("symbol") == "yes" { print(text(of: try QRCode.matrix(of: link))) }
    }

    /// The symbol with its quiet zone, two rows to a line, white on whatever the terminal has.
    private static func text(of symbol: QRMatrix) -> String {
        let zone = QRMatrix.quietZone
        let range = -zone..<(symbol.side + zone)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let cells = range.map { column in
                switch (
                    symbol.isDark(row: row, column: column),
                    symbol.isDark(row: row + 1, column: column)
                ) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }
            // White on black, so that a dark terminal and a light one show the same.
            return "\u{1B}[97;40m\(cells.joined())\u{1B}[0m"
        }.joined(separator: "\n")
    }
}
