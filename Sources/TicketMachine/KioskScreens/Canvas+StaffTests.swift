import KioskFlow
import Reservations
import TerminalSurface

// Tests of what people see, touch and hear: reader, screen, sound.
extension Canvas {
    mutating func drawReader(_ visit: StaffSession) {
        let (content, buttons) = staffDivided(rows: 1)
        let (title, list) = content.splitTop(sentenceRows)
        if scene.readerPlace == nil {
            setSentence(text("This machine has no code reader."), theme.screen.bolded, in: title)
        } else if scene.isReaderThere {
            setSentence(text("Hold any code under the reader."), theme.screen.bolded, in: title)
        } else {
            let words = text("The reader is not connected: plug it in again.")
            setSentence(words, theme.warning, in: title)
        }
        setLines(visit.reads.map { line($0) }, in: list)
        placeGrid([back], columns: 3, in: buttons)
    }

    private func line(_ read: StaffRead) -> StaffLine {
        let length = plural("{n} character", "{n} characters", read.length)
        let kind =
            switch read.kind {
            case .entryCode: text("code of a ticket")
            case .orderCode: text("code of an order")
            case .typedCode: text("ten digits")
            case .symbolForPhones: text("symbol for phones")
            case .symbolForCalendars: text("symbol for calendars")
            case .badge: text("staff badge")
            case .barcode: text("barcode of goods")
            case .other: text("not ours")
            }
        let layout = read.layout.map { text("keyboard: {name}", ["name": wording.name($0)]) }
        let (verdict, health): (String?, StaffLine.Health) =
            switch (read.verdict, read.kind) {
            case (.valid, _): (text("valid in this shop"), .good)
            case (.refused(let refusal), let kind):
                (
                    text(
                        refusal.sentences(for: kind == .orderCode ? .order : .reservation)?.short
                            ?? ""),
                    .wrong
                )
            case (.unanswered, _): (text("the backend does not answer"), .unknown)
            case (nil, .entryCode), (nil, .orderCode), (nil, .typedCode):
                (text("checking"), .unknown)
            case (nil, .badge): (nil, .good)
            case (nil, .symbolForPhones), (nil, .symbolForCalendars), (nil, .barcode),
                (nil, .other):
                (nil, .unknown)
            }
        return StaffLine(
            read.at.map { wording.time($0) } ?? "-",
            [kind, length, layout, verdict].compactMap(\.self).joined(separator: ", "), health)
    }

    mutating func drawScreenTests() {
        let tests: [StaffScreen] = [.touchTest, .colours, .letters, .sound]
        let height = (staffArea.rows - 2) / 3
        placeGrid(
            tests.map { Button(.openStaff($0), wording.name($0)) } + [back],
            columns: 2, height: height, in: staffArea)
    }

    // MARK: Touch

    private static let fieldRows = 3
    private static let fieldColumns = 9

    /// The corners and the centre of the screen.
    private var fields: [Rectangle] {
        let (rows, columns) = (Self.fieldRows, Self.fieldColumns)
        let (down, right) = (size.rows - rows, size.columns - columns)
        return [(0, 0), (0, right), (down / 2, right / 2), (down, 0), (down, right)].map {
            Rectangle(row: $0.0, column: $0.1, rows: rows, columns: columns)
        }
    }

    mutating func drawTouchTest(_ visit: StaffSession) {
        let hits = visit.touches.filter { $0.rows == size.rows && $0.columns == size.columns }
        let fields = fields
        /// The field nearest to the touched place.
        func field(of mark: TouchMark) -> Int {
            func distance(_ field: Rectangle) -> Int {
                abs(field.row + 1 - mark.row) * 2 + abs(field.column + 4 - mark.column)
            }
            return fields.indices.min { distance(fields[$0]) < distance(fields[$1]) } ?? 0
        }
        let isHit = fields.indices.map { index in
            let last = hits.last { field(of: $0) == index }
            return last.map { fields[index].contains(GridPosition(row: $0.row, column: $0.column)) }
                ?? false
        }
        for (area, isHit) in zip(fields, isHit) {
            let style = isHit ? theme.main : theme.quiet
            surface.fill(area, style)
            surface.setCentred(isHit ? "OK" : "+", in: area, style.bolded)
        }
        let (above, below) = surface.bounds.inset(columns: Self.fieldColumns + 1)
            .splitTop(size.rows / 2 - 1)
        stack(
            [
                .heading(
                    isHit.allSatisfy(\.self)
                        ? text("All five fields were hit.")
                        : text("Touch each of the five fields."))
            ], in: above)
        if let last = hits.last {
            let area = fields[field(of: last)]
            let columns = abs(last.column - area.column - area.columns / 2)
            let rows = abs(last.row - area.row - 1)
            let words = text(
                "Last touch: {columns} and {rows} from the middle of its field",
                [
                    "columns": plural("{n} column", "{n} columns", columns),
                    "rows": plural("{n} row", "{n} rows", rows),
                ])
            stack([.line(words)], in: below.splitTop(2).rest.splitTop(4).top)
        }
        let bottom = below.splitBottom(staffButtonRows).bottom
        place(back, in: bottom.centred(rows: bottom.rows, columns: min(30, bottom.columns)))
    }

