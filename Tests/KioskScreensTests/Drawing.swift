import KioskScreens
import TerminalSurface

/// A surface as text, so that expected screens can be read and compared: the screen's background is blank, the main
/// button "░", the others "▒", the top band "▔", white "█".
func drawing(_ surface: Surface, _ theme: Theme) -> String {
    (0..<surface.size.rows).map { row in
        var line = ""
        for column in 0..<surface.size.columns {
            let cell = surface[row, column]
            switch cell.text {
            case "": continue
            case " ": line += shade(cell.style.background, theme)
            case "▄": line += half(cell.style, theme)
            default: line += cell.text
            }
        }
        return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n") + "\n"
}

private func shade(_ ground: Colour, _ theme: Theme) -> String {
    switch ground {
    case theme.screen.background: " "
    case theme.main.background: "░"
    case theme.quiet.background: "▒"
    case theme.header.background: "▔"
    default: "█"
    }
}

/// Half blocks as they appear: the brighter half on the screen, the darker one on a button.
private func half(_ style: Style, _ theme: Theme) -> String {
    let ink =
        [theme.main, theme.quiet].contains { $0.background == style.background }
        || [theme.main, theme.quiet].contains { $0.background == style.foreground }
    let lowerIsInk =
        ink
        ? ![theme.main.background, theme.quiet.background].contains(style.foreground)
        : style.foreground.luminance > style.background.luminance
    return lowerIsInk ? "▄" : "▀"
}
