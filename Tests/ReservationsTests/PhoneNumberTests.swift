import Reservations
import Testing

@Suite("Telephone numbers")
struct PhoneNumberTests {
    private static let prefixes = ["+39", "+41", "+4179"]

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
            ("0041 079 123 45 67", "+41791234567"),
            // Italy's numbers of landlines keep their 0.
            ("+39 02 1234567", "+39021234567"),
        ])
    func typed(_ text: String, number: String) {
        #expect(PhoneNumber(typed: text, prefixes: Self.prefixes)?.rawValue == number)
    }

    @Test(
        "A text that is no number, or one of a country that is not served, is refused",
        arguments: [
            "", "+", "00", "333 123 4567", "+49 151 1234567", "+39", "+39 333", "39 333 1234567",
            "+39 333 123 4567 89012", "+39 333 1234567 x2", "+39+333 1234567", "+39 333,1234567",
            "tel:+393331234567", "+39 333 123 456\u{0667}", "+39 333 123 4567\u{0}",
            "+39 333 123 4567\n+39 333 123 4568", "+39 333 123 456\u{37}\u{301}",
            "+39 333 123 4567; DROP TABLE", "\u{202E}+39 333 123 4567",
        ])
    func refused(_ text: String) {
        #expect(PhoneNumber(typed: text, prefixes: Self.prefixes) == nil)
    }

    @Test("Without prefixes no number is served, and a very long text is refused")
    func bounds() {
        #expect(PhoneNumber(typed: "+393331234567", prefixes: []) == nil)
        let long = "+39" + String(repeating: "3", count: 100_000)
        #expect(PhoneNumber(typed: long, prefixes: Self.prefixes) == nil)
        #expect(
            PhoneNumber(
                typed: "+39 333 123 4567" + String(repeating: " ", count: 100_000),
                prefixes: Self.prefixes)?.rawValue == "+393331234567")
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