    // MARK: Colours and letters

    mutating func drawColours() {
        let (area, buttons) = staffDivided(rows: 1)
        let colours: [UInt32] = [
            0xFFFFFF, 0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00, 0x00FFFF, 0xFF00FF, 0x000000,
        ]
        let greys: [UInt32] = (0..<8).map { UInt32($0) * 0x242424 }
        let (upper, rest) = area.splitTop((area.rows - 1) / 2)
        for (colours, area) in [(colours, upper), (greys, rest.splitTop(1).rest)] {
            let widths = Array(repeating: area.columns / colours.count, count: colours.count)
            for (colour, place) in zip(colours, Self.places(widths, gap: 0, in: area)) {
                surface.fill(place, Style(.white, on: Colour(colour)))
            }
        }
        placeGrid([back], columns: 3, in: buttons)
    }

    /// Shows every letter beyond English, and the blocks of which large letters and symbols are made.
    mutating func drawLetters() {
        let (area, buttons) = staffDivided(rows: 1)
        let lines = [
            "it  àèéìòù ÀÈÉÌÒÙ", "de  äöüß ÄÖÜ", "fr  àâçéèêëîïôœùûü ÀÂÇÉÈÊËÎÏÔŒÙÛÜ",
            "es  áéíñóúü ¡¿ ÁÉÍÑÓÚÜ", "0123456789  ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "░▒▓█ ▄▀ ═║╗╚╝ ►◄ ◐ – … € ’",
        ]
        surface.set(lines: lines, in: area, theme.screen)
        let room = area.splitTop(lines.count + 1).rest
        if let large = typeface.title("Àäñç 0123", fitting: room.size, isLarge: false) {
            surface.draw(large, in: room, theme.screen)
        }
        placeGrid([back], columns: 3, in: buttons)
    }

    // MARK: Sound

    mutating func drawSound() {
        let (content, buttons) = staffDivided(rows: 1, height: tallButtonRows)
        guard scene.access.isSpeechThere else {
            stack([.heading(text("This machine has no voice."))], in: content)
            return placeGrid([back], columns: 4, height: tallButtonRows, in: buttons)
        }
        let volume = scene.settings.volume
        let most = MachineSettings.volumes.upperBound
        let bar =
            String(repeating: "█", count: 2 * volume)
            + String(repeating: "░", count: 2 * (most - volume))
        stack(
            [
                .heading(text("Volume {n} of {m}", ["n": String(volume), "m": String(most)])),
                .line(bar),
            ], in: content, saying: [])
        placeGrid(
            [
                back,
                volume > MachineSettings.volumes.lowerBound
                    ? Button(.staff(.volume(volume - 1)), text("Quieter")) : nil,
                volume < most ? Button(.staff(.volume(volume + 1)), text("Louder")) : nil,
                Button(.staff(.sample), text("Hear it"), isMain: true),
            ], columns: 4, height: tallButtonRows, in: buttons)
    }
}

extension Strings {
    fileprivate func name(_ layout: KeyboardLayout.Name) -> String {
        switch layout {
        case .us: text("US")
        case .italian: text("Italian")
        case .german: text("German")
        case .spanish: text("Spanish")
        case .french: text("French")
        }
    }

    /// A sentence by which staff members judge the volume.
    public var soundSample: String { text("This is how loud I speak.") }
}
