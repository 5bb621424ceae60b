/// The default colours of terminals, as xterm defines them (256colres.h; console_codes(4) for the first 8).
public enum XtermPalette {
    private static let first: [Colour] = [
        Colour(0x000000), Colour(0xCD0000), Colour(0x00CD00), Colour(0xCDCD00),
        Colour(0x0000EE), Colour(0xCD00CD), Colour(0x00CDCD), Colour(0xE5E5E5),
    ]
    private static let steps: [UInt32] = [0, 95, 135, 175, 215, 255]

    public static func colour(_ index: Int, of count: Int) -> Colour {
        if count < 256 || index < 16 { return first[index % 8] }
        if index >= 232 {
            return Colour(UInt32(8 + 10 * (index - 232)) * 0x010101)
        }
        let cube = index - 16
        return Colour(steps[cube / 36] << 16 | steps[cube / 6 % 6] << 8 | steps[cube % 6])
    }

    /// Of 256 colours only those above 15 are used, because users of terminals change the first sixteen.
    public static func nearest(to colour: Colour, of count: Int, except taken: (Int) -> Bool) -> Int
    {
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
