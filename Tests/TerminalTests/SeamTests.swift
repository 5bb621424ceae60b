import Foundation
import Glibc
import TerminalSurface
import TestSupport
import Testing

/// Blocks as the kiosk's own terminal draws them, on an X server of the test.
@Suite("Letters without seams", .timeLimit(.minutes(10)))
struct SeamTests {
    /// Full blocks beside and below one another, then lower halves over upper halves.
    private static let pattern = "########\\r\\n########\\r\\n########\\r\\n________\\r\\n^^^^^^^^"
        .replacing("#", with: "█").replacing("_", with: "▄").replacing("^", with: "▀")

    @Test("No pixel is dark between adjoining blocks, at every size that may be chosen")
    func seams() async throws {
        let folder = try TemporaryFolder()
        let server = try Tool.start(
            "Xvfb",
            [
                "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp",
                "-noreset",
            ], output: folder.file("display"))
        var number = ""
        let isUp = try await eventually {
            number = try String(contentsOfFile: folder.file("display"), encoding: .utf8)
            return number.hasSuffix("\n")
        }
        #expect(isUp)
        let display = ":" + number.trimmingCharacters(in: .whitespacesAndNewlines)
        // The terminal confirms that it has drawn before the picture is taken.
        let script = folder.file("photograph")
        try """
        #!/bin/bash
        stty -echo
        printf '\\033[?25l\\033[2J\\033[H\\033[97;40m\(Self.pattern)\\033[5n'
        read -rsd n -t 20 _
        import -window "$WINDOWID" "$1"
        """.write(toFile: script, atomically: true, encoding: .utf8)
        chmod(script, 0o755)
        for size in PanelFont.seamless {
            // A busy X server may draw after the picture was taken; a real seam stays.
            #expect(
                try await eventually { try await isSeamless(size, script, display, folder) },
                "\(size) pixels")
        }
        // Sizes that are not in the list have seams, so the check can find them.
        for size in [26, 30, 34] {
            #expect(try await !isSeamless(size, script, display, folder), "\(size) pixels")
        }
        await server.stop()
    }

    private func isSeamless(
        _ size: Int, _ script: String, _ display: String, _ folder: TemporaryFolder
    ) async throws -> Bool {
        let picture = folder.file("\(size).png")
        try await Tool.succeed(
            "xterm",
            [
                "-fa", "DejaVu Sans Mono:pixelsize=\(size)", "-geometry", "8x5+0+0", "-e", script,
                picture,
            ],
            environment: [
                "DISPLAY": display, "LC_ALL": "C.UTF-8",
                "XENVIRONMENT": Tool.repository.appending(path: "Kiosk/session.d/XTerm").path,
            ])
        let extent = try await Tool.succeed("identify", ["-format", "%w %h", picture])
            .split(separator: " ").compactMap { Int($0) }
        let (width, height) = (extent[0], extent[1])
        let cell = height / 5
        // Rows within the three rows of full blocks; then rows across the border of the two rows of halves.
        for (top, rows) in [(1, 3 * cell - 2), (4 * cell - cell / 4, cell / 2)] {
            let darkest = try await Tool.succeed(
                "convert",
                [
                    picture, "-crop", "\(width - 2)x\(rows)+1+\(top)", "+repage", "-colorspace",
                    "Gray", "-format", "%[fx:minima]", "info:",
                ])
            if Double(darkest.trimmingCharacters(in: .whitespacesAndNewlines)) != 1 { return false }
        }
        return true
    }
}
