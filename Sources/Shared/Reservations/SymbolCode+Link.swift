internal import TextForms

// The link that the one symbol of a place or an order carries: the address of phones' pages in capitals, a page of one
// letter, `#`, and its code without the prefix, as `HTTPS://QUEUE.EXAMPLE.IT/T#` and 30 characters (rules: code-links).
extension SymbolCode {
    /// The number of its characters after the prefix: the shop's tag and 128 bits.
    public static var bareLength: Int { length - prefix.utf8.count }

    /// Its characters after the prefix, with which the link of its symbol ends.
    public var bare: String { String(rawValue.dropFirst(Self.prefix.utf8.count)) }

    /// The code of its characters after the prefix, which may be small letters.
    public init?(bare text: some StringProtocol) {
        // The capitals of some other letters are letters of a code.
        guard text.unicodeScalars.allSatisfy(\.isASCII) else { return nil }
        self.init(rawValue: Self.prefix + text.uppercased())
    }

    /// The link of its symbol, at the address of phones' pages; in the small letters of an address for a mail in which people
    /// see it, and in capitals for a symbol.
    public func link(at origin: String, isSymbol: Bool = true) -> String {
        "\(isSymbol ? origin.uppercased() : origin)/\(Subject.linkPage)#\(bare)"
    }

    /// Reads the code at the end of such a link of any host, also in small letters.
    ///
    /// A reader that is set to another keyboard than the computer sends other characters for `:`, `/` and `#`, several for
    /// one, or none for `#`. The letter of the page and the code are the same on every keyboard to which a reader can be set
    /// and still be read.
    ///
    /// - Parameter isGarbled: whether a link counts whose signs came as others.
    public init?(link text: String, isGarbled: Bool) {
        let scalars = text.unicodeScalars.filter { $0 != " " }
        guard scalars.count <= ShownCode<Subject>.maxCharacters else { return nil }
        let front = Array(scalars.dropLast(Self.bareLength))
        let end = String(String.UnicodeScalarView(scalars.suffix(Self.bareLength)))
        guard Self.isPage(front, isGarbled: isGarbled) else { return nil }
        self.init(bare: end)
    }

    /// Whether this is what a link has before its code.
    private static func isPage(_ front: [Unicode.Scalar], isGarbled: Bool) -> Bool {
        let text = String(String.UnicodeScalarView(front)).lowercased()
        guard text.hasPrefix("http") else { return false }
        let end = "/\(Subject.linkPage)#".lowercased()
        if text.hasSuffix(end), let start = text.firstRange(of: "://"),
            ["http", "https"].contains(text[..<start.lowerBound])
        {
            let host = text[start.upperBound...].dropLast(end.count)
            if !host.isEmpty, !host.contains(where: { "/?#".contains($0) }) { return true }
        }
        guard isGarbled else { return false }
        let beforeSigns = front[..<((front.lastIndex { !isSign($0) } ?? -1) + 1)]
        // Through a French keyboard, `#` is the digit 3.
        return endsWithPage(beforeSigns)
            || front.last.map { !isSign($0) } == true && endsWithPage(front.dropLast())
    }

    /// Whether it ends with a sign and the letter of the page.
    private static func endsWithPage(_ front: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let letter = front.last, let sign = front.dropLast().last else { return false }
        return Character(letter).uppercased() == String(Subject.linkPage) && isSign(sign)
    }

    private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
        guard let byte = UInt8(exactly: scalar.value) else { return true }
        return !byte.isASCIIDigit && !byte.isASCIILetter
    }
}
