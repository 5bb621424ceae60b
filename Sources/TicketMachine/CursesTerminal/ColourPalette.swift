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

/// The default colours of terminals, as xterm defines them (256colres.h; console_codes(4) for the first 8).
enum XtermPalette {
    private static let first: [Colour] = [
        Colour(0x000000), Colour(0xCD0000), Colour(0x00CD00), Colour(0xCDCD00),
        Colour(0x0000EE), Colour(0xCD00CD), Colour(0x00CDCD), Colour(0xE5E5E5),
    ]
    private static let steps: [UInt32] = [0, 95, 135, 175, 215, 255]

    static func colour(_ index: Int, of count: Int) -> Colour {
        if count < 256 || index < 16 { return first[index % 8] }
        if index >= 232 {
            return Colour(UInt32(8 + 10 * (index - 232)) * 0x010101)
        }
        let cube = index - 16
        return Colour(steps[cube / 36] << 16 | steps[cube / 6 % 6] << 8 | steps[cube % 6])
    }

    /// Of 256 colours only those above 15 are used, because users of terminals change the first sixteen.
    static func nearest(to colour: Colour, of count: Int, except taken: (Int) -> Bool) -> Int {
        let candidates = count >= 256 ? 16..<256 : 0..<8
        var best = candidates.lowerBound
        var least = Int.max
        for index in candidates where !taken(index) {
            let distance = distance(colour, self.colour(index, of: count))
            if distance < least { (best, least) = (index, distance) }
        }
        return best
    }

    /// The squared distance, with the eye's weights for red, green and blue (Rec. 601 luma, in tenths).
    private static func distance(_ one: Colour, _ two: Colour) -> Int {
        func square(_ a: UInt8, _ b: UInt8) -> Int { (Int(a) - Int(b)) * (Int(a) - Int(b)) }
        return 3 * square(one.red, two.red) + 6 * square(one.green, two.green)
            + square(one.blue, two.blue)
    }
}
