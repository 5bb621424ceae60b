import Reservations
import TerminalSurface
public import Testing

@testable import KioskFlow
@testable public import KioskScreens

/// A failure names a screen, and does not write out its cells.
extension Frame: CustomTestStringConvertible {
    public var testDescription: String { spoken.screen }
}

extension GridSize {
    init(_ columns: Int, _ rows: Int) { self.init(columns: columns, rows: rows) }

    static func each(_ sizes: (Int, Int)...) -> [GridSize] { sizes.map { GridSize($0, $1) } }
}

extension Scene {
    /// The scene with something changed.
    func with(_ change: (inout Scene) -> Void) -> Scene {
        var scene = self
        change(&scene)
        return scene
    }

    /// The scene of an issued reservation, with something changed in the reservation.
    func withReservation(_ change: (inout Reservation) -> Void) -> Scene {
        guard case .issued(let issued) = state, case .reservation(var reservation) = issued.slip
        else { return self }
        change(&reservation)
        return with {
            $0.state = .issued(
                Issued(
                    key: issued.key, slip: .reservation(reservation), paper: issued.paper,
                    closes: issued.closes))
        }
    }

    /// The scene with something changed in the session of maintenance mode.
    func withSession(_ change: (inout StaffSession) -> Void) -> Scene {
        guard case .staff(var session) = state else { return self }
        change(&session)
        return with { $0.state = .staff(session) }
    }

    /// The scene as it is drawn, with the symbols that it has.
    ///
    /// - Parameters:
    ///   - language: nil for the scene's own.
    ///   - appearance: nil for the scene's own.
    func drawn(
        _ size: GridSize = GridSize(80, 24), in language: String? = nil,
        _ appearance: Appearance? = nil, _ typeface: Typeface = .blocks,
        pointing: Highlight = Highlight(), qr: QRMatrix? = Samples.qr,
        wordings: [String: Strings] = Languages.all
    ) -> Frame {
        let scene = with {
            $0.access.language = language ?? $0.access.language
            $0.access.appearance = appearance ?? $0.access.appearance
        }
        let hasLink = if case .issued(let issued) = state { issued.slip.link != nil } else { false }
        return Screens.draw(
            scene, size: size, typeface: typeface, wordings: wordings, pointing: pointing, qr: qr,
            symbolForPhones: hasLink ? Samples.phones : nil,
            invitation: invitation.map { _ in Samples.phones })
    }
}

extension Samples {
    /// The paper of a reservation, from the machine at the door.
    static func paper(
        _ reservation: Reservation = reservation(), in language: String = "en",
        machine: String = "door-1", allowsDelays: Bool = false, isCopy: Bool = false
    ) -> ReceiptContent {
        ReceiptStrings.content(
            reservation, qr: qr, machine: MachineID(machine),
            wording: Languages.all[language] ?? .english, allowsDelays: allowsDelays,
            isCopy: isCopy)
    }

    /// The paper of an order, from the machine at the door.
    static func paper(
        of arrived: ArrivedOrder, in language: String = "en", symbolForPhones: QRMatrix? = nil,
        isCopy: Bool = false
    ) -> ReceiptContent {
        ReceiptStrings.content(
            arrived, qr: qr, symbolForPhones: symbolForPhones, machine: MachineID("door-1"),
            wording: Languages.all[language] ?? .english, isCopy: isCopy)
    }
}

extension Frame {
    /// The actions in the foot lines of all screens.
    static let foot: [UserAction] = [
        .openLanguages, .closeLanguages, .changeAppearance, .changeVoice, .help(.open),
    ]

    /// The targets of the screen itself, without its foot line.
    var choices: [UserAction] { targets.map(\.id).filter { !Self.foot.contains($0) } }

    func area(of action: UserAction) -> Rectangle? { targets.first { $0.id == action }?.area }

    /// Whether no text is cut off, and none covers another one.
    var isWhole: Bool { surface.lost == 0 && surface.covered == 0 }

    /// The text of the screen.
    var text: String { surface.rows().joined(separator: "\n") }

    func shows(_ words: String) -> Bool { surface.rows().contains { $0.contains(words) } }
}

extension Surface {
    /// The text of each row, from a column on.
    func rows(from column: Int = 0) -> [String] {
        (0..<size.rows).map { row in
            (column..<size.columns).map { self[row, $0].text }.joined()
        }
    }

    /// The place of a symbol whose modules are as large as a column is wide, or so many times.
    func place(of symbol: QRMatrix, times factor: Int, quietZone: Int = 4) -> Rectangle? {
        let bitmap = Bitmap(symbol, quietZone: quietZone).scaled(factor)
        guard bitmap.rows <= size.rows, bitmap.columns <= size.columns else { return nil }
        var alone = Surface(
            size: GridSize(bitmap.columns, bitmap.rows), style: .code)
        alone.draw(bitmap, row: 0, column: 0, .code)
        for row in 0...size.rows - bitmap.rows {
            for column in 0...size.columns - bitmap.columns {
                let isHere = (0..<bitmap.rows).allSatisfy { y in
                    (0..<bitmap.columns).allSatisfy { x in
                        self[row + y, column + x] == alone[y, x]
                    }
                }
                if isHere {
                    return Rectangle(
                        row: row, column: column, rows: bitmap.rows, columns: bitmap.columns)
                }
            }
        }
        return nil
    }
}
