import Reservations
import TestSupport
import Testing

@testable import KioskFlow

@Suite("Codes of a US reader through another keyboard")
struct KeyboardLayoutTests {
    /// All digits, and every letter whose key is at another place on one of the keyboards.
    private static let code = EntryCode(rawValue: "CLUP:1:ZA9Q0123456789BCDGHJKMNPRSVWXY")!
    private static let order = PickupCode(rawValue: "CLUP:C:ZA9Q0123456789BCDGHJKMNPRSVWXY")!

    /// The characters that a US reader's keys become (xkeyboard-config), and the digits of a typed code.
    static let typed: [(layout: String, entry: String, digits: String)] = [
        ("us, gb", "CLUP:1:ZA9Q0123456789BCDGHJKMNPRSVWXY", "0419384527"),
        ("us, Caps Lock", "clup:1:za9q0123456789bcdghjkmnprsvwxy", "0419384527"),
        ("it", "CLUPç1çZA9Q0123456789BCDGHJKMNPRSVWXY", "0419384527"),
        ("de", "CLUPÖ1ÖYA9Q0123456789BCDGHJKMNPRSVWXZ", "0419384527"),
        ("es", "CLUPÑ1ÑZA9Q0123456789BCDGHJKMNPRSVWXY", "0419384527"),
        ("fr", "CLUPM&MWQçAà&é\"'(-è_çBCDGHJK?NPRSVZXY", "à'&ç\"_'(éè"),
    ]

    @Test("The intended code is found if only one code is possible", arguments: typed)
    func read(layout: String, entry: String, digits: String) {
        FlowMachine.scanned(entry).expectLookUp(.reservation(.entry(Self.code)))
        FlowMachine.scanned(digits).expectLookUp(
            .reservation(.typed(TypedCode(rawValue: "0419384527")!)))
    }

    /// The code of an order as those keyboards make it.
    static let orders: [(layout: String, text: String)] = [
        ("us", "CLUP:C:ZA9Q0123456789BCDGHJKMNPRSVWXY"),
        ("it", "CLUPçCçZA9Q0123456789BCDGHJKMNPRSVWXY"),
        ("de", "CLUPÖCÖYA9Q0123456789BCDGHJKMNPRSVWXZ"),
        ("es", "CLUPÑCÑZA9Q0123456789BCDGHJKMNPRSVWXY"),
        ("fr", "CLUPMCMWQçAà&é\"'(-è_çBCDGHJK?NPRSVZXY"),
    ]

    @Test(
        "The code of an order is found through every keyboard, and is none of a reservation",
        arguments: orders)
    func order(layout: String, text: String) {
        let machine = FlowMachine.atHomeWithDesk().reading(text)
        machine.expectLookUp(.order(.entry(Self.order)))
        #expect(PresentedCode(read: text) == nil && KeyboardLayout.of(text) != nil)
        // The link of its page ends with the code; what other keys make of its beginning is of no account.
        let link =
            layout.hasPrefix("us")
            ? "https://queue.example.it/orders#" : "httpsç--queue.example.it-orders£"
        #expect(PresentedOrderCode(read: link + text) == .entry(Self.order))
    }

    /// The link of a place's symbol, and of an order's, as those keyboards make it of the reader's keys.
    static let symbols: [(layout: String, text: String)] = [
        ("us", "HTTPS://CLUP-1.EXAMPLE/T#ZA9Q0123456789BCDGHJKMNPRSVWXY"),
        ("us, Caps Lock", "https://clup-1.example/t#za9q0123456789bcdghjkmnprsvwxy"),
        ("gb", "HTTPS://CLUP-1.EXAMPLE/T£ZA9Q0123456789BCDGHJKMNPRSVWXY"),
        ("it", "HTTPSç--CLUP'1.EXAMPLE-T£ZA9Q0123456789BCDGHJKMNPRSVWXY"),
        ("de", "HTTPSÖ--CLUPß1.EXAMPLE-T§YA9Q0123456789BCDGHJKMNPRSVWXZ"),
        ("es", "HTTPSÑ--CLUP'1.EXAMPLE-T·ZA9Q0123456789BCDGHJKMNPRSVWXY"),
        ("fr", "HTTPSM!!CLUP)&:EXQ?PLE!T3WQçAà&é\"'(-è_çBCDGHJK?NPRSVZXY"),
    ]

