import Glibc

/// The time until the kiosk is back after a crash, and until it shows that the backend is gone and serves again.
enum FaultBench {
    private static let grid = Grid(columns: 80, rows: 24)
    private static let nothingChanged = "Nothing has changed"
    private static let outOfService = "This machine cannot give tickets just now."

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let times = try workspace.options.number("faults", standard: 10)
        let shop = try BenchShop(workspace, name: "faults")
        let setting = try KioskSetting(workspace, shop)
        Progress.say("faults: \(times) kills, outages and silences ...")
        try measureKills(setting, times, report)
        let session = try setting.start(grid)
        try session.home()
        for fault in Fault.allCases { try measure(fault, session, shop, times, report) }
    }

    /// The time from kill -9 at Home until Home is shown again, without the time that the supervisor takes to start it.
    private static func measureKills(
        _ setting: KioskSetting, _ times: Int, _ report: Report
    ) throws {
        var samples = BenchSamples()
        for _ in 0..<times {
            let session = try setting.start(grid)
            try session.home()
            let killed = Clock.monotonic
            session.terminal.process.stopBlocking(SIGKILL)
            let next = try setting.start(grid)
            let home = try next.home() + next.terminal.started
            samples.add(home - killed)
            next.terminal.end()
        }
        report.time("kiosk.back-after-kill", 99, of: samples, budget: .atMost(1_000))
    }

    private enum Fault: String, CaseIterable {
        /// No process listens at its address.
        case killed
        /// It accepts connections and answers nothing (SIGSTOP).
        case silent
    }

    private static func measure(
        _ fault: Fault, _ session: KioskSession, _ shop: BenchShop, _ times: Int, _ report: Report
    ) throws {
        var touched = BenchSamples()
        var noticed = BenchSamples()
        var back = BenchSamples()
        for round in 0..<times {
            // The fault begins at a varying moment between two polls.
            session.terminal.rest(milliseconds: 1_000 + Int64(round * 397 % 4_000))
            func breakDown() {
                switch fault {
                case .killed: shop.process.stopBlocking(SIGKILL)
                case .silent: kill(shop.process.pid, SIGSTOP)
                }
            }
            if round.isMultiple(of: 2) {
                breakDown()
                let asked = try session.askForTicket()
                touched.add(
                    try session.terminal.wait("the message") { $0.shows(nothingChanged) } - asked)
                session.rest()
                try session.touchDone()
                _ = try session.terminal.wait("out of service") { $0.shows(outOfService) }
            } else {
                let gone = Clock.monotonic
                breakDown()
                noticed.add(
                    try session.terminal.wait("out of service") { $0.shows(outOfService) } - gone)
            }
            session.terminal.rest(milliseconds: 3_000 + Int64(round * 611 % 2_500))
            switch fault {
            case .killed: try shop.restart()
            case .silent: kill(shop.process.pid, SIGCONT)
            }
            let there = Clock.monotonic
            back.add(try session.home() + session.terminal.started - there)
        }
        let name = "kiosk.backend-\(fault.rawValue)"
        // Ticket and visit are asked for during 9 s if the connection is accepted (rules: time-outs).
        report.time(
            "\(name).message", 99, of: touched,
            budget: .atMost(fault == .killed ? 3_000 : 9_500))
        report.time("\(name).noticed", 99, of: noticed)
        report.time("\(name).service", 99, of: back, budget: .atMost(5_000))
    }
}
