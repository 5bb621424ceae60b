import FoundationEssentials
import Glibc
import TestSupport

/// The real kiosk in a terminal, against its own backend and, if there is one, a printer.
enum KioskBench {
    /// A process of this program that only wakes up: the least that idling costs.
    static let wakingCommand = "wake-once-a-second"

    private static let grids = [Grid(columns: 80, rows: 24), Grid(columns: 160, rows: 50)]

    static func wakeOnceASecond() -> Never {
        while true { sleep(1) }
    }

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let options = workspace.options
        let starts = try options.number("starts", standard: 20)
        let idle = try options.number("idle", standard: 20)
        let shop = try BenchShop(workspace, name: "kiosk")
        let printer = try BenchPrinter(workspace)
        let setting = try KioskSetting(workspace, shop, printer: printer?.arguments ?? [])
        let syncs = [
            try workspace.fdatasync(files: 1, times: 300),
            try workspace.fdatasync(files: 3, times: 300),
        ]
        let wanted = options.text("grid")
        guard wanted == nil || grids.contains(where: { $0.name == wanted }) else {
            throw BenchError.usage("--grid is 80x24 or 160x50")
        }
        for grid in grids where wanted == nil || grid.name == wanted {
            Progress.say("kiosk \(grid.name): \(starts) starts ...")
            try measureStarts(setting, grid, starts, report)
            let session = try setting.start(grid)
            try session.home()
            let memory = session.terminal.process.peakMemory
            try measureTouches(session, grid, options, report)
            try measureTickets(session, grid, options, syncs, report)
            if grid.name == wanted ?? grids[0].name {
                try measureIdle(session, seconds: idle, report)
            }
            report.figure(
                "kiosk.memory.\(grid.name)", session.terminal.process.peakMemory, "MiB",
                floor: Floor("the same before its first touch", memory), budget: .atMost(40))
            session.terminal.end()
        }
    }

    private static func measureStarts(
        _ setting: KioskSetting, _ grid: Grid, _ starts: Int, _ report: Report
    ) throws {
        var first = BenchSamples()
        var ready = BenchSamples()
        var floor = BenchSamples()
        for _ in 0..<starts {
            let session = try setting.start(grid)
            first.add(try session.firstFrame())
            ready.add(try session.home())
            session.terminal.end()
            let bare = try PseudoTerminal(
                "tput", ["clear"], columns: grid.columns, rows: grid.rows)
            floor.add(try bare.waitForOutput("tput's output") - bare.started)
        }
        report.time(
            "kiosk.first-frame.\(grid.name)", 99, of: first, floor: ("tput clear", floor),
            budget: .atMost(150))
        report.time(
            "kiosk.ready.\(grid.name)", 50, of: ready, floor: ("tput clear", floor))
    }

    private static func measureTouches(
        _ session: KioskSession, _ grid: Grid, _ options: Options, _ report: Report
    ) throws {
        let count = try options.number(
            "touches", standard: grid.columns == grids[0].columns ? 300 : 200)
        let tapCount = try options.number("taps", standard: 100)
        Progress.say("kiosk \(grid.name): \(count) touches, \(tapCount) taps ...")
        let bare = try PseudoTerminal(
            "cat", [], columns: grid.columns, rows: grid.rows, isRaw: true)
        bare.rest(milliseconds: 100)
        var echo = BenchSamples()
        var echoWork = BenchSamples()
        for _ in 0..<count {
            let used = bare.process.cpuNanoseconds
            let typed = try bare.type("x")
            echo.add(try bare.waitForOutput("cat's echo", quiet: 1) - typed)
            echoWork.add(bare.process.cpuNanoseconds - used)
            bare.rest(milliseconds: 10)
        }
        var touches = BenchSamples()
        var work = BenchSamples()
        for _ in 0..<count {
            let times = try session.press()
            touches.add(times.wall)
            work.add(times.cpu)
        }
        report.times(
            "kiosk.touch", of: touches, suffix: ".\(grid.name)", floor: ("cat's echo, raw", echo),
            budget: .atMost(5))
        report.times(
            "kiosk.touch-cpu", of: work, suffix: ".\(grid.name)",
            floor: ("cat's echo, CPU time", echoWork), budget: .atMost(5))
        var taps = BenchSamples()
        while taps.count < tapCount {
            for time in try session.visitLanguages() { taps.add(time) }
        }
        report.times(
            "kiosk.tap", of: taps, suffix: ".\(grid.name)", floor: ("cat's echo, raw", echo),
            budget: .atMost(5))
    }

    private static func measureTickets(
        _ session: KioskSession, _ grid: Grid, _ options: Options, _ syncs: [BenchSamples],
        _ report: Report
    ) throws {
        let confirmations = try options.number("confirmations", standard: 60)
        Progress.say("kiosk \(grid.name): \(confirmations) tickets ...")
        var offers = BenchSamples()
        var numbers = BenchSamples()
        for _ in 0..<confirmations {
            let times = try session.takeTicket()
            offers.add(times.offer)
            numbers.add(times.number)
        }
        report.times(
            "kiosk.offer", of: offers, suffix: ".\(grid.name)", floor: ("1 fdatasync", syncs[0]))
        report.times(
            "kiosk.confirm", of: numbers, suffix: ".\(grid.name)", floor: ("3 fdatasync", syncs[1]),
            budget: .atMost(60))
        // Each deletion takes a ticket first.
        let count = max(1, confirmations / 3)
        Progress.say("kiosk \(grid.name): \(count) deletions ...")
        var deletions = BenchSamples()
        for _ in 0..<count { deletions.add(try session.deleteTicket()) }
        report.times(
            "kiosk.delete", of: deletions, suffix: ".\(grid.name)",
            floor: ("1 fdatasync", syncs[0]), budget: .atMost(60))
    }

    private static func measureIdle(
        _ session: KioskSession, seconds: Int, _ report: Report
    ) throws {
        Progress.say("kiosk: idle for \(seconds) s ...")
        // The last ticket has been printed by then.
        session.terminal.rest(milliseconds: 6_000)
        let waking = try Tool.start(Workspace.executable, [wakingCommand], streams: .quiet)
        session.terminal.rest(milliseconds: 500)
        let start = Clock.monotonic
        let used = (kiosk: session.terminal.process.cpuNanoseconds, waking: waking.cpuNanoseconds)
        session.terminal.rest(milliseconds: Int64(seconds) * 1_000)
        let wall = Double(Clock.monotonic - start)
        report.figure(
            "kiosk.idle", Double(session.terminal.process.cpuNanoseconds - used.kiosk) / wall * 100,
            "%",
            floor: Floor(
                "waking once a second", Double(waking.cpuNanoseconds - used.waking) / wall * 100),
            budget: .atMost(0.5), n: seconds)
        waking.stopBlocking()
    }
}