    @Test("The code in the link of a symbol is found through every keyboard", arguments: symbols)
    func link(layout: String, text: String) throws {
        var machine = FlowMachine.atHomeWithDesk().reading(text)
        machine.expectLookUp(.reservation(.entry(Self.code)))
        machine = FlowMachine.atHomeWithDesk()
        // The page's letter, the sign after it, and the code.
        machine.scans(text.dropLast(32) + "C" + text.suffix(31))
        machine.expectLookUp(.order(.entry(Self.order)))
        if layout != "gb" { #expect(KeyboardLayout.of(text) != nil) }
        // The event log has no character of the secret.
        guard case .codeRead(let written) = KioskEvent.codeRead(text).withoutSecrets(afterDigits: 0)
        else { return }
        #expect(!written.contains("9") && PresentedCode(read: written) != nil)
    }

    /// A link as long as it may be, as those keyboards make it of the reader's keys.
    static let links: [(layout: String, text: String)] = [
        ("us", link(of: "https://", "/t#CITT0M99001AZA9Q0123456789BCDGHJKMNPRW")),
        ("us, Caps Lock", link(of: "HTTPS://", "/T#citt0m99001aza9q0123456789bcdghjkmnprw")),
        ("it", link(of: "httpsç--", "-t£CITT0M99001AZA9Q0123456789BCDGHJKMNPRW")),
        ("de", link(of: "httpsÖ--", "-t§CITT0M99001AYA9Q0123456789BCDGHJKMNPRW")),
        ("es", link(of: "httpsÑ--", "-t·CITT0M99001AWA9Q0123456789BCDGHJKMNPRW")),
        ("fr", link(of: "httpsM!!", "!t3CITTà?ççàà&QWQçAà&é\"'(-è_çBCDGHJK?NPRZ")),
    ]

    private static func link(of start: String, _ end: String) -> String {
        start + String(repeating: "b", count: Capability.maxLinkBytes - start.count - end.count)
            + end
    }

    @Test("The symbol for phones is recognised through every keyboard", arguments: links)
    func symbolForPhones(layout: String, text: String) throws {
        #expect(text.count == Capability.maxLinkBytes)
        let machine = FlowMachine.scanned(text)
        #expect(try machine.shown(KioskState.codeRefused).reason == .symbolForPhones)
        // The event log has no character of the secret, and a replay takes the same path.
        guard case .codeRead(let written) = KioskEvent.codeRead(text).withoutSecrets(afterDigits: 0)
        else { return }
        #expect(!written.contains("9") && Capability(read: written) != nil)
    }

    @Test(
        "Other text of the length of a link is not taken for one",
        arguments: [
            "https://clup.example/t#",
            "https://clup.example/t#CITT0M99001AZA9Q0123456789BCDGHJKMNPRU",
            "https://clup.example/t#CITT0M990000ZA9Q0123456789BCDGHJKMNPRW",
            "CITT0M99001AZA9Q0123456789BCDGHJKMNPRWX", String(repeating: "7", count: 48),
        ])
    func noLink(text: String) throws {
        #expect(Capability(read: text) == nil)
    }

    @Test("If two keyboards make two codes of the same keys, neither is taken")
    func ambiguous() {
        let plain = KeyboardLayout(name: .italian, meant: ["#": ":"])
        let other = KeyboardLayout(name: .italian, meant: ["#": ":", "z": "y", "y": "z"])
        let text = Self.code.rawValue.replacing(":", with: "#")
        #expect(PresentedCode(read: text, layouts: [plain]) == .entry(Self.code))
        #expect(PresentedCode(read: text, layouts: [plain, plain]) == .entry(Self.code))
        #expect(PresentedCode(read: text, layouts: [plain, other]) == nil)
    }

    @Test(
        "Text that no known keyboard makes of a code cannot be read, and is never sent",
        arguments: [
            // Two keyboards at once; letters of an unknown one; a digit that no French key makes; a letter too few.
            "CLUPç1ÖZA9Q0123456789BCDGHJKMNPRSVWXY", "CLUPо1оZA9Q0123456789BCDGHJKMNPRSVWXY",
            "CLUPM1MWQçAà&é\"'(-è_çBCDGHJK?NPRSVZXY", "CLUPç1çZA9Q0123456789BCDGHJKMNPRSVWX",
            "CLUPç1çZA9Q0123456789BCDGHJKMNPRSVW\u{1B}Y", "à'&ç\"_'(é7", "٠٤١٩٣٨٤٥٢٧",
            String(repeating: "ç", count: 4_096),
        ])
    func unreadable(text: String) throws {
        let machine = FlowMachine.scanned(text)
        #expect(machine.effects.isEmpty)
        #expect(try machine.shown(KioskState.codeRefused).reason == .unreadableCode)
    }
}
