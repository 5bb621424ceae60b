import FoundationEssentials
import Glibc
import TestSupport

/// The session as a customer has it: X server, locked-down terminal, ticket machine, real touch events; compared with
/// the least that a browser would need, on the same screen in the same run.
enum SessionBench {
    /// Home's first button, as fractions of the screen, beside its text.
    private static let button = (x: 0.2, y: 0.4)

    static func run(_ workspace: Workspace, _ report: Report) throws {
        guard access(TouchPanel.program, X_OK) == 0 else {
            return Progress.say("no session, since \(TouchPanel.program) is not there")
        }
        let count = try workspace.options.number("touches", standard: 200)
        let startCount = try workspace.options.number("starts", standard: 5)
        let shop = try BenchShop(workspace, name: "session")
        let panel = try MeasuredPanel()
        defer { panel.end() }
        let setting = try KioskSetting(workspace, shop)
        Progress.say("session: \(startCount) starts ...")
        var starts = BenchSamples()
        var machine: RunningProgram?
        for _ in 0..<startCount {
            machine?.stopBlocking()
            // The window of the previous session may remain for a moment.
            try panel.screen.wait("the empty screen", Self.button.x, Self.button.y) {
                !isYellow($0)
            }
            let began = Clock.monotonic
            machine = try session(workspace, setting, panel)
            starts.add(
                try panel.screen.wait("Home", Self.button.x, Self.button.y, until: isYellow)
                    - began)
        }
        guard let machine else { return }
        defer { machine.stopBlocking() }
        report.time("session.home", 99, of: starts, budget: .atMost(1_500))
        Progress.say("session: \(count) touches ...")
        let touches = try panel.touches(count, button.x, button.y)
        let memory = proportionalMemory(of: machine.pid)
        machine.stopBlocking()
        try measureRepaints(workspace, setting, report)
        guard let browser = try browser(workspace, panel) else {
            report.figure("session.touch-p95", touches.milliseconds(95), "ms", budget: .atMost(5))
            return report.figure("session.memory", memory, "MiB", budget: .atMost(60))
        }
        defer { browser.stopBlocking() }
        Progress.say("browser: \(count) touches ...")
        let peer = try panel.touches(count, button.x, button.y)
        report.times(
            "session.touch", of: touches, [50, 95], floor: ("a page of one button", peer),
            budget: .atMost(5))
        report.figure(
            "session.touch-of-browser", touches.milliseconds(95) / peer.milliseconds(95), "times",
            budget: .atMost(0.6))
        report.figure(
            "session.memory", memory, "MiB",
            floor: Floor("the browser's", proportionalMemory(of: browser.pid)),
            budget: .atMost(60))
    }

    /// On a large panel, the time of a tap on *Contrast* until everything is black on white, or as before.
    private static func measureRepaints(
        _ workspace: Workspace, _ setting: KioskSetting, _ report: Report
    ) throws {
        let panel = try MeasuredPanel(width: 1920, height: 1080)
        defer { panel.end() }
        let machine = try session(workspace, setting, panel, millimetres: "476x268")
        defer { machine.stopBlocking() }
        try panel.screen.wait("Home", button.x, button.y, until: isYellow)
        usleep(500_000)
        Progress.say("session: \(repaintCount) repaints of 1920x1080 ...")
        let repaints = try panel.repaints(repaintCount, tapping: letters.x, letters.y)
        report.times("session.repaint", of: repaints, [50, 95], budget: .atMost(16))
    }

    /// The button for larger letters and contrast in the foot line of a panel of 1920x1080.
    private static let letters = (x: 0.37, y: 0.944)
    private static let repaintCount = 60

    /// Whether all pixels have the yellow that on Home only the button of an available service has; the terminal draws
    /// one line after the other.
    private static func isYellow(_ pixels: [UInt8]) -> Bool {
        stride(from: 0, to: pixels.count, by: 4).allSatisfy {
            pixels[$0 + 2] == 255 && pixels[$0] < 100
        }
    }

    /// Starts the session in the same way as its unit.
    private static func session(
        _ workspace: Workspace, _ setting: KioskSetting, _ panel: MeasuredPanel,
        millimetres: String = "217x136"
    ) throws -> RunningProgram {
        let scripts = Tool.repository.appending(path: "Kiosk/session.d").path
        let files = FileManager.default
        let share = "\(workspace.directory)/share"
        let run = "\(workspace.directory)/run"
        if !files.fileExists(atPath: share) {
            for folder in [share, run] {
                try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            try files.createSymbolicLink(
                atPath: "\(share)/session", withDestinationPath: scripts)
            try files.createSymbolicLink(
                atPath: "\(share)/Font",
                withDestinationPath: Tool.repository.appending(path: "Assets/Font").path)
        }
        return try Tool.start(
            "env",
            [
                "DISPLAY=\(panel.display)", "CLUP_SHARE=\(share)", "CLUP_RUN=\(run)",
                "CLUP_PROGRAM=\(setting.program)", "CLUP_MILLIMETRES=\(millimetres)",
                "HOME=\(workspace.directory)", "\(scripts)/kiosk-session",
            ] + setting.arguments.dropFirst(), streams: .quiet)
    }

    /// Chromium with one page that consists of one button; nil if there is no Chromium.
    private static func browser(
        _ workspace: Workspace, _ panel: MeasuredPanel
    ) throws -> RunningProgram? {
        guard access("/usr/bin/chromium", X_OK) == 0 else {
            Progress.say("no browser, since /usr/bin/chromium is not there")
            return nil
        }
        let page = "\(workspace.directory)/page.html"
        try Data(
            """
            <!doctype html><body style="margin:0"><button
            style="position:fixed;inset:0;width:100%;height:100%;border:0;touch-action:none;
            background:#4080c0"
            onpointerdown="this.style.background='#ff0000'"
            onpointercancel="this.onpointerup()"
            onpointerup="this.style.background='#4080c0'"></button>
            """.utf8
        ).write(to: URL(filePath: page))
        let browser = try Tool.start(
            "env",
            [
                "DISPLAY=\(panel.display)", "HOME=\(workspace.directory)", "chromium", "--kiosk",
                "--app=file://\(page)", "--user-data-dir=\(workspace.directory)/browser",
                "--window-position=0,0", "--window-size=1280,800", "--no-first-run",
                "--no-default-browser-check", "--noerrdialogs", "--disable-breakpad",
                "--disable-component-update", "--disable-pinch",
            ] + (getuid() == 0 ? ["--no-sandbox"] : []),
            streams: .output(STDERR_FILENO, errors: "/dev/null"))
        try panel.screen.wait("the browser's page", button.x, button.y, seconds: 90) {
            Array($0[0..<3]) == [0xC0, 0x80, 0x40]
        }
        // Chromium has more to do after its first picture.
        sleep(5)
        return browser
    }

    /// Proportional set size of a process and its descendants, in MiB (proc(5), smaps_rollup).
    private static func proportionalMemory(of pid: pid_t) -> Double {
        func text(_ name: String, of pid: pid_t) -> String {
            (FileManager.default.contents(atPath: "/proc/\(pid)/\(name)")).map {
                String(decoding: $0, as: UTF8.self)
            } ?? ""
        }
        var all = 0.0
        var open = [pid]
        while let pid = open.popLast() {
            let line = text("smaps_rollup", of: pid).split(separator: "\n")
                .first { $0.hasPrefix("Pss:") }
            all += line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
            open += text("task/\(pid)/children", of: pid).split(separator: " ").compactMap {
                pid_t($0)
            }
        }
        return all / 1_024
    }
}
