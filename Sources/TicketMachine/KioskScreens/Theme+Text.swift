public import TerminalSurface

/// A fault of a theme, as a sentence.
public struct ThemeFault: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

extension Theme {
    /// The least contrast of text on its ground (WCAG 2.2, 1.4.3); a block on the screen has another (1.4.11).
    static let minTextContrast = 4.5
    static let minBlockContrast = 3.0

    /// The places of a theme by their names in a file.
    static var places: [(name: String, style: WritableKeyPath<Theme, Style>)] {
        [
            ("screen", \.screen), ("soft", \.soft), ("warning", \.warning), ("header", \.header),
            ("main", \.main), ("quiet", \.quiet), ("pressed", \.pressed),
        ]
    }

    /// Every style by the name of its place.
    public var all: [(name: String, style: Style)] {
        Self.places.map { ($0.name, self[keyPath: $0.style]) }
    }

    /// Reads `screen = #FFFFFF on #000000` and so on: each place once, none missing, `bold` after the colours if its
    /// letters are bold.
    ///
    /// - Throws: a fault that names a place that is missing, unknown, no pair of colours or of too little contrast.
    public init(values: [(name: String, value: String)]) throws(ThemeFault) {
        var theme = Theme.dark
        var missing = Self.places.map(\.name)
        for (name, value) in values {
            guard let place = Self.places.first(where: { $0.name == name }) else {
                throw ThemeFault(
                    "there is no \"\(name)\" in a theme; there are "
                        + "\(Self.places.map(\.name).joined(separator: ", ")).")
            }
            guard let style = Style(themeValue: value) else {
                throw ThemeFault(
                    "\"\(name) = \(value)\" is not as \"#FFFFFF on #000000\", "
                        + "red, green and blue in two hexadecimal digits each.")
            }
            theme[keyPath: place.style] = style
            missing.removeAll { $0 == name }
        }
        guard missing.isEmpty else {
            throw ThemeFault(
                "\(missing.joined(separator: ", ")) "
                    + (missing.count == 1 ? "is missing." : "are missing."))
        }
        if let fault = theme.lowContrast { throw fault }
        self = theme
    }

    /// The first text or block with too little contrast to its ground; nil if all have enough.
    var lowContrast: ThemeFault? {
        for (name, style) in all {
            let ratio = style.foreground.contrast(with: style.background)
            if ratio < Self.minTextContrast {
                return ThemeFault(
                    "the text of \"\(name)\" has a contrast of \(ratio.tenths):1 to "
                        + "its ground; \(Self.minTextContrast):1 is the least.")
            }
        }
        for (name, style) in [("main", main), ("quiet", quiet), ("pressed", pressed)] {
            let ratio = style.background.contrast(with: screen.background)
            if ratio < Self.minBlockContrast {
                return ThemeFault(
                    "the ground of \"\(name)\" has a contrast of \(ratio.tenths):1 to "
                        + "the screen's; \(Self.minBlockContrast):1 is the least.")
            }
        }
        return nil
    }
}

extension Style {
    /// Reads `#FFFFFF on #000000` or `#FFC400 on #000000 bold`; nil for any other text.
    fileprivate init?(themeValue text: String) {
        let words = text.split(separator: " ")
        guard words.count == 3 || words.count == 4 && words[3] == "bold", words[1] == "on",
            let foreground = Colour(themeValue: words[0]),
            let background = Colour(themeValue: words[2])
        else { return nil }
        self.init(foreground, on: background, bold: words.count == 4)
    }
}

extension Colour {
    fileprivate init?(themeValue text: Substring) {
        guard text.first == "#", text.count == 7, text.dropFirst().allSatisfy(\.isHexDigit),
            let hex = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(hex)
    }
}

extension Double {
    /// The number with one decimal, rounded down: 4.49 must not look like 4.5.
    fileprivate var tenths: String { "\(Int(self)).\(Int(self * 10) % 10)" }
}
