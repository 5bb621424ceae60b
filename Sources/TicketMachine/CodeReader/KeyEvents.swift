internal import CEvdev

/// Turns the key events of a code reader that is a keyboard into characters.
///
/// An event device delivers a row of `struct input_event` (linux/input.h): 16 bytes of time, then type, code and
/// value. The reader must be set to the US keyboard, because events name positions of keys, not letters.
struct KeyEvents {
    /// Marks a code as unreadable, for a key that is no character and for lost events.
    static let unknown: UInt8 = 0x1A

    private var rest: [UInt8] = []
    private var shifts: Set<Int32> = []
    private var controls: Set<Int32> = []
    /// Whether the kernel's buffer was full: the events up to the next report are incomplete then.
    private var isDropping = false

    /// The characters of the keys that were pressed; a read may end in the middle of an event.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        rest += bytes
        let size = MemoryLayout<input_event>.size
        var characters: [UInt8] = []
        var start = 0
        while rest.count - start >= size {
            let event = rest[start..<(start + size)].withUnsafeBytes {
                $0.loadUnaligned(as: input_event.self)
            }
            characters += take(event)
            start += size
        }
        rest.removeFirst(start)
        return characters
    }

    private mutating func take(_ event: input_event) -> [UInt8] {
        switch Int32(event.type) {
        case EV_SYN where Int32(event.code) == SYN_DROPPED:
            isDropping = true
            // The release of a shift key may be among the lost events.
            shifts = []
            controls = []
            return [Self.unknown]
        case EV_SYN:
            isDropping = false
            return []
        case EV_KEY where !isDropping: return key(Int32(event.code), value: event.value)
        default: return []
        }
    }

    /// - Parameter value: 0 up, 1 down, 2 repeated.
    private mutating func key(_ code: Int32, value: Int32) -> [UInt8] {
        if code == KEY_LEFTSHIFT || code == KEY_RIGHTSHIFT {
            if value == 0 { shifts.remove(code) } else { shifts.insert(code) }
            return []
        }
        if code == KEY_LEFTCTRL || code == KEY_RIGHTCTRL {
            if value == 0 { controls.remove(code) } else { controls.insert(code) }
            return []
        }
        // Small letters are accepted like capitals, and the digits of the keypad stay digits.
        guard value == 1, !Self.withoutMeaning.contains(code) else { return [] }
        guard controls.isEmpty else { return [Self.controlled[code] ?? Self.unknown] }
        let pair = Self.characters[code]
        return [(shifts.isEmpty ? pair?.plain : pair?.shifted) ?? Self.unknown]
    }

    /// What readers send before or after a code: locks, and a key that an application listens for.
    private static let withoutMeaning = Set(
        [KEY_CAPSLOCK, KEY_NUMLOCK, KEY_SCROLLLOCK, KEY_ESC, KEY_F11, KEY_F12] + (KEY_F1...KEY_F10)
            + (KEY_F13...KEY_F24))
    /// The control characters (ASCII) of keys with Ctrl that readers send around a code: STX, ETX, LF and CR.
    private static let controlled: [Int32: UInt8] = [
        KEY_B: 0x02, KEY_C: 0x03, KEY_J: 0x0A, KEY_M: 0x0D,
    ]

    /// The characters of the keys of the US keyboard, alone and with Shift.
    private static let characters: [Int32: (plain: UInt8, shifted: UInt8)] = {
        var table: [Int32: (plain: UInt8, shifted: UInt8)] = [:]
        func row(_ first: Int32, _ plain: String, _ shifted: String) {
            for (index, pair) in zip(plain.utf8, shifted.utf8).enumerated() {
                table[first + Int32(index)] = pair
            }
        }
        // Keys beside each other have consecutive codes.
        row(KEY_1, "1234567890-=", "!@#$%^&*()_+")
        row(KEY_Q, "qwertyuiop[]", "QWERTYUIOP{}")
        row(KEY_A, "asdfghjkl;'`", "ASDFGHJKL:\"~")
        row(KEY_BACKSLASH, "\\zxcvbnm,./", "|ZXCVBNM<>?")
        row(KEY_SPACE, " ", " ")
        row(KEY_KP7, "789-456+1230.", "789-456+1230.")
        row(KEY_KPASTERISK, "*", "*")
        row(KEY_KPSLASH, "/", "/")
        for end in [KEY_ENTER, KEY_KPENTER] { row(end, "\r", "\r") }
        row(KEY_TAB, "\t", "\t")
        return table
    }()
}
