import Glibc
import TestSupport

/// A touch panel and the pixels that its touches change.
final class MeasuredPanel {
    let screen: XScreen
    private let panel: TouchPanel

    var display: String { panel.display }

    init() throws {
        let panel = try waitFor { try await TouchPanel() }
        self.panel = panel
        screen = try XScreen(display: panel.display)
    }

    func end() {
        let panel = panel
        try? waitFor { await panel.end() }
    }

    /// The time of each of these touches until the pixels at a place have changed.
    func touches(_ count: Int, _ x: Double, _ y: Double) throws -> BenchSamples {
        var times = BenchSamples()
        for _ in 0..<count {
            let before = try screen.pixels(x, y)
            let touched = Clock.monotonic
            try panel.finger(.down, x, y)
            times.add(try screen.wait("the pressed button", x, y) { $0 != before } - touched)
            usleep(60_000)
            // The finger is released beside all buttons, so that the touch has no effect.
            for what in [TouchPanel.Finger.moves, .up] { try panel.finger(what, 0.78, 0.97) }
            try screen.wait("the released button", x, y) { $0 == before }
            usleep(60_000)
        }
        return times
    }
}
