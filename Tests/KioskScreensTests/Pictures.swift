import Foundation
import KioskFlow
import KioskScreens
import TerminalSurface
import Testing

/// Every sample screen as a terminal shows it, for people to look at: `Tests/draw-pictures`.
struct Pictures {
    private static let folder = ProcessInfo.processInfo.environment["CLUP_DRAW_PICTURES"]
    /// Names such as `80x25-de` or `80x25-de-large` in blocks, or `1280x800-de` for a panel with the machine's own
    /// font; separated by spaces.
    static let sheets = (ProcessInfo.processInfo.environment["CLUP_PICTURES"] ?? "80x25-it")
        .split(separator: " ").map(String.init)

    /// Panels of 10 and 21 inches, one of them upright, and an old one of 15 inches.
    static let panels = [
        "1280x800": Panel(width: 1280, height: 800, millimetres: (217, 136)),
        "1920x1080": Panel(width: 1920, height: 1080, millimetres: (476, 268)),
        "1080x1920": Panel(width: 1080, height: 1920, millimetres: (268, 476)),
        "1024x768": Panel(width: 1024, height: 768, millimetres: (304, 228)),
    ]

    @Test(
        "Each sample is written as the bytes for a terminal",
        .enabled(if: ProcessInfo.processInfo.environment["CLUP_DRAW_PICTURES"] != nil),
        arguments: sheets)
    func write(_ sheet: String) throws {
        let parts = sheet.split(separator: "-").map(String.init)
        let size = try #require(parts.first).split(separator: "x").compactMap { Int($0) }
        try #require(size.count == 2 && parts.count >= 2)
        var grid = GridSize(columns: size[0], rows: size[1])
        var typeface = Typeface.blocks
        var font = ""
        if let panel = Self.panels["\(parts[0])"] {
            let letters = try #require(PanelFont(panel, coarsest: Screens.smallest))
            grid = letters.grid
            typeface = try OwnFont.typeface()
            font =
                "\(letters.pixelSize) \(grid.columns)x\(grid.rows)+\(letters.left)+\(letters.top)"
        }
        let appearance = parts.count > 2 ? try #require(Appearance(rawValue: parts[2])) : .normal
        let folder = "\(try #require(Self.folder))/\(sheet)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try font.write(toFile: "\(folder)/font", atomically: true, encoding: .utf8)
        var frames = Samples.scenes.map { name, scene in
            var scene = scene
            scene.language = parts[1]
            scene.appearance = appearance
            return (
                name,
                Screens.draw(
                    scene, size: grid, typeface: typeface, wordings: Languages.all, qr: Samples.qr)
            )
        }
        frames.append(
            ("home-room", HomeRoomTests.home(grid, typeface, language: parts[1], appearance)))
        for (index, (name, frame)) in frames.enumerated() {
            let file = "\(folder)/\(index + 100)-\(name).ansi"
            try terminalText(frame.surface).write(toFile: file, atomically: true, encoding: .utf8)
        }
    }

    /// A surface in SGR sequences with exact colours (ECMA-48 8.3.117, ISO 8613-6 13.1.8).
    private func terminalText(_ surface: Surface) -> String {
        var text = "\u{1B}[H"
        for row in 0..<surface.size.rows {
            text += "\u{1B}[\(row + 1);1H"
            for column in 0..<surface.size.columns {
                let cell = surface[row, column]
                let (ink, ground) = (cell.style.foreground, cell.style.background)
                text += "\u{1B}[\(cell.style.bold ? 1 : 22)"
                text += ";38;2;\(ink.red);\(ink.green);\(ink.blue)"
                text += ";48;2;\(ground.red);\(ground.green);\(ground.blue)m\(cell.text)"
            }
        }
        return text
    }
}
