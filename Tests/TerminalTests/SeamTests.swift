import Foundation
import Glibc
import TestSupport
import Testing

@testable import TerminalSurface

/// Pieces of the machine's own font as the session's terminal draws them, on an X server of the test.
@Suite("Letters without seams", .timeLimit(.minutes(10)))
struct SeamTests {
    private static let columns = 8
    private static let rows = 4

    /// Cells whose dots are all set but the upper left one: the lowest dots of a row meet those of the next cell, and the
    /// right ones those of the cell below.
    private static func pattern() async throws -> String {
        try await Tool.succeed(Tool.repository.appending(path: "Kiosk/make-font").path, [])
        let path = Tool.repository.appending(path: "Assets/Font/pieces")
        let typeface = Typeface(try PieceFont([UInt8](try Data(contentsOf: path))))
        var bitmap = Bitmap(width: 2 * columns, height: 4 * rows)
        for row in 0..<bitmap.height {
            for column in 0..<bitmap.width {
                bitmap[row, column] = row % 4 != 0 || column % 2 != 0
            }
        }
        var surface = Surface(
            size: GridSize(columns: columns, rows: rows), style: Style(.white, on: .black))
        surface.draw(typeface.dots(bitmap), row: 0, column: 0, Style(.white, on: .black))
        return (0..<rows).map { row in (0..<columns).map { surface[row, $0].text }.joined() }
            .joined(separator: "\\r\\n")
    }

    @Test("No pixel is dark between adjoining pieces, at every size that may be chosen")
    func seams() async throws {
        let folder = try TemporaryFolder()
        let screen = try await VirtualScreen(width: 1_280, height: 1_024)
        // The terminal confirms that it has drawn before the picture is taken.
        let script = folder.file("photograph")
        try """
        #!/bin/bash
        stty -echo
        printf '\\033[?25l\\033[2J\\033[H\\033[97;40m\(try await Self.pattern())\\033[5n'
        read -rsd n -t 20 _
        import -window "$WINDOWID" "$1"
        """.write(toFile: script, atomically: true, encoding: .utf8)
        chmod(script, 0o755)
        for size in PanelFont.seamless {
            // A busy X server may draw after the picture was taken; a real seam stays.
            #expect(
                try await eventually { try await isSeamless(size, script, screen.display, folder) },
                "\(size) pixels")
        }
        // Sizes that are not in the list have seams, so the check can find them.
        for size in [26, 30, 34] {
            #expect(try await !isSeamless(size, script, screen.display, folder), "\(size) pixels")
        }
        await screen.stop()
    }

    private func isSeamless(
        _ size: Int, _ script: String, _ display: String, _ folder: TemporaryFolder
    ) async throws -> Bool {
        let picture = folder.file("\(size).png")
        let files = Tool.repository.appending(path: "Kiosk/session.d")
        try await Tool.succeed(
            "xterm",
            [
                "-fa", "CLup:pixelsize=\(size):hinting=false",
                "-geometry", "\(Self.columns)x\(Self.rows)+0+0",
                // The file is not run itself: a program that another test starts may have it open for writing still,
                // and xterm would then show a shell (execve(2), ETXTBSY).
                "-e", "bash", script, picture,
            ],
            environment: [
                "DISPLAY": display, "LC_ALL": "C.UTF-8",
                "XENVIRONMENT": files.appending(path: "XTerm").path,
                "FONTCONFIG_FILE": files.appending(path: "fonts.conf").path,
                "XDG_CACHE_HOME": folder.path,
            ])
        let extent = try await Tool.succeed("identify", ["-format", "%w %h", picture])
            .split(separator: " ").compactMap { Int($0) }
        let (width, height) = (extent[0] / Self.columns, extent[1] / Self.rows)
        // A cell is half as wide as high.
        guard extent == [Self.columns * (size / 2), Self.rows * size] else { return false }
        // Across the columns within the lowest dots, then across the rows within the right ones.
        for area in [
            "\(extent[0])x\(max(1, height / 4 - 2))+0+\(height - height / 4 + 1)",
            "\(max(1, width / 2 - 2))x\(extent[1])+\(width - width / 2 + 1)+0",
        ] {
            let darkest = try await Tool.succeed(
                "convert",
                [
                    picture, "-crop", area, "+repage", "-colorspace", "Gray", "-format",
                    "%[fx:minima]", "info:",
                ])
            if Double(darkest.trimmingCharacters(in: .whitespacesAndNewlines)) != 1 { return false }
        }
        return true
    }
}
