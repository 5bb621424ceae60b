import Foundation
import KioskFlow
import KioskScreens
import TerminalSurface
import Testing

/// Every screen as it stands in the tree; `CLUP_DRAW_EXPECTED=1` draws them anew, to be looked at.
struct ExpectedScreensTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Expected").path

    struct Sheet: CustomTestStringConvertible {
        let size: GridSize
        let language: String
        let appearance: Appearance

        init(_ columns: Int, _ rows: Int, _ language: String, _ appearance: Appearance = .normal) {
            size = GridSize(columns: columns, rows: rows)
            self.language = language
            self.appearance = appearance
        }

        var testDescription: String {
            "\(size.columns)x\(size.rows)-\(language)"
                + (appearance == .normal ? "" : "-\(appearance)")
        }
    }

    static let sheets = [
        Sheet(64, 20, "en"), Sheet(64, 20, "it"), Sheet(64, 20, "de"), Sheet(64, 20, "fr"),
        Sheet(64, 20, "es"), Sheet(80, 24, "en"), Sheet(80, 24, "it"), Sheet(80, 25, "en"),
        Sheet(80, 25, "it"), Sheet(80, 25, "de"), Sheet(80, 25, "fr"), Sheet(80, 25, "es"),
        Sheet(100, 30, "en"), Sheet(100, 30, "it"), Sheet(160, 50, "en"), Sheet(160, 50, "it"),
        Sheet(96, 27, "it"), Sheet(67, 58, "it"),
        Sheet(63, 20, "en"), Sheet(80, 19, "it"), Sheet(21, 6, "it"),
        Sheet(64, 20, "de", .large), Sheet(80, 25, "it", .large), Sheet(160, 50, "en", .large),
        Sheet(80, 25, "it", .inverted),
    ]

    @Test("Every screen looks as it is drawn in the tree", arguments: sheets)
    func expected(_ sheet: Sheet) throws {
        // Below the smallest grid all screens are one; the inverted theme is the large one in other
        // colours.
        let scenes =
            sheet.appearance != .inverted && sheet.size.holds(Screens.smallest)
            ? Samples.scenes : Array(Samples.scenes.prefix(1))
        let drawn = scenes.map { name, scene in
            var scene = scene
            scene.language = sheet.language
            scene.appearance = sheet.appearance
            let frame = Screens.draw(
                scene, size: sheet.size, wordings: Languages.all, qr: Samples.qr)
            let theme: Theme = sheet.appearance == .inverted ? .light : .dark
            return "== \(name)\n" + drawing(frame.surface, theme)
        }.joined(separator: "\n")
        try expectInTree(drawn, file: sheet.testDescription)
    }

    @Test("What every screen says aloud is as it stands in the tree", arguments: Languages.codes)
    func spoken(_ language: String) throws {
        let said = Samples.scenes.map { name, scene in
            var scene = scene
            scene.language = language
            let frame = Screens.draw(
                scene, size: GridSize(columns: 80, rows: 25), wordings: Languages.all,
                qr: Samples.qr)
            return "== \(name)\n" + frame.spoken.text(frame.spoken.toSay(after: nil)) + "\n"
        }.joined(separator: "\n")
        try expectInTree(said, file: "spoken-\(language)")
    }

    private func expectInTree(_ drawn: String, file: String) throws {
        let path = "\(Self.folder)/\(file).txt"
        if ProcessInfo.processInfo.environment["CLUP_DRAW_EXPECTED"] != nil {
            try FileManager.default.createDirectory(
                atPath: Self.folder, withIntermediateDirectories: true)
            try drawn.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let expected = try String(contentsOfFile: path, encoding: .utf8)
        let difference = zip(
            expected.split(separator: "\n", omittingEmptySubsequences: false),
            drawn.split(separator: "\n", omittingEmptySubsequences: false)
        ).first { $0 != $1 }
        #expect(
            expected == drawn,
            "\(path): expected \"\(difference?.0 ?? "")\", drawn \"\(difference?.1 ?? "")\"")
    }
}
