import CEvdev
import Testing

@testable import CodeReader

/// Key events as the kernel hands them over.
enum Keys {
    /// `struct input_event` of 64-bit Linux (linux/input.h), byte for byte.
    static func event(_ type: Int32, _ code: Int32, _ value: Int32) -> [UInt8] {
        let time: [UInt8] = [0x15, 0xCD, 0x5B, 0x6A, 0, 0, 0, 0, 0x40, 0xE2, 1, 0, 0, 0, 0, 0]
        func bytes(_ number: Int32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * Int32($0))) }
        }
        return time + bytes(type, 2) + bytes(code, 2) + bytes(value, 4)
    }

    static let report = event(EV_SYN, SYN_REPORT, 0)

    /// A key down and up, with the scan code that keyboards send before it.
    static func stroke(_ code: Int32) -> [UInt8] {
        [1, 0].flatMap { event(EV_MSC, MSC_SCAN, 0x7_0004) + event(EV_KEY, code, $0) + report }
    }

    static func shifted(_ bytes: [UInt8], _ shift: Int32 = KEY_LEFTSHIFT) -> [UInt8] {
        event(EV_KEY, shift, 1) + report + bytes + event(EV_KEY, shift, 0) + report
    }

    /// What a reader set to the US keyboard sends for characters of a code.
    static func typing(_ text: String) -> [UInt8] {
        let rows: [(Int32, String)] = [
            (KEY_1, "1234567890"), (KEY_Q, "QWERTYUIOP"), (KEY_A, "ASDFGHJKL:"), (KEY_Z, "ZXCVBNM"),
            (KEY_ENTER, "\r"), (KEY_TAB, "\t"),
        ]
        return text.flatMap { character -> [UInt8] in
            for (first, row) in rows {
                guard let index = row.firstIndex(of: character) else { continue }
                let key = first + Int32(row.distance(from: row.startIndex, to: index))
                return character.isLetter || character == ":" ? shifted(stroke(key)) : stroke(key)
            }
            return []
        }
    }
}

@Suite("Key events of an exclusively read reader (evdev)")
struct KeyEventsTests {
    private static let code = "CLUP:1:CITT000G40R40M30E209185GR38E1W"

    private func read(_ bytes: [UInt8], pieces: Int = .max) -> String {
        var events = KeyEvents()
        var characters: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            characters += events.take(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
        }
        return String(decoding: characters, as: UTF8.self)
    }

    @Test(
        "A code comes out whole, in whatever pieces it is read", arguments: [1, 7, 24, 100, 4_096])
    func pieces(size: Int) {
        #expect(read(Keys.typing(Self.code + "\r"), pieces: size) == Self.code + "\r")
    }

    @Test("The kernel's bytes are read as they lie: A down, little end first")
    func bytes() {
        let down: [UInt8] = [
            0x15, 0xCD, 0x5B, 0x6A, 0, 0, 0, 0, 0x40, 0xE2, 1, 0, 0, 0, 0, 0, 1, 0, 30, 0, 1, 0, 0,
            0,
        ]
        #expect(read(down) == "a")
        #expect(read(Array(down.dropLast())).isEmpty)
    }

    @Test("Repeated keys and releases are no characters; Shift holds over several keys, either one")
    func repeats() {
        let repeated =
            Keys.event(EV_KEY, KEY_A, 1) + Keys.event(EV_KEY, KEY_A, 2)
            + Keys.event(EV_KEY, KEY_A, 2) + Keys.event(EV_KEY, KEY_A, 0)
        #expect(read(repeated) == "a")
        let held = Keys.stroke(KEY_C) + Keys.stroke(KEY_SEMICOLON) + Keys.stroke(KEY_1)
        #expect(read(Keys.shifted(held) + held) == "C:!c;1")
        let both = Keys.event(EV_KEY, KEY_LEFTSHIFT, 1) + Keys.shifted([], KEY_RIGHTSHIFT)
        #expect(read(both + Keys.stroke(KEY_C)) == "C")
        #expect(read(Keys.event(EV_KEY, KEY_LEFTSHIFT, 2) + Keys.stroke(KEY_C)) == "C")
    }

    @Test("Lost events spoil the code they were in, and no other; a lost release sticks no Shift")
    func dropped() {
        let lost =
            Keys.event(EV_KEY, KEY_LEFTSHIFT, 1) + Keys.event(EV_SYN, SYN_DROPPED, 0)
            + Keys.event(EV_KEY, KEY_X, 1) + Keys.report
        let text = read(Keys.typing("CLUP:1:") + lost + Keys.typing("1\r" + Self.code + "\r"))
        #expect(text == "CLUP:1:\u{1A}1\r" + Self.code + "\r")
    }

    @Test("Keys that are no characters spoil the code; Caps Lock and Num Lock do not")
    func others() {
        #expect(read(Keys.stroke(KEY_LEFTCTRL) + Keys.stroke(KEY_A)) == "\u{1A}a")
        #expect(read(Keys.stroke(KEY_F1) + Keys.stroke(KEY_POWER)) == "\u{1A}\u{1A}")
        #expect(read(Keys.stroke(KEY_CAPSLOCK) + Keys.stroke(KEY_NUMLOCK)).isEmpty)
        #expect(
            read(Keys.stroke(KEY_KP0) + Keys.stroke(KEY_KP9) + Keys.stroke(KEY_KPENTER)) == "09\r")
        #expect(read(Keys.event(EV_REL, 0, 1) + Keys.event(EV_ABS, 0, 1)).isEmpty)
    }
}
