import CEvdev
import TestSupport
import Testing

@testable import CodeReader

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

    @Test("A code is read whole, whatever its pieces", arguments: [1, 7, 24, 100, 4_096])
    func pieces(size: Int) {
        #expect(read(ReaderKeys.events(typing: Self.code + "\r"), pieces: size) == Self.code + "\r")
    }

    @Test("The kernel's bytes are read in its layout: A down, in little-endian order")
    func bytes() {
        let down: [UInt8] = [
            0x15, 0xCD, 0x5B, 0x6A, 0, 0, 0, 0, 0x40, 0xE2, 1, 0, 0, 0, 0, 0, 1, 0, 30, 0, 1, 0, 0,
            0,
        ]
        #expect(read(down) == "a")
        #expect(read(Array(down.dropLast())).isEmpty)
    }

    @Test("Repeated keys and releases are no characters; either Shift holds over several keys")
    func repeats() {
        let repeated =
            ReaderKeys.event(EV_KEY, KEY_A, 1) + ReaderKeys.event(EV_KEY, KEY_A, 2)
            + ReaderKeys.event(EV_KEY, KEY_A, 2) + ReaderKeys.event(EV_KEY, KEY_A, 0)
        #expect(read(repeated) == "a")
        let held =
            ReaderKeys.stroke(KEY_C) + ReaderKeys.stroke(KEY_SEMICOLON) + ReaderKeys.stroke(KEY_1)
        #expect(read(ReaderKeys.shifted(held) + held) == "C:!c;1")
        let both =
            ReaderKeys.event(EV_KEY, KEY_LEFTSHIFT, 1) + ReaderKeys.shifted([], by: KEY_RIGHTSHIFT)
        #expect(read(both + ReaderKeys.stroke(KEY_C)) == "C")
        #expect(read(ReaderKeys.event(EV_KEY, KEY_LEFTSHIFT, 2) + ReaderKeys.stroke(KEY_C)) == "C")
    }

    @Test("Lost events spoil only the code they were in; a lost release leaves no Shift down")
    func dropped() {
        let lost =
            ReaderKeys.event(EV_KEY, KEY_LEFTSHIFT, 1) + ReaderKeys.event(EV_SYN, SYN_DROPPED, 0)
            + ReaderKeys.event(EV_KEY, KEY_X, 1) + ReaderKeys.report
        let text = read(
            ReaderKeys.events(typing: "CLUP:1:") + lost
                + ReaderKeys.events(typing: "1\r" + Self.code + "\r"))
        #expect(text == "CLUP:1:\u{1A}1\r" + Self.code + "\r")
    }

    @Test("Keys without a character spoil the code; locks, modifiers and function keys do not")
    func others() {
        #expect(read(ReaderKeys.stroke(KEY_LEFTALT) + ReaderKeys.stroke(KEY_A)) == "\u{1A}a")
        #expect(read(ReaderKeys.stroke(KEY_LEFTCTRL) + ReaderKeys.stroke(KEY_A)) == "a")
        #expect(read(ReaderKeys.stroke(KEY_F1) + ReaderKeys.stroke(KEY_POWER)) == "\u{1A}")
        #expect(read(ReaderKeys.stroke(KEY_CAPSLOCK) + ReaderKeys.stroke(KEY_NUMLOCK)).isEmpty)
        #expect(
            read(
                ReaderKeys.stroke(KEY_KP0) + ReaderKeys.stroke(KEY_KP9)
                    + ReaderKeys.stroke(KEY_KPENTER)) == "09\r")
        #expect(read(ReaderKeys.event(EV_REL, 0, 1) + ReaderKeys.event(EV_ABS, 0, 1)).isEmpty)
    }
}
