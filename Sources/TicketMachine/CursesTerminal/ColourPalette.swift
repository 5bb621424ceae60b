import CNcurses
import TerminalSurface

/// Maps the styles of a surface to a terminal's colours and pairs, within the terminal's limits. A text never gets
/// the colour of its ground.
struct ColourPalette {
    /// 0 if the terminal has no colours.
    private(set) var colours = 0
    private var pairsThere = 0
    private var canChange = false
    private var indexes: [Colour: Int] = [:]
    private var taken: Set<Int> = []
    private var pairs: [Pair: Int32] = [:]
    /// A cache, because every run of cells asks for its style's attributes.
    private var known: [Style: (attr_t, Int32)] = [:]

    private struct Pair: Hashable {
        let foreground: Int
        let background: Int
    }

    /// Makes the palette; to be called after ncurses has started.
    static func started() -> ColourPalette {
        var inks = ColourPalette()
        guard has_colors(), start_color() == OK else { return inks }
        inks.colours = Int(clup_colours())
        inks.pairsThere = Int(clup_pairs())
        // With few colours, changing one would change other styles that share it.
        inks.canChange = inks.colours >= 256 && can_change_color()
        return inks
    }

    /// Attributes and colour pair of a style.
    ///
    /// Without colours, a text darker than its ground is shown reversed, because such terminals are light on dark.
    mutating func attributes(of style: Style) -> (attr_t, Int32) {
        if let attributes = known[style] { return attributes }
        let attributes = chosenAttributes(of: style)
        // A theme has about twenty styles.
        if known.count < 256 { known[style] = attributes }
        return attributes
    }

    private mutating func chosenAttributes(of style: Style) -> (attr_t, Int32) {
        let bold = style.bold ? clup_bold : 0
        let isInverse = style.background.luminance > style.foreground.luminance
        let plain: (attr_t, Int32) = (bold | (isInverse ? clup_reverse : 0), 0)
        guard colours >= 8 else { return plain }
        let background = index(of: style.background)
        let foreground = readable(index(of: style.foreground), on: background)
        // Bold makes the first eight colours brighter: black would become grey.
        let weight = colours < 256 && foreground == 0 ? 0 : bold
        let pair = Pair(foreground: foreground, background: background)
        if let known = pairs[pair] { return (weight, known) }
        let next = pairs.count + 1
        // A theme has about twenty styles; a terminal of 8 colours has 64 pairs.
        guard next < min(pairsThere, 4_096),
            init_extended_pair(Int32(next), Int32(foreground), Int32(background)) == OK
        else { return plain }
        pairs[pair] = Int32(next)
        return (weight, Int32(next))
    }

    /// The foreground, or black or white if the foreground could not be read: with 8 colours, even a readable style
    /// may get two similar colours.
    private func readable(_ foreground: Int, on background: Int) -> Int {
        let ground = XtermPalette.colour(background, of: colours)
        let ink = XtermPalette.colour(foreground, of: colours)
        // 3:1 is the least contrast for large text (WCAG 2.2, 1.4.3); with 256 colours the themes ensure it.
        guard foreground == background || colours < 256 && ink.contrast(with: ground) < 3 else {
            return foreground
        }
        let isDark = ground.contrast(with: .white) > ground.contrast(with: .black)
        return XtermPalette.nearest(to: isDark ? .white : .black, of: colours) { _ in false }
    }

    /// The index of the terminal's nearest colour, which is made exact if the terminal can change it; a terminal that
    /// ignores the change still shows the nearest colour.
    private mutating func index(of colour: Colour) -> Int {
        if let known = indexes[colour] { return known }
        var index = XtermPalette.nearest(to: colour, of: colours) { _ in false }
        if canChange, XtermPalette.colour(index, of: colours) != colour {
            index = XtermPalette.nearest(to: colour, of: colours) { taken.contains($0) }
            func thousandths(_ channel: UInt8) -> Int32 { Int32(channel) * 1_000 / 255 }
            init_extended_color(
                Int32(index), thousandths(colour.red), thousandths(colour.green),
                thousandths(colour.blue))
        }
        taken.insert(index)
        // Themes have few colours; if there are many, the nearest colour is computed each time.
        if indexes.count < 200 { indexes[colour] = index }
        return index
    }
}
