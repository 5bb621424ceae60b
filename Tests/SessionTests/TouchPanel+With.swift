import TestSupport

extension TouchPanel {
    /// Starts a panel, and ends it after the body.
    ///
    /// - Parameter without: the line that is left out of the X server's settings.
    static func with(
        width: Int = 1280, height: Int = 800, without: String? = nil,
        body: (TouchPanel) async throws -> Void
    ) async throws {
        try await ending(
            TouchPanel(width: width, height: height, without: without), by: { await $0.end() },
            after: body)
    }
}
