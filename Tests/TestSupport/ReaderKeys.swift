internal import CEvdev

/// The events of a code reader that acts as a keyboard with the US layout.
public enum ReaderKeys {
    /// The key that makes a character of a code, by Linux's number (linux/input-event-codes.h).
    public static func place(of character: Character) -> Int32? {
        let rows: [(Int32, String)] = [
            (KEY_1, "1234567890"), (KEY_Q, "QWERTYUIOP"), (KEY_A, "ASDFGHJKL:"), (KEY_Z, "ZXCVBNM"),
            (KEY_ENTER, "\r"), (KEY_TAB, "\t"),
        ]
        for (first, row) in rows {
            guard let index = row.firstIndex(of: character) else { continue }
            return first + Int32(row.distance(from: row.startIndex, to: index))
        }
        return nil
    }

    /// Whether the character needs Shift.
    public static func isShifted(_ character: Character) -> Bool {
        character.isUppercase || character == ":"
    }

    /// The events of a whole text as an event device hands them over.
    public static func events(typing text: String) -> [UInt8] {
        text.flatMap { character in
            let stroke = place(of: character).map(stroke) ?? []
            return isShifted(character) ? shifted(stroke) : stroke
        }
    }

    /// A key down and up, with the scan code that keyboards send before it.
    public static func stroke(_ code: Int32) -> [UInt8] {
        [1, 0].flatMap { event(EV_MSC, MSC_SCAN, 0x7_0004) + event(EV_KEY, code, $0) + report }
    }

    /// - Parameter shift: which of the two; the left one by default.
    public static func shifted(_ events: [UInt8], by shift: Int32? = nil) -> [UInt8] {
        let shift = shift ?? KEY_LEFTSHIFT
        return event(EV_KEY, shift, 1) + report + events + event(EV_KEY, shift, 0) + report
    }

    /// The end of the events of one moment.
    public static let report = event(EV_SYN, SYN_REPORT, 0)

    /// `struct input_event` of 64-bit Linux (linux/input.h), byte for byte.
    public static func event(_ type: Int32, _ code: Int32, _ value: Int32) -> [UInt8] {
        let time: [UInt8] = [0x15, 0xCD, 0x5B, 0x6A, 0, 0, 0, 0, 0x40, 0xE2, 1, 0, 0, 0, 0, 0]
        func bytes(_ number: Int32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * Int32($0))) }
        }
        return time + bytes(type, 2) + bytes(code, 2) + bytes(value, 4)
    }
}
