import Foundation
import KioskScreens
import TerminalSurface
import Testing

/// The machine's own font against the catalogues.
@Suite("The machine's own font")
struct OwnFontTests {
    /// Sizes with the longest message, in characters without placeholders, that is set in each, as the font's maker
    /// has them: rows, capitals, longest message, advance of a digit.
    private static func sizes() throws -> [(size: TypeSize, longest: Int)] {
        let maker = try String(
            contentsOfFile: "\(OwnFont.folder)/../../Kiosk/make-font", encoding: .utf8)
        let line = try #require(maker.split(separator: "\n").first { $0.hasPrefix("SIZES = ") })
        return line.matches(of: /\((\d+), (\d+), (\d+), \d+\)/).compactMap { match in
            let size = TypeSize.allCases.first {
                $0.rows == Int(match.1) && $0.capitals == Int(match.2)
            }
            return size.flatMap { size in Int(match.3).map { (size, $0) } }
        }
    }

    @Test("Every label of every language has its pieces", arguments: Languages.codes)
    func labels(_ language: String) throws {
        let font = try OwnFont.font.get()
        let wording = try #require(Languages.all[language])
        let keys = try #require(Languages.all["it"]).keys
        #expect(keys.count > 500)
        let sizes = try Self.sizes()
        #expect(sizes.map(\.size) == TypeSize.allCases.filter { $0 != .text })
        for key in keys {
            let text = wording.text(key.text, context: key.context)
            let parts = text.replacing(/\{[^}]*\}/, with: "\u{0}").split(separator: "\u{0}")
                .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
            let length = text.replacing(/\{[^}]*\}/, with: "")
                .trimmingCharacters(in: .whitespacesAndNewlines).unicodeScalars.count
            for (size, longest) in sizes where length <= longest {
                for part in parts {
                    #expect(
                        font.line(part, size) != nil,
                        "\(language): \"\(part)\" as \(size): make the font with Kiosk/make-font")
                }
            }
        }
    }

    @Test("Numbers and times have their pieces in every size, as high as the panel knows it")
    func digits() throws {
        let font = try OwnFont.font.get()
        let numbers = stride(from: 0, through: 999_999, by: 7_919).map { String($0) }
        let times = (0..<24).flatMap { hour in (0..<60).map { "\(hour + 10):\($0 + 10)" } }
        for size in TypeSize.allCases where size != .text {
            for text in numbers + times + ["20–35", "041 042 043"] {
                let line = try #require(font.line(text, size), "\(text) as \(size)")
                #expect(line.rows == size.rows && line.columns > 0, "\(text) as \(size)")
            }
        }
        #expect(font.line("Done", .label, rows: 3)?.rows == 3)
    }

    @Test("The font takes at most 4 MB")
    func size() throws {
        _ = try OwnFont.font.get()
        let files = ["CLup-Regular.ttf", "CLup-Bold.ttf", "pieces"]
        let bytes = try files.map {
            try Data(contentsOf: URL(filePath: "\(OwnFont.folder)/\($0)")).count
        }
        #expect(bytes.allSatisfy { $0 > 0 } && bytes.reduce(0, +) <= 4_000_000, "\(bytes)")
    }

    @Test("A text that is not in the font is not drawn in part")
    func missing() throws {
        let font = try OwnFont.font.get()
        for text in ["長", "Get 長 ticket", "Zqx"] {
            #expect(font.line(text, .title) == nil, "\(text)")
        }
    }

    @Test("The two lines of a label stand in the middle of five rows, and share the third one")
    func interlocked() throws {
        let typeface = try OwnFont.typeface()
        let label = try #require(
            typeface.label(
                "No, give my place back", fitting: GridSize(columns: 20, rows: 5)))
        #expect(label.lines.count == 2 && label.rows == 5)
        // A line over another whose cells are free is not erased by it.
        var surface = Surface(
            size: GridSize(columns: 20, rows: 5), style: Style(.white, on: .black))
        surface.draw(label, in: surface.bounds, Style(.white, on: .black), .centre)
        let third = (0..<20).map { surface[2, $0].text }
        #expect(third.contains { $0 != " " }, "the lower ends of \"g\", \"y\" and the comma")
        #expect((0..<20).allSatisfy { surface[0, $0].text == " " })
    }

    @Test("A line stands in the middle of its width, to a quarter of a cell")
    func middle() throws {
        let font = try OwnFont.font.get()
        // The same word in widths of both kinds: its cells are at another place, or its ink is within them.
        for width in [20, 21] {
            let edge = try #require(font.line("Cancel", .title))
            let line = try #require(font.line("Cancel", .title, centredIn: width))
            #expect(abs(line.columns - edge.columns) <= 1)
        }
        let even = try #require(font.line("Cancel", .title, centredIn: 20))
        let odd = try #require(font.line("Cancel", .title, centredIn: 21))
        #expect(even != odd)
    }

    @Test("A damaged file is refused", arguments: [0, 7, 8, 100, 10_000])
    func damaged(_ length: Int) throws {
        let data = try Data(contentsOf: URL(filePath: "\(OwnFont.folder)/pieces"))
        _ = try OwnFont.font.get()
        #expect(throws: PieceFont.Malformed.self) { try PieceFont([UInt8](data.prefix(length))) }
        #expect(throws: PieceFont.Malformed.self) { try PieceFont([UInt8](data + [0])) }
    }
}
