import Foundation

/// An X server without a screen that a person sees (Xvfb(1)), on a display that was free.
public final class VirtualScreen: Sendable {
    /// What DISPLAY is for its programs, as `:99`.
    public let display: String
    private let process: RunningProgram
    private let folder: TemporaryFolder

    public init(width: Int, height: Int) async throws {
        folder = try TemporaryFolder()
        let number = folder.file("display")
        // The server chooses a free display and writes its number (Xserver(1)).
        process = try Tool.start(
            "Xvfb",
            [
                "-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-nolisten", "tcp",
                "-noreset",
            ], output: number)
        var text = ""
        let isUp = try await eventually(within: longTimeout) {
            text = try String(contentsOfFile: number, encoding: .utf8)
            return text.hasSuffix("\n")
        }
        display = ":" + text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard isUp else {
            await process.stop()
            throw TestSupportError("Xvfb did not start")
        }
    }

    public func stop() async { await process.stop() }
}
