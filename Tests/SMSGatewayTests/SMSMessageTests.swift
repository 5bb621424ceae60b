import Reservations
import SMSGateway
import Testing

@Suite("Messages")
struct SMSMessageTests {
    @Test(
        "A text of the GSM alphabet with at most 160 septets is a message, and no other one",
        arguments: [
            ("x", true), (String(repeating: "x", count: 160), true),
            (String(repeating: "€", count: 80), true),
            ("two\nlines", true), ("", false), (String(repeating: "x", count: 161), false),
            (String(repeating: "€", count: 80) + "x", false), ("ç", false), ("’", false),
            ("è" + "\u{301}", false),
            ("\u{0}", false),
        ])
    func length(_ text: String, isMessage: Bool) throws {
        let number = try #require(PhoneNumber(rawValue: SampleMessage.number))
        let message = SMSMessage(to: number, text: text, validMinutes: 10)
        #expect(message?.text == (isMessage ? text : nil))
    }

    @Test(
        "A message is valid for a minute to a day",
        arguments: [
            (Int.min, 1), (0, 1), (1, 1), (10, 10), (1_440, 1_440), (1_441, 1_440),
            (Int.max, 1_440),
        ])
    func validity(_ minutes: Int, expected: Int) throws {
        #expect(try SampleMessage.with(validMinutes: minutes).validMinutes == expected)
    }

    @Test("No description shows a number, a text or a password")
    func hidden() throws {
        let message = try SampleMessage.with("secret")
        let account = try #require(KannelAccount(user: "clup", password: "secret", sender: nil))
        for value: Any in [message, account] {
            var dumped = ""
            dump([value], to: &dumped)
            for text in ["\(value)", "\([value])", String(reflecting: value), dumped] {
                #expect(!text.contains("333") && !text.contains("secret"), "\(text)")
            }
        }
    }

    @Test(
        "User and password are printable, and without blanks or line ends, which would be other fields",
        arguments: [
            ("clup", true), ("p:@!~", true), (String(repeating: "x", count: 100), true),
            ("", false),
            ("a b", false), (" a", false), ("a\r\nX-Kannel-To: +39", false), ("é", false),
            ("a\u{0}", false),
            (String(repeating: "x", count: 101), false),
        ])
    func secrets(_ text: String, isGood: Bool) {
        #expect((KannelAccount(user: text, password: "x", sender: nil) != nil) == isGood)
        #expect((KannelAccount(user: "x", password: text, sender: nil) != nil) == isGood)
    }

    @Test(
        "A sender is a number or at most 11 letters and digits",
        arguments: [
            ("CLup", true), ("Coop Milano", true), ("12345", true), ("+393331234567", true),
            ("123456789012345", true), ("1", true), ("", false), ("Coop Milano2", false),
            (" Coop", false),
            ("Coop ", false), ("Città", false), ("1234567890123456", false), ("+", false),
            ("+39 333", false),
            ("a\nb", false), ("a-b", false),
        ])
    func sender(_ text: String, isSender: Bool) {
        #expect(KannelAccount.isSender(text) == isSender)
        #expect((KannelAccount(user: "x", password: "x", sender: text) != nil) == isSender)
    }
}
