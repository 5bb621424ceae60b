import Reservations
import Testing

@Suite("Telephone numbers")
struct PhoneNumberTests {
    private static let prefixes = ["+39", "+41", "+49", "+33", "+34", "+44"]

    @Test(
        "The international form is a plus sign and 8 to 15 digits, the first of which is not 0",
        arguments: [
            ("+39333123", true), ("+393331234567", true), ("+123456789012345", true),
            ("+1234567", false), ("+1234567890123456", false), ("+0393331234567", false),
            ("393331234567", false), ("00393331234567", false), ("", false), ("+", false),
            ("+39 3331234567", false), ("+3933312345\n7", false), ("++393331234567", false),
            ("+39333123456\u{0667}", false), ("+39333123456\u{FF17}", false),
            ("+39333123456 ", false), ("+-39333123456", false),
        ])
    func international(_ text: String, isNumber: Bool) {
        #expect(PhoneNumber(rawValue: text)?.rawValue == (isNumber ? text : nil))
    }

    @Test(
        "A typed number has a plus sign or 00, and blanks and punctuation where people put them",
        arguments: [
            ("+39 333 123 4567", "+393331234567"), ("0039 333-123.45.67", "+393331234567"),
            ("+39 (333) 123/4567", "+393331234567"), ("+39\u{A0}333\u{A0}1234567", "+393331234567"),
            (" +41 79 123 45 67 ", "+41791234567"), ("+41 (0)79 123 45 67", "+41791234567"),
            ("0041 079 123 45 67", "+41791234567"), ("+49 (0)151 12345678", "+4915112345678"),
            ("+33 (0)6 12 34 56 78", "+33612345678"), ("+44 (0)7400 123456", "+447400123456"),
            ("+34 612 34 56 78", "+34612345678"),
            // Pasted from address books and mails, with characters that are not seen.
            ("\u{202A}+39 333 123 4567\u{202C}", "+393331234567"),
            ("\u{FEFF}+39\u{202F}333\u{2009}123\u{200B}4567\u{200F}", "+393331234567"),
            ("\u{202D}+39 333\u{AD}1234567\t", "+393331234567"),
            ("tel:+39-333-1234567", "+393331234567"), ("TEL:0039 3331234567", "+393331234567"),
            // Dashes, and the digits of other scripts.
            ("+39 333\u{2011}123\u{2013}45\u{2014}67", "+393331234567"),
            ("+39 333 \u{2212} 1234567", "+393331234567"), ("+39·333·1234567", "+393331234567"),
            ("+٣٩ ٣٣٣ ١٢٣ ٤٥٦٧", "+393331234567"), ("۰۰۳۹ ۳۳۳ ۱۲۳ ۴۵۶۷", "+393331234567"),
            ("＋３９ ３３３ １２３ ４５６７", "+393331234567"),
            // The country's code twice; the last one begins with the same digits as the code.
            ("+39+39 333 1234567", "+393331234567"), ("0039 +39 333 1234567", "+393331234567"),
            ("+39 0039 333 1234567", "+393331234567"), ("+39 39 333 1234567", "+393331234567"),
            ("+0039 333 1234567", "+393331234567"), ("+49 +49 (0)151 12345678", "+4915112345678"),
            ("+41 0041 079 123 45 67", "+41791234567"), ("+39 393 123 4567", "+393931234567"),
        ])
    func typed(_ text: String, number: String) throws {
        #expect(try PhoneNumber(typed: text, prefixes: Self.prefixes).rawValue == number)
    }

