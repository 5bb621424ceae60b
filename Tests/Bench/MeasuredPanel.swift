import Glibc
import TestSupport

/// A touch panel and the pixels that its touches change.
final class MeasuredPanel {
    let screen: XScreen
    private let panel: TouchPanel

    var display: String { panel.display }

    init(width: Int = 1280, height: Int = 800) throws {
        let panel = try waitFor { try await TouchPanel(width: width, height: height) }
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

    /// The time of each of these taps until the last row of the screen has another ground, as when everything is painted
    /// again in other colours. A tap after which it has not is not counted.
    func repaints(_ count: Int, tapping x: Double, _ y: Double) throws -> BenchSamples {
        var times = BenchSamples()
        // Two of three taps change the ground.
        var taps = 0
        while times.count < count {
            taps += 1
            guard taps <= 3 * count else { throw BenchError("the screen is not painted again") }
            let before = try screen.pixels(Self.lastCell.x, Self.lastCell.y)
            try panel.finger(.down, x, y)
            usleep(60_000)
            let lifted = Clock.monotonic
            try panel.finger(.up, x, y)
            let limit = lifted + 300_000_000
            while Clock.monotonic < limit {
                guard try screen.pixels(Self.lastCell.x, Self.lastCell.y) == before else {
                    times.add(Clock.monotonic - lifted)
                    break
                }
            }
            // A touch sooner after a new screen is taken for a double tap.
            usleep(450_000)
        }
        return times
    }

    /// A place in the last cell of the screen, which no button takes.
    private static let lastCell = (x: 0.994, y: 0.99)
}
