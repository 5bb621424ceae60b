import Reservations
import TestSupport
import Testing

@testable import KioskFlow

@Suite("Codes of a US reader through another keyboard")
struct KeyboardLayoutTests {
    /// All digits, and every letter whose key is at another place on one of the keyboards.
    private static let code = EntryCode(rawValue: "CLUP:1:ZA9Q0123456789BCDGHJKMNPRSVWXY")!

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
        var machine = FlowMachine.atHome()
        machine.scans(entry)
        #expect(machine.effects == [.backend(.lookUp(.entry(Self.code), AttemptKey("test-1")))])
        machine = FlowMachine.atHome()
        machine.scans(digits)
        let typed = TypedCode(rawValue: "0419384527")!
        #expect(machine.effects == [.backend(.lookUp(.typed(typed), AttemptKey("test-1")))])
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
        var machine = FlowMachine.atHome()
        machine.scans(text)
        #expect(machine.effects.isEmpty)
        let refused = try requireCase(KioskState.codeRefused, of: machine.flow.state)
        #expect(refused.reason == .unreadableCode)
    }
}