    @Test(
        "A number that is of no mobile phone is refused as such, whatever prefixes are served",
        arguments: [
            // Landlines, of which Italy's keep their 0.
            "+39 02 1234567", "+39 06 12345678", "+49 30 123456", "+33 1 42 68 53 00",
            "+34 912 345 678", "+44 20 7946 0018", "+41 44 668 18 00",
            // Premium, shared cost, free, personal, pager, of the Internet.
            "+39 899 123456", "+39 848 123456", "+39 800 123456", "+39 178 1234567",
            "+49 900 1234567", "+49 180 1234567", "+49 700 12345678", "+49 164 12345678",
            "+33 892 12 34 56", "+33 9 72 12 34 56", "+34 803 123 456", "+34 902 123 456",
            "+44 909 123 4567", "+44 845 123 4567", "+44 7000 123456", "+44 7640 123456",
            "+41 900 123 456", "+41 840 123456", "+41 878 123456",
            // Too few digits or too many.
            "+39", "+39 1", "+39 333", "+39 333 12", "+39 333 123 4567 89012", "+39 0333 1234567",
            "+34 0612 345 678",
        ])
    func notMobile(_ text: String) {
        #expect(throws: PhoneNumber.Fault.notMobile) {
            try PhoneNumber(typed: text, prefixes: Self.prefixes + ["+1", "+8", "+3", "+4"])
        }
    }

    @Test(
        "A number of no country, as of a satellite, is not served even if its prefix is listed",
        arguments: [
            "+881 6 1234 5678", "+870 773 123 456", "+882 16 1234567", "+883 5100 12345678",
            "+888 123456789", "+878 10 1234 5678", "+979 1 2345 6789", "+800 1234 5678",
            "+1 900 234 5678", "+808 1234 5678",
        ])
    func satellite(_ text: String) {
        let prefixes = ["+881", "+870", "+882", "+883", "+888", "+878", "+979", "+800", "+1", "+8"]
        #expect(throws: PhoneNumber.Fault.notServed) {
            try PhoneNumber(typed: text, prefixes: prefixes)
        }
        for prefix in prefixes { #expect(!PhoneNumber.isServed(prefix: prefix), "\(prefix)") }
    }

    @Test("A prefix is served if mobile numbers of a country begin so")
    func served() {
        for prefix in ["+39", "+41", "+4179", "+3", "+44", "+423"] {
            #expect(PhoneNumber.isServed(prefix: prefix), "\(prefix)")
        }
        for prefix in ["39", "+", "+2", "+9", "+42", "+424"] where prefix != "+42" {
            #expect(!PhoneNumber.isServed(prefix: prefix), "\(prefix)")
        }
    }

    @Test(
        "A text that is no number, or one of a country that is not served, is refused",
        arguments: [
            "", "+", "+3", "00", "333 123 4567", "+43 664 1234567", "39 333 1234567", "call me",
            "+39 333 1234567 x2", "+39+333 1234567", "+39 333,1234567", "+39+39+39 333 1234567",
            "+41 +39 333 1234567", "333 +39 333 1234567", "tel:333 1234567",
            "+39 333 123 4567\u{0}", "+39 333 123 456\u{2460}", "+39 333 123 456\u{BC}",
            "+39 333 123 4567\n+39 333 123 4568", "+39 333 123 456\u{37}\u{301}",
            "+39 333 123 4567; DROP TABLE",
        ])
    func refused(_ text: String) {
        #expect(throws: PhoneNumber.Fault.notServed) {
            try PhoneNumber(typed: text, prefixes: Self.prefixes)
        }
    }

    @Test("Without prefixes no number is served, and a very long text is refused")
    func bounds() throws {
        #expect(throws: PhoneNumber.Fault.notServed) {
            try PhoneNumber(typed: "+393331234567", prefixes: [])
        }
        let long = "+39" + String(repeating: "3", count: 100_000)
        #expect(throws: PhoneNumber.Fault.notMobile) {
            try PhoneNumber(typed: long, prefixes: Self.prefixes)
        }
        #expect(
            try PhoneNumber(
                typed: "+39 333 123 4567" + String(repeating: " ", count: 100_000),
                prefixes: Self.prefixes
            ).rawValue == "+393331234567")
    }

    @Test("A prefix within a country serves its part, also if the digit of home is typed")
    func part() throws {
        for text in ["+41 79 123 45 67", "+41 (0)79 123 45 67"] {
            let number = try PhoneNumber(typed: text, prefixes: ["+4179"])
            #expect(number.rawValue == "+41791234567")
        }
        #expect(throws: PhoneNumber.Fault.notServed) {
            try PhoneNumber(typed: "+41 78 123 45 67", prefixes: ["+4179"])
        }
    }

    @Test(
        "A prefix is a plus sign and 1 to 7 digits",
        arguments: [
            ("+1", true), ("+39", true), ("+1234567", true), ("+12345678", false), ("+", false),
            ("39", false), ("+0", false), ("+3 9", false), ("", false),
            ("+\u{0663}\u{0669}", false),
        ])
    func prefix(_ text: String, isPrefix: Bool) {
        #expect(PhoneNumber.isPrefix(text) == isPrefix)
    }

    @Test("No description shows the number")
    func hidden() throws {
        let number = try #require(PhoneNumber(rawValue: "+393331234567"))
        var dumped = ""
        dump(number, to: &dumped)
        dump(["x": [number]], to: &dumped)
        for text in ["\(number)", "\([number])", String(reflecting: number), dumped] {
            #expect(!text.contains("333"), "\(text)")
        }
    }
}
