import Reservations
import Testing

@Suite("Codes in links (rules: code-links)")
struct CodeLinkTests {
    private static let code = EntryCode(rawValue: "CLUP:1:ROM10123456789ABCDEFGHJKMNPQRW")!
    private static let order = PickupCode(rawValue: "CLUP:C:ROM10123456789ABCDEFGHJKMNPQRW")!
    private static let bare = "ROM10123456789ABCDEFGHJKMNPQRW"

    @Test("A symbol's link has the address in capitals, the letter of its page, and the code")
    func links() {
        #expect(Self.code.bare == Self.bare && EntryCode.bareLength == Self.bare.count)
        #expect(
            Self.code.link(at: "https://clup.example.it")
                == "HTTPS://CLUP.EXAMPLE.IT/T#\(Self.bare)")
        #expect(
            Self.order.link(at: "http://[::1]:8080") == "HTTP://[::1]:8080/C#\(Self.bare)")
    }

    @Test(
        "The code of a link is read, of any host, and in small letters",
        arguments: [
            "HTTPS://CLUP.EXAMPLE.IT/T#", "https://clup.example.it/T#",
            "Https://Clup.Example.It/t#", "HTTP://127.0.0.1:8080/T#", "HTTPS://[::1]:8443/T#",
            "HTTPS://ANOTHER.EXAMPLE/T#",
            "HTTPS://C.T/T#", "HTTPS://X-\(String(repeating: "A", count: 80))/T#",
        ])
    func exact(front: String) {
        for text in [front + Self.bare, front.lowercased() + Self.bare.lowercased()] {
            #expect(PresentedCode(text, takesGarbledLinks: false) == .entry(Self.code))
            #expect(PresentedCode(text) == .entry(Self.code) && PresentedOrderCode(text) == nil)
        }
        let order = front.dropLast(2) + "C#" + Self.bare
        #expect(PresentedOrderCode(order) == .entry(Self.order) && PresentedCode(order) == nil)
    }

    @Test(
        "The code of a link is read whatever a keyboard has made of its signs",
        arguments: [
            // Other signs; several for `#`, as of a key that needs a second one; none; the digit of a French keyboard.
            "HTTPSç--CLUP.EXAMPLE.IT-T£", "HTTPSÖ--CLUP.EXAMPLE.IT-T§",
            "HTTPS>&&CLUP.EXAMPLE.IT&T?'", "HTTPS\u{1A}//CLUP.EXAMPLE.IT/T\u{1A}\u{1A}",
            "HTTPS://CLUP.EXAMPLE.IT/T",
            "HTTPSM!!CLUP.EXAMPLE.IT!T3", "HTTPS;//CLUP.EXAMPLE.IT/T3",
        ])
    func garbled(front: String) {
        for text in [front + Self.bare, front.lowercased() + Self.bare.lowercased()] {
            #expect(PresentedCode(text, takesGarbledLinks: false) == nil)
            #expect(PresentedCode(text) == .entry(Self.code) && PresentedOrderCode(text) == nil)
        }
    }

    @Test(
        "Other text is no link with a code",
        arguments: [
            // The link that only shows a place; another page; a character too few, too many, or of no code; another scheme.
            "HTTPS://CLUP.EXAMPLE.IT/T#CITT0M99001A\(bare.suffix(26))",
            "HTTPS://CLUP.EXAMPLE.IT/J#\(bare)", "HTTPS://CLUP.EXAMPLE.IT/ORDERS#\(bare)",
            "HTTPS://CLUP.EXAMPLE.IT/T#\(bare.dropLast())", "HTTPS://CLUP.EXAMPLE.IT/T#\(bare)0",
            "HTTPS://CLUP.EXAMPLE.IT/T#\(bare.dropLast())U", "FTP://CLUP.EXAMPLE.IT/T#\(bare)",
            "HTTPS://CLUP.EXAMPLE.IT/T#\(bare.dropLast())\u{17F}", "T#\(bare)", bare,
            "HTTPS://\(String(repeating: "A", count: 100))/T#\(bare)",
            "HTTPS://CLUP.EXAMPLE.IT/T#\(bare)\r",
        ])
    func noLink(text: String) {
        #expect(PresentedCode(text) == nil)
    }

    @Test("The link in a shop's mail, which ends with the whole code, is that of an order as ever")
    func mail() {
        for front in [
            "https://clup.example.it/orders#", "HTTPS://CLUP.EXAMPLE.IT/ORDERS#",
            "HTTPSç--CLUP.EXAMPLE.IT-ORDERS£",
        ] {
            #expect(PresentedOrderCode(front + Self.order.rawValue) == .entry(Self.order))
            #expect(PresentedCode(front + Self.order.rawValue) == nil)
        }
    }
}
