import CEvdev
import TestSupport
import Testing

@testable import CodeReader

@Suite("Key events of readers with other settings than the guide's")
struct ReaderSettingTests {
    private static let code = "CLUP:1:CITT000G40R40M30E209185GR38E1W"

    /// The characters of events.
    private func characters(_ events: [[UInt8]]) -> String {
        var keys = KeyEvents()
        return String(decoding: keys.take(events.joined()), as: UTF8.self)
    }

    private func control(_ key: Int32) -> [UInt8] {
        ReaderKeys.shifted(ReaderKeys.stroke(key), by: KEY_LEFTCTRL)
    }

    @Test("Locks, function keys and Escape around a code are none of it")
    func silentKeys() {
        for key in [
            KEY_CAPSLOCK, KEY_NUMLOCK, KEY_SCROLLLOCK, KEY_ESC, KEY_F2, KEY_F10, KEY_F12, KEY_F24,
        ] {
            let stroke = ReaderKeys.stroke(key)
            let code = ReaderKeys.events(typing: Self.code)
            #expect(characters([stroke, code, stroke]) == Self.code, "\(key)")
        }
        #expect(characters([ReaderKeys.stroke(KEY_UP)]) == "\u{1A}", "no key of a reader")
    }

    @Test(
        "Ctrl+J and Ctrl+M end a code, as do STX and ETX around it; other keys with Ctrl are not readable"
    )
    func controlKeys() {
        var lines = LineBuffer()
        for end in [KEY_J, KEY_M, KEY_C] {
            let typed = characters([
                control(KEY_B), ReaderKeys.events(typing: Self.code), control(end),
            ])
            #expect(lines.take(typed.utf8, now: .zero) == [Self.code], "\(end)")
        }
        #expect(characters([control(KEY_A), ReaderKeys.events(typing: "A")]) == "\u{1A}A")
    }

    @Test("The name of a symbol's kind is read with the code")
    func kindOfSymbol() {
        let bracket = ReaderKeys.stroke(KEY_RIGHTBRACE)
        #expect(characters([bracket, ReaderKeys.events(typing: "Q1")]) == "]Q1")
    }
}
