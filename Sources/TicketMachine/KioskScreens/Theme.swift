import KioskFlow
public import TerminalSurface

/// The colours of all screens; every text keeps 4.5:1 on its ground, every block 3:1 on the screen
/// (WCAG 2.2, 1.4.3 and 1.4.11).
public struct Theme: Hashable, Sendable {
    /// Text on the screen itself, and the screen's ground.
    public var screen: Style
    /// Text that helps but is not needed.
    public var soft: Style
    /// A warning that a customer must not overlook; its words say so too, never the colour alone.
    public var warning: Style
    /// Shop and clock at the top.
    public var header: Style
    /// The button that most people want.
    public var main: Style
    /// Every other button.
    public var quiet: Style
    /// A button under a finger.
    public var pressed: Style

    /// Text that says what the customer can do now, in the colour of the main button if that can be read.
    var accent: Style {
        let colour = main.background
        let isReadable = colour.contrast(with: screen.background) >= Self.minTextContrast
        return Style(
            isReadable ? colour : screen.foreground, on: screen.background, bold: true)
    }

    /// The light of a part that works, green; its shape says so too.
    var good: Style {
        let shades = [Colour(0x6FCF97), Colour(0x1B6E2D)]
        let shade = shades.max {
            $0.contrast(with: screen.background) < $1.contrast(with: screen.background)
        }
        return Style(shade ?? screen.foreground, on: screen.background)
    }

    /// White on graphite, the main button amber: readable in the sun and at night.
    public static let dark = Theme(
        screen: Style(.white, on: graphite), soft: Style(Colour(0xB8C2D0), on: graphite),
        warning: Style(Colour(0xFF9C85), on: graphite, bold: true),
        header: Style(Colour(0xDCE3EC), on: graphite), main: Style(graphite, on: Colour(0xFFC933)),
        quiet: Style(.white, on: Colour(0x5B6980)), pressed: Style(graphite, on: .white))

    private static let graphite = Colour(0x15171C)

    /// Black on white, the main button blue.
    public static let light = Theme(
        screen: Style(.black, on: .white), soft: Style(Colour(0x3A3A3A), on: .white),
        warning: Style(Colour(0x9A1B00), on: .white, bold: true),
        header: Style(.white, on: Colour(0x1B3A6B)), main: Style(.white, on: Colour(0x0047AB)),
        quiet: Style(.black, on: Colour(0x8A94A3)), pressed: Style(.white, on: .black))
}

/// The themes of a machine: the one that every customer finds first, and its reverse.
public struct Themes: Hashable, Sendable {
    public var normal: Theme
    public var inverted: Theme

    /// The themes that come with the program.
    public static let standard = Themes(normal: .dark, inverted: .light)

    /// - Parameter isLight: whether every customer finds the reverse first.
    func theme(for appearance: Appearance, isLight: Bool = false) -> Theme {
        let (normal, inverted) = isLight ? (inverted, normal) : (normal, inverted)
        return switch appearance {
        case .normal: normal
        case .large: normal.emphasized
        case .inverted: inverted.emphasized
        }
    }
}
