import Glibc
import KioskScreens
import TerminalSurface

/// `panel`: reads what `xrandr` says of the screen and prints the letters for it, for the session.
enum PanelCommand {
    /// Where the session keeps what it has chosen, for `doctor`.
    static let kept = "/run/clup-kiosk/panel"

    /// Prints `name = value` lines; takes no settings.
    static func run(_ words: [String]) throws {
        guard words.isEmpty else {
            throw Configuration.Malformed(
                description: "panel takes nothing but what xrandr says: xrandr | clup-kiosk panel")
        }
        var text = ""
        // xrandr says some kilobytes; what is longer is something else.
        while text.utf8.count < 1 << 20, let line = readLine(strippingNewline: false) {
            text += line
        }
        guard let panel = Panel(xrandr: text) else {
            throw Configuration.Malformed(
                description: "xrandr names no screen that is connected and switched on.")
        }
        guard let letters = PanelLetters(panel, coarsest: Screens.smallest) else {
            throw Configuration.Malformed(
                description: "\(panel.width) x \(panel.height) pixels have no room for "
                    + "\(Screens.smallest.columns) x \(Screens.smallest.rows) letters.")
        }
        print("pixel-size = \(letters.pixelSize)")
        print("columns = \(letters.grid.columns)")
        print("rows = \(letters.grid.rows)")
        print("left = \(letters.left)")
        print("top = \(letters.top)")
        if let height = letters.capitalHeight, let distance = letters.readingDistance {
            print("capital-height = \(height / 10).\(height % 10)")
            print("reading-distance = \(distance)")
        }
    }
}
