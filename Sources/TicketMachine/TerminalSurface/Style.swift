/// An exact colour, sRGB, 0 to 255 for each channel; the terminal shows the nearest that it has.
public struct Colour: Hashable, Sendable {
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8

    /// A colour from 0xRRGGBB.
    public init(_ hex: UInt32) {
        red = UInt8(truncatingIfNeeded: hex >> 16)
        green = UInt8(truncatingIfNeeded: hex >> 8)
        blue = UInt8(truncatingIfNeeded: hex)
    }

    public static let black = Colour(0x000000)
    public static let white = Colour(0xFFFFFF)

    /// Relative luminance, 0 to 1 (WCAG 2.2, "relative luminance").
    public var luminance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    /// Contrast ratio, 1 to 21, independent of the order (WCAG 2.2, "contrast ratio").
    public func contrast(with other: Colour) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// sRGB's curve without a C library, since this target is pure. Its exponent 2.4 is computed as x^2.4 = x^2 *
    /// x^0.4; square roots give x^0.4 within 0.1 % as x^(3/8) * x^(1/32) * ...
    private static func linear(_ channel: UInt8) -> Double {
        let value = Double(channel) / 255
        if value <= 0.04045 { return value / 12.92 }
        let base = (value + 0.055) / 1.055
        // 0.4 in binary is 0.0110 0110 0110...: roots 2^-2, 2^-3, 2^-6, 2^-7, 2^-10, 2^-11.
        var root = base
        var power = base * base
        for bit in 1...11 {
            root = root.squareRoot()
            if [2, 3, 6, 7, 10, 11].contains(bit) { power *= root }
        }
        return power
    }
}

/// The look of a cell.
public struct Style: Hashable, Sendable {
    public var foreground: Colour
    public var background: Colour
    public var bold: Bool

    public init(_ foreground: Colour, on background: Colour, bold: Bool = false) {
        self.foreground = foreground
        self.background = background
        self.bold = bold
    }

    public var bolded: Style { Style(foreground, on: background, bold: true) }

    /// Black on white, as a QR symbol must be in every theme (ISO/IEC 18004 7.3.2: dark on light).
    public static let code = Style(.black, on: .white)
}
