import Foundation
import KioskFlow
import KioskScreens
import TerminalSurface
import Testing

/// The screens as files in `Expected`; `CLUP_DRAW_EXPECTED=1` writes them again, for a review.
///
/// Each screen is drawn once for each kind of grid, in one language. `ScreensTests` and `SizeOrderTests` check the
/// properties of every language and size, so that a changed sentence changes six files at most.
struct ExpectedScreensTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Expected").path

    /// A file of screens.
    struct Sheet: CustomTestStringConvertible {
        let size: GridSize
        let language: String
        var appearance = Appearance.normal
        let samples: [NamedScene]

        var testDescription: String {
            "\(size.columns)x\(size.rows)-\(language)"
                + (appearance == .normal ? "" : "-\(appearance)")
        }
    }

    /// All samples on the coarsest grid, on the usual one and in large letters, but of those that differ in their
    /// sentences only the coarsest grid has all; on the finest and on an upright panel only the first sample of each
    /// screen, and on the finest also the symbols for phones.
    static let sheets = [
        Sheet(size: GridSize(64, 20), language: "de", samples: Samples.scenes),
        Sheet(size: GridSize(80, 25), language: "it", samples: oneOfThoseAlike(Samples.scenes)),
        Sheet(
            size: GridSize(160, 50), language: "en",
            samples: firstOfEachScreen + Samples.linkScenes + Samples.invitationScenes),
        Sheet(size: GridSize(67, 58), language: "es", samples: firstOfEachScreen),
        Sheet(
            size: GridSize(80, 25), language: "fr", appearance: .large,
            samples: oneOfThoseAlike(Samples.customerScenes)),
    ]

    /// Screens of one layout, each with a heading and a sentence or two of its own.
    private static let alike = [
        "refused-", "order-refused-", "order-later-", "order-over-", "order-unknown",
        "order-working-", "order-ready", "order-issued", "order-scanning", "order-number-",
        "out-of-service-", "offer-no-p", "issued-shown-only", "scanning-no-reader",
    ]

    private static func oneOfThoseAlike(_ samples: [NamedScene]) -> [NamedScene] {
        firstOfEachKind(samples) { name, _ in alike.first { name.hasPrefix($0) } ?? name }
    }

    private static let firstOfEachScreen = firstOfEachKind(Samples.scenes) {
        $1.drawn(GridSize(80, 25)).spoken.screen
    }

    private static func firstOfEachKind(
        _ samples: [NamedScene], _ kind: (String, Scene) -> String
    ) -> [NamedScene] {
        var drawn: Set<String> = []
        return samples.filter { drawn.insert(kind($0.name, $0.scene)).inserted }
    }

    @Test("Every screen equals its drawing in the tree", arguments: sheets)
    func screens(_ sheet: Sheet) throws {
        let drawn = sheet.samples.map { name, scene in
            let frame = scene.drawn(sheet.size, in: sheet.language, sheet.appearance)
            return "== \(name)\n" + drawing(frame.surface, .dark)
        }
        try expectInTree(drawn.joined(separator: "\n"), file: sheet.testDescription)
    }

    @Test("A terminal that is too small shows a message, as drawn in the tree")
    func tooSmall() throws {
        let drawn = [(63, 20, "en"), (80, 19, "it"), (21, 6, "it")].map { columns, rows, language in
            let frame = Samples.named("home").drawn(GridSize(columns, rows), in: language)
            return "== \(columns)x\(rows)-\(language)\n" + drawing(frame.surface, .dark)
        }
        try expectInTree(drawn.joined(separator: "\n"), file: "too-small")
    }

    @Test("The spoken sentences of every screen equal those in the tree")
    func spoken() throws {
        let said = Samples.scenes.map { name, scene in
            let spoken = scene.drawn(GridSize(80, 25), in: "en").spoken
            return "== \(name)\n" + spoken.text(spoken.newSentences(after: nil)) + "\n"
        }
        try expectInTree(said.joined(separator: "\n"), file: "spoken-en")
    }

    @Test("The expected screens take 2.25 megabytes at most, and none is left over")
    func small() throws {
        let names = Self.sheets.map(\.testDescription) + ["too-small", "spoken-en"]
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(Set(files) == Set(names.map { "\($0).txt" }))
        let bytes = try files.reduce(0) { sum, file in
            try sum + Data(contentsOf: URL(filePath: "\(Self.folder)/\(file)")).count
        }
        #expect(bytes <= 2_250_000)
    }

    private func expectInTree(_ drawn: String, file: String) throws {
        let path = "\(Self.folder)/\(file).txt"
        if ProcessInfo.processInfo.environment["CLUP_DRAW_EXPECTED"] == "1" {
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
