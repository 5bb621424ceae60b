import Foundation
import KioskScreens
import TerminalSurface
import Testing

/// Every screen as it stands in the tree; `CLUP_DRAW_EXPECTED=1` draws them anew, to be looked at.
struct ExpectedScreensTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Expected").path

    static let sheets: [(columns: Int, rows: Int, language: String)] = [
        (64, 20, "en"), (64, 20, "it"), (64, 20, "de"), (64, 20, "fr"), (64, 20, "es"),
        (80, 24, "en"), (80, 24, "it"),
        (80, 25, "en"), (80, 25, "it"), (80, 25, "de"), (80, 25, "fr"), (80, 25, "es"),
        (100, 30, "en"), (100, 30, "it"), (160, 50, "en"), (160, 50, "it"),
        (63, 20, "en"), (80, 19, "it"), (21, 6, "it"),
    ]

    @Test("Every screen looks as it is drawn in the tree", arguments: sheets)
    func expected(columns: Int, rows: Int, language: String) throws {
        let size = GridSize(columns: columns, rows: rows)
        // Below the smallest grid all screens are one.
        let scenes =
            size.holds(Screens.smallest) ? Samples.scenes : Array(Samples.scenes.prefix(1))
        let drawn = scenes.map { name, scene in
            var scene = scene
            scene.language = language
            let frame = Screens.draw(
                scene, size: size, wordings: Languages.all, qr: Samples.qr)
            return "== \(name)\n" + drawing(frame.surface, .dark)
        }.joined(separator: "\n")
        let path = "\(Self.folder)/\(columns)x\(rows)-\(language).txt"
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
