import Foundation
import KioskFlow
import KioskScreens
import TerminalSurface
import Testing

/// Every sample screen as a terminal shows it, for people to look at: `Tests/draw-pictures`.
struct Pictures {
    private static let folder = ProcessInfo.processInfo.environment["CLUP_DRAW_PICTURES"]
    /// Names such as `80x25-de` or `80x25-de-large`, separated by spaces.
    static let sheets = (ProcessInfo.processInfo.environment["CLUP_PICTURES"] ?? "80x25-it")
        .split(separator: " ").map(String.init)

    @Test(
        "Each sample is written as the bytes for a terminal",
        .enabled(if: ProcessInfo.processInfo.environment["CLUP_DRAW_PICTURES"] != nil),
        arguments: sheets)
    func write(_ sheet: String) throws {
        let parts = sheet.split(separator: "-").map(String.init)
        let size = try #require(parts.first).split(separator: "x").compactMap { Int($0) }
        try #require(size.count == 2 && parts.count >= 2)
        let appearance = parts.count > 2 ? try #require(Appearance(rawValue: parts[2])) : .normal
        let folder = "\(try #require(Self.folder))/\(sheet)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for (index, (name, var scene)) in Samples.scenes.enumerated() {
            scene.language = parts[1]
            scene.appearance = appearance
            let frame = Screens.draw(
                scene, size: GridSize(columns: size[0], rows: size[1]), wordings: Languages.all,
                qr: Samples.qr)
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
