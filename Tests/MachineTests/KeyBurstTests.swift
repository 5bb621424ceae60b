import Reservations
import TerminalSurface
import Testing

@testable import KioskRuntime

/// Types keys at a given pace and lets the machine see the silences between them.
private struct Keyboard {
    var burst = KeyBurst()
    var now: Duration = .seconds(10)
    var outcomes: [KeyBurst.Outcome] = []

    mutating func types(_ keys: [TerminalEvent.Key], every pace: Duration) {
        for key in keys {
            rests(pace)
            burst.pressed(key, now: now).map { outcomes.append($0) }
        }
    }

    mutating func types(_ text: String, every pace: Duration = .milliseconds(10)) {
        types(text.unicodeScalars.map { .character($0) }, every: pace)
    }

    mutating func rests(_ time: Duration) {
        now += time
        burst.silent(now: now).map { outcomes.append($0) }
    }
}

@Suite("A code reader that acts as a keyboard, distinguished from a person")
struct KeyBurstTests {
    private static let code = "CLUP:1:CITT000G40R40M30E209185GR38E1W"

    static let ends: [[TerminalEvent.Key]] = [
        [.choose], [.choose, .choose], [.next], [.next, .choose], [],
    ]

    @Test(
        "A code ends with CR, LF, CRLF, Tab or silence; neither its end nor keys before it press a button",
        arguments: [[], [.choose], [.next], [.back]] as [[TerminalEvent.Key]], Self.ends)
    func ended(prefix: [TerminalEvent.Key], end: [TerminalEvent.Key]) {
        for pace in [0, 1, 10, 30] {
            var keyboard = Keyboard()
            keyboard.types(prefix, every: .milliseconds(pace))
            keyboard.types(Self.code, every: .milliseconds(pace))
            keyboard.types(end, every: .milliseconds(pace))
            keyboard.rests(.seconds(1))
            #expect(keyboard.outcomes == [.code(Self.code)])
            #expect(keyboard.burst.deadline == nil)
        }
    }

    @Test(
        "A link of the greatest length is read whole, and 4 KiB of rubbish are one unreadable code",
        arguments: [
            ("h", Capability.maxLinkBytes, Capability.maxLinkBytes),
            ("é", Capability.maxLinkBytes, Capability.maxLinkBytes),
            ("x", 4_096, KeyBurst.maxCharacters),
        ])
    func long(character: String, typed: Int, read: Int) {
        var keyboard = Keyboard()
        keyboard.types(String(repeating: character, count: typed), every: .milliseconds(1))
        keyboard.types([.choose], every: .milliseconds(1))
        keyboard.rests(.seconds(1))
        #expect(keyboard.outcomes == [.code(String(repeating: character, count: read))])
    }

    @Test("Keys that a person types are keys, each after a silence too short to notice")
    func person() {
        var keyboard = Keyboard()
        keyboard.types([.next, .choose], every: .milliseconds(150))
        keyboard.rests(KeyBurst.gap)
        #expect(keyboard.outcomes == [.keys([.next]), .keys([.choose])])
        keyboard.types("041", every: .milliseconds(150))
        keyboard.types([.choose, .back], every: .milliseconds(150))
        keyboard.rests(KeyBurst.gap)
        #expect(
            keyboard.outcomes.dropFirst(2) == [
                .keys([.character("0")]), .keys([.character("4")]), .keys([.character("1")]),
                .keys([.choose]), .keys([.back]),
            ])
        #expect(KeyBurst.gap <= .milliseconds(60))
    }

    @Test(
        "A short burst comes from a reader, and neither it nor its end presses anything",
        arguments: ["4", "42", "1234", "12345", "123456", "ABC", "A B"], Self.ends.prefix(4))
    func short(text: String, end: [TerminalEvent.Key]) {
        let keys = text.unicodeScalars.map {
            $0 == " " ? TerminalEvent.Key.space : .character($0)
        }
        for prefix in [[], [.choose], [.next]] as [[TerminalEvent.Key]] {
            for pace in [0, 1, 10, 30] {
                var keyboard = Keyboard()
                keyboard.types(prefix + keys + end, every: .milliseconds(pace))
                keyboard.rests(.seconds(1))
                let read = text.replacing(" ", with: "\r")
                #expect(keyboard.outcomes == [.code(read)], "\(prefix) \(text) \(end) \(pace)")
            }
        }
    }

    @Test("A burst of characters alone presses no button: a space in it is a character")
    func unended() {
        var keyboard = Keyboard()
        keyboard.types([.character("A"), .space, .character("B")], every: .milliseconds(10))
        keyboard.rests(.seconds(1))
        #expect(
            keyboard.outcomes == [
                .keys([.character("A"), .character(" "), .character("B")])
            ])
        // Keys that come this fast are read as a code.
        keyboard.types("AB", every: .milliseconds(10))
        #expect(keyboard.burst.isReading)
    }

    @Test("A key that a person holds down repeats and is no code")
    func held() {
        var keyboard = Keyboard()
        keyboard.types(Array(repeating: .next, count: 20), every: .milliseconds(30))
        keyboard.rests(KeyBurst.gap)
        #expect(keyboard.outcomes == Array(repeating: .keys([.next]), count: 20))
    }

    @Test("Half a code times out as a code, and the next one does not begin with it")
    func half() {
        var keyboard = Keyboard()
        keyboard.types(String(Self.code.prefix(20)))
        keyboard.rests(.milliseconds(61))
        keyboard.types(Self.code)
        keyboard.types([.choose], every: .milliseconds(10))
        #expect(keyboard.outcomes == [.code(String(Self.code.prefix(20))), .code(Self.code)])
    }

    @Test("Two codes back to back are two codes")
    func twice() {
        var keyboard = Keyboard()
        for _ in 0..<2 {
            keyboard.types(Self.code)
            keyboard.types([.choose, .choose], every: .milliseconds(1))
        }
        keyboard.rests(.seconds(1))
        #expect(keyboard.outcomes == [.code(Self.code), .code(Self.code)])
    }

    @Test("Control characters within a code stay in it, and none of them presses anything")
    func controls() {
        var keyboard = Keyboard()
        keyboard.types("BEGIN")
        keyboard.types([.choose, .back, .next, .previous, .character("\u{1}")], every: .zero)
        keyboard.types([.choose, .back], every: .milliseconds(1))
        keyboard.types("N:")
        keyboard.rests(.seconds(1))
        // Keys that follow a code belong to the same reader, however few they are.
        #expect(keyboard.outcomes == [.code("BEGIN"), .code("\u{1}"), .code("N:")])
        var others = Keyboard()
        others.types("BEGIN:VCARD")
        others.types([.choose, .back, .choose], every: .milliseconds(1))
        others.types("N:")
        others.types([.choose], every: .milliseconds(1))
        #expect(others.burst.isReading)
        others.rests(.seconds(1))
        #expect(others.outcomes == [.code("BEGIN:VCARD"), .code("N:")])
        #expect(!others.burst.isReading)
    }

    @Test("Keys that waited in the queue of a busy machine belong together")
    func busy() {
        var burst = KeyBurst()
        for (index, scalar) in Self.code.unicodeScalars.enumerated() {
            let now: Duration = .seconds(index < 9 ? 1 : 3)
            #expect(burst.pressed(.character(scalar), now: now) == nil)
        }
        #expect(burst.pressed(.choose, now: .seconds(3)) == .code(Self.code))
    }
}
