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

extension LockedSession {
    /// The whole product, with its machine in the locked-down session.
    static func with(
        without: String? = nil, file: String = #fileID, function: String = #function,
        body: (Product, LockedSession) async throws -> Void
    ) async throws {
        try await Product.with { product in
            try await with(product, without: without, file: file, function: function) {
                try await body(product, $0)
            }
        }
    }

    /// Runs a program in the machine's place on a panel, and ends the session after the body; the panel stays.
    static func running<Value>(
        _ program: String, on panel: TouchPanel, without: String? = nil,
        surroundings: [String: String] = [:], body: (LockedSession) async throws -> Value
    ) async throws -> Value {
        try await ending(
            LockedSession(
                panel, arguments: [], without: without, program: program,
                surroundings: surroundings), by: { await $0.leave() }, after: body)
    }
}
