import Foundation
import KioskFlow
import KioskScreens
import TerminalSurface
import Testing

/// Sample screens as the bytes for a terminal, which `Tests/photograph` shows and photographs.
enum Pictures {
    /// Panels of 10 and 21 inches, one of them upright, and an old one of 15 inches.
    static let panels = [
        "1280x800": Panel(width: 1280, height: 800, millimetres: (217, 136)),
        "1920x1080": Panel(width: 1920, height: 1080, millimetres: (476, 268)),
        "1080x1920": Panel(width: 1080, height: 1920, millimetres: (268, 476)),
        "1024x768": Panel(width: 1024, height: 768, millimetres: (304, 228)),
    ]

    /// The sheets of `keptSamples`: each panel in a language of its own.
    static let keptSheets = ["1280x800-en", "1920x1080-it", "1080x1920-de", "1024x768-fr"]
    /// Every screen of the machine once, and the variants of it that have another layout; of every panel there is a kept
    /// picture.
    static let keptSamples = [
        "starting", "home", "home-nothing-left", "home-nobody", "home-old", "home-calling-6",
        "home-room", "home-invitation", "order-issued", "asking",
        "offer", "offer-now", "offer-no-paper", "offer-visit", "unresolved", "issued-printed",
        "issued-shown-only", "issued-visit", "no-ticket-today", "no-visit", "scanning",
        "scanning-typed", "found-ticket", "found-more-time", "delay-offers",
        "turn-changed", "missed-call", "deleted", "closed-tomorrow", "apology", "warning",
        "languages-five", "refused-not-found", "out-of-service-S1",
        "staff-entrance", "staff-overview", "staff-overview-trouble-more",
        "staff-printer-trouble", "staff-jobs", "staff-papers", "staff-reader", "staff-colours",
        "staff-network", "staff-events", "staff-queue", "staff-machine", "staff-message",
        "staff-people", "help-question", "help-unreachable", "home-help", "staff-help",
    ]

    /// Writes the samples of a sheet into a folder of its own: a file for each, and the terminal's font.
    ///
    /// - Parameters:
    ///   - sheet: as `80x25-de` or `80x25-de-large` in blocks, or `1280x800-de` for a panel with the machine's own font.
    ///   - only: the names of the samples; nil for all, with their place in front of the name.
    static func write(_ sheet: String, only: [String]? = nil, to folder: String) throws {
        let parts = sheet.split(separator: "-").map(String.init)
        let size = try #require(parts.first).split(separator: "x").compactMap { Int($0) }
        try #require(size.count == 2 && parts.count >= 2)
        var grid = GridSize(size[0], size[1])
        var typeface = Typeface.blocks
        var font = ""
        if let panel = panels[parts[0]] {
            let letters = try #require(PanelFont(panel, coarsest: Screens.smallest))
            grid = letters.grid
            typeface = try OwnFont.typeface()
            font =
                "\(letters.pixelSize) \(grid.columns)x\(grid.rows)+\(letters.left)+\(letters.top)"
        }
        let appearance = parts.count > 2 ? try #require(Appearance(rawValue: parts[2])) : .normal
        let folder = "\(folder)/\(sheet)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try font.write(toFile: "\(folder)/font", atomically: true, encoding: .utf8)
        var frames = Samples.scenes.map { name, scene in
            (name, scene.drawn(grid, in: parts[1], appearance, typeface))
        }
        frames.append(
            ("home-room", HomeRoomTests.home(grid, typeface, language: parts[1], appearance)))
        for (index, (name, frame)) in frames.enumerated() {
            if let only, !only.contains(name) { continue }
            let file = only == nil ? "\(index + 100)-\(name)" : name
            try terminalText(frame.surface).write(
                toFile: "\(folder)/\(file).ansi", atomically: true, encoding: .utf8)
        }
    }

    /// A surface in SGR sequences with exact colours (ECMA-48 8.3.117, ISO 8613-6 13.1.8).
    private static func terminalText(_ surface: Surface) -> String {
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

/// `Tests/draw-pictures` has these written.
struct PicturesToDraw {
    private static let environment = ProcessInfo.processInfo.environment
    private static let folder = environment["CLUP_DRAW_PICTURES"]
    private static let sheets = (environment["CLUP_PICTURES"] ?? "80x25-it")
        .split(separator: " ").map(String.init)

    @Test("The wanted samples are written for a terminal", .enabled(if: folder != nil))
    func write() throws {
        let folder = try #require(Self.folder)
        if Self.sheets == ["kept"] {
            for sheet in Pictures.keptSheets {
                try Pictures.write(sheet, only: Pictures.keptSamples, to: folder)
            }
        } else {
            for sheet in Self.sheets { try Pictures.write(sheet, to: folder) }
        }
    }
}
