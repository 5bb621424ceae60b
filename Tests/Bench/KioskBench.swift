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

    private struct Repeats {
        let starts: Int
        let touches: Int?
        let taps: Int
        let confirmations: Int
        let idle: Int

        init(_ options: Options) throws {
            starts = try options.number("starts", standard: 20)
            touches = options.has("touches") ? try options.number("touches", standard: 1) : nil
            taps = try options.number("taps", standard: 100)
            confirmations = try options.number("confirmations", standard: 60)
            idle = try options.number("idle", standard: 20)
        }
    }

    static func run(_ options: Options, _ report: Report) throws {
        let repeats = try Repeats(options)
        let workspace = try Workspace(options)
        defer { workspace.remove() }
        let shop = try BenchShop(workspace, name: "kiosk")
        defer { shop.end() }
        let printer = try BenchPrinter(options)
        defer { printer?.end() }
        let setting = try KioskSetting(
            workspace, shop, options,
            printer: printer?.arguments ?? [])
        var syncs = [
            try workspace.fdatasync(files: 1, times: 300),
            try workspace.fdatasync(files: 3, times: 300),
        ]
        let wanted = options.text("grid")
        guard wanted == nil || grids.contains(where: { $0.name == wanted }) else {
            throw BenchError.usage("--grid is 80x24 or 160x50")
        }
        for grid in grids where wanted == nil || grid.name == wanted {
            Progress.say("kiosk \(grid.name): \(repeats.starts) starts ...")
            try measureStarts(setting, grid, repeats, report)
            let session = try setting.start(grid)
            defer { session.terminal.end() }
            try session.home()
            let memory = session.terminal.process.peakMemory
            try measureTouches(session, grid, repeats, report)
            try measureTickets(session, grid, repeats, &syncs, report)
            if grid.name == wanted ?? grids[0].name {
                try measureIdle(session, repeats, report)
            }
            report.figure(
                "kiosk.memory.\(grid.name)", session.terminal.process.peakMemory, "MiB",
                floor: Floor("the same before its first touch", memory), budget: .atMost(40))
            session.terminal.end()
        }
    }

    private static func measureStarts(
        _ setting: KioskSetting, _ grid: Grid, _ repeats: Repeats, _ report: Report
    ) throws {
        var first = BenchSamples()
        var ready = BenchSamples()
        var floor = BenchSamples()
        for _ in 0..<repeats.starts {
            let session = try setting.start(grid)
            first.add(try session.firstFrame())
            ready.add(try session.home())
            session.terminal.end()
            let bare = try PseudoTerminal(
                "tput", ["clear"], columns: grid.columns, rows: grid.rows)
            floor.add(try bare.waitForOutput("tput's output") - bare.started)
        }
        report.figure(
            "kiosk.first-frame.\(grid.name)", first.milliseconds(99), "ms",
            floor: Floor("tput clear", floor.milliseconds(99)), budget: .atMost(150),
            n: first.count)
        report.figure(
            "kiosk.ready.\(grid.name)", ready.milliseconds(50), "ms",
            floor: Floor("tput clear", floor.milliseconds(50)), n: ready.count)
    }

    private static func measureTouches(
        _ session: KioskSession, _ grid: Grid, _ repeats: Repeats, _ report: Report
    ) throws {
        let count = repeats.touches ?? (grid.columns == grids[0].columns ? 300 : 200)
        Progress.say("kiosk \(grid.name): \(count) touches, \(repeats.taps) taps ...")
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
        printFigures("touch", touches, grid, "cat's echo, raw", echo, .atMost(5), report)
        printFigures("touch-cpu", work, grid, "cat's echo, CPU time", echoWork, .atMost(5), report)
        var taps = BenchSamples()
        while taps.count < repeats.taps {
            for time in try session.visitLanguages() { taps.add(time) }
        }
        printFigures("tap", taps, grid, "cat's echo, raw", echo, .atMost(5), report)
    }

    private static func measureTickets(
        _ session: KioskSession, _ grid: Grid, _ repeats: Repeats, _ syncs: inout [BenchSamples],
        _ report: Report
    ) throws {
        Progress.say("kiosk \(grid.name): \(repeats.confirmations) tickets ...")
        var offers = BenchSamples()
        var numbers = BenchSamples()
        for _ in 0..<repeats.confirmations {
            let times = try session.takeTicket()
            offers.add(times.offer)
            numbers.add(times.number)
        }
        printFigures("offer", offers, grid, "1 fdatasync", syncs[0], nil, report)
        printFigures("confirm", numbers, grid, "3 fdatasync", syncs[1], .atMost(60), report)
        // Each deletion takes a ticket first.
        let count = max(1, repeats.confirmations / 3)
        Progress.say("kiosk \(grid.name): \(count) deletions ...")
        var deletions = BenchSamples()
        for _ in 0..<count { deletions.add(try session.deleteTicket()) }
        printFigures("delete", deletions, grid, "1 fdatasync", syncs[0], .atMost(60), report)
    }

    /// Reports the p50, and the p99 with its budget.
    private static func printFigures(
        _ name: String, _ measured: BenchSamples, _ grid: Grid, _ what: String,
        _ floor: BenchSamples,
        _ budget: Budget?, _ report: Report
    ) {
        var measured = measured
        var floor = floor
        for percent in [50.0, 99.0] {
            report.figure(
                "kiosk.\(name)-p\(Int(percent)).\(grid.name)", measured.milliseconds(percent),
                "ms", floor: Floor(what, floor.milliseconds(percent)),
                budget: percent == 99 ? budget : nil, n: measured.count)
        }
    }

    private static func measureIdle(
        _ session: KioskSession, _ repeats: Repeats, _ report: Report
    ) throws {
        Progress.say("kiosk: idle for \(repeats.idle) s ...")
        // The last ticket has been printed by then.
        session.terminal.rest(milliseconds: 6_000)
        let waking = try Tool.start(Workspace.executable, [wakingCommand], streams: .quiet)
        session.terminal.rest(milliseconds: 500)
        let start = Clock.monotonic
        let used = (kiosk: session.terminal.process.cpuNanoseconds, waking: waking.cpuNanoseconds)
        session.terminal.rest(milliseconds: Int64(repeats.idle) * 1_000)
        let wall = Double(Clock.monotonic - start)
        report.figure(
            "kiosk.idle", Double(session.terminal.process.cpuNanoseconds - used.kiosk) / wall * 100,
            "%",
            floor: Floor(
                "waking once a second", Double(waking.cpuNanoseconds - used.waking) / wall * 100),
            budget: .atMost(0.5), n: repeats.idle)
        waking.stopBlocking()
    }
}
