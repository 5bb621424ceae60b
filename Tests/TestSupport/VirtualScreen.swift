/// An X server without a screen that a person sees (Xvfb(1)), on a display that was free.
public final class VirtualScreen: Sendable {
    /// What DISPLAY is for its programs, as `:99`.
    public let display: String
    private let process: RunningProgram
    private let folder: TemporaryFolder

    public init(width: Int, height: Int) async throws {
        folder = try TemporaryFolder()
        let number = folder.file("display")
        process = try Tool.start(
            "Xvfb",
            [
                "-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-nolisten", "tcp",
                "-noreset",
            ], output: number, errors: folder.file("errors"))
        display = try await process.display(writtenTo: number, log: folder.file("errors"))
    }

    public func stop() async { await process.stop() }
}
