// The clock of a page, so that a test need not wait.
extension Browser {
    /// Lets this many seconds pass for all timers and clocks of this window, as fast as their work is done; then the
    /// window's time stops. (Chrome DevTools Protocol, Emulation.setVirtualTimePolicy.)
    public func pass(seconds: Int) async throws {
        let end = Double(seconds * 1_000 - 1)
        try await run("window.passed = performance.now()")
        try await devTools(
            "Emulation.setVirtualTimePolicy",
            ["policy": "advance", "budget": seconds * 1_000])
        // The work of an hour's timers takes some seconds, on a busy computer minutes.
        let isOver = await patiently(.seconds(240)) {
            try await Double(value("performance.now() - window.passed")).map { $0 >= end } == true
        }
        guard isOver else { throw TestSupportError("\(seconds) seconds do not pass in the page") }
    }
}

// Several windows of one browser share keys, as those of a display's computer do.
extension Browser {
    /// The window that all commands go to.
    public func window() async throws -> String {
        guard let handle = try await command("window", nil) as? String else {
            throw TestSupportError("no window")
        }
        return handle
    }

    /// All windows.
    func windows() async throws -> [String] {
        try await command("window/handles", nil) as? [String] ?? []
    }

    /// Opens one more window, and sends all commands to it.
    public func openWindow() async throws -> String {
        let made = try await command("window/new", ["type": "window"]) as? [String: Any]
        guard let handle = made?["handle"] as? String else {
            throw TestSupportError("no new window")
        }
        try await turn(to: handle)
        return handle
    }

    /// Sends all commands to a window.
    public func turn(to handle: String) async throws {
        try await command("window", ["handle": handle])
    }

    /// Closes the window that commands go to; then a test must turn to another one.
    public func closeWindow() async throws {
        try await command("window", nil, method: "DELETE")
    }
}
