import CommandSyntax
import Glibc
import KioskScreens
import TerminalSurface

/// `panel`: reads the screen's data from `xrandr` and prints the font sizes for it, for the session.
enum PanelCommand {
    /// The file with the session's choice, for `doctor`.
    static let kept = "/run/clup-kiosk/panel"

    /// Prints `name = value` lines; takes millimetres, as 217x136, if the screen reports none or wrong ones.
    static func run(_ millimetres: String?) throws {
        var measured: (across: Int, down: Int)?
        if let millimetres { measured = try size(millimetres) }
        var text = ""
        // xrandr prints some kilobytes; longer input comes from another program.
        while text.utf8.count < 1 << 20, let line = readLine(strippingNewline: false) {
            text += line
        }
        guard var panel = Panel(xrandr: text) else {
            throw CommandError.failure("xrandr names no screen that is connected and switched on.")
        }
        if let measured {
            panel = Panel(width: panel.width, height: panel.height, millimetres: measured)
        }
        guard let letters = PanelFont(panel, coarsest: Screens.smallest) else {
            throw CommandError.failure(
                "\(panel.width) x \(panel.height) pixels have no room for "
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
            for size in TypeSize.allCases where size != .text {
                guard let height = letters.capitalHeight(size) else { continue }
                print("\(size.rawValue)-height = \(height / 10).\(height % 10)")
            }
        }
    }

    static func size(_ text: String) throws -> (across: Int, down: Int) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let across = sides[0], let down = sides[1],
            (1...10_000).contains(across), (1...10_000).contains(down)
        else {
            throw CommandError.usage(
                "A screen's millimetres are given as 217x136, not \"\(text)\".")
        }
        return (across, down)
    }
}
