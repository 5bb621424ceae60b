/// A shop's name as an SMS has it.
enum ShopNameText {
    /// The fewest septets of a shortened name.
    private static let minSeptets = 4

    /// The name in characters of the GSM 7 bit default alphabet and of at most so many septets, without the words of
    /// which no character can be written; empty if none is left, or if so few septets would show too little of it.
    ///
    /// A name is shortened at the end of a word, or with a full stop within its first one.
    static func shortened(_ name: String, to room: Int) -> String {
        let folded = GSM7.folded(name)
        let words = folded.split(separator: " ").filter { word in
            word.contains { $0.isLetter || $0.isNumber } || !word.contains("?")
        }
        guard words.contains(where: { $0.contains { $0.isLetter || $0.isNumber } }) else {
            return ""
        }
        let whole = words.joined(separator: " ")
        if fits(whole, in: room) { return whole }
        guard room >= minSeptets else { return "" }
        for count in stride(from: words.count - 1, to: 0, by: -1) {
            let part = withoutEnd(words.prefix(count).joined(separator: " "))
            if !part.isEmpty, fits(part, in: room) { return part }
        }
        var part = words[0]
        while !part.isEmpty, !fits(part + ".", in: room) { part.removeLast() }
        return part.isEmpty ? "" : part + "."
    }

    private static func fits(_ text: some StringProtocol, in room: Int) -> Bool {
        (GSM7.septets(String(text)) ?? .max) <= room
    }

    /// The text without what only joined it to the words that followed, as a comma or "&".
    private static func withoutEnd(_ text: String) -> String {
        var text = text
        while let last = text.last, !last.isLetter, !last.isNumber, last != ")", last != ".",
            last != "!"
        {
            text.removeLast()
        }
        return text
    }
}
