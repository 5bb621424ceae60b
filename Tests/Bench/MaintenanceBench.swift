import TestSupport

/// Maintenance mode in the case that needs it: the printer and the backend exist and do not answer.
enum MaintenanceBench {
    private static let pin = "530917"
    private static let name = "Giulia"

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let program = try workspace.program("clup-kiosk")
        let state = "\(workspace.directory)/care"
        // They take connections and never answer: the kernel's queues of listeners from which no process accepts.
        let (backend, printer) = (try ReservedPort(), try ReservedPort())
        try backend.listen()
        try printer.listen()
        try Tool.succeedBlocking(program, ["enrol", "--state", state])
        try Tool.succeedBlocking(
            "/bin/sh",
            [
                "-c", #"printf '%s\n' "$3" | "$0" staff add "$2" --role manager --state "$1""#,
                program, state, name, pin,
            ])
        let session = try PseudoTerminal(
            program,
            [
                "run", "--state", state, "--languages", "en", "--printer", "Receipt",
                "--backend", "http://\(backend.address)",
                "--cups", printer.address,
                "--assets", workspace.assets,
            ], columns: 80, rows: 25)
        var complete = BenchSamples()
        _ = try session.wait("the first screen") { $0.shows("Language") || $0.shows("N1") }
        for round in 0..<5 {
            Progress.say("care: overview \(round + 1) of 5 ...")
            // F10, as a terminal sends it (terminfo(5), kf10 of xterm).
            _ = try session.type("\u{1B}[21~")
            _ = try session.wait("the PIN's screen") { $0.shows("type your PIN") }
            session.rest(milliseconds: 500)
            // The digits come one after the other: keys that come at once are taken for a code reader's.
            for digit in pin {
                _ = try session.type(String(digit))
                session.rest(milliseconds: 100)
            }
            let entered = try session.type("\r")
            let shown = try session.wait("the overview", seconds: 20) {
                $0.shows(name) && !$0.shows("checking")
            }
            complete.add(shown - entered)
            session.rest(milliseconds: 500)
            _ = try session.type("\u{1B}")
            _ = try session.wait("the customers' screen") { !$0.shows(name) }
            session.rest(milliseconds: 500)
        }
        withExtendedLifetime((backend, printer)) {}
        report.time("care.overview", 99, of: complete, budget: .atMost(2_000))
    }
}
