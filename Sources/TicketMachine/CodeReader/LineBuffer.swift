/// Cuts the bytes of a reader into codes at CR, LF, Tab and ETX; STX, which some readers send before a code, is none of it. Bytes beyond the length of a code stay one unreadable
/// code, however many there are.
struct LineBuffer {
    /// A code has at most 128 characters; one more shows that it is too long.
    static let maxBytes = 129
    /// A reader sends a whole code within a tenth of a second; a silence this long ends the code.
    static let endOfCodeSilence: Duration = .milliseconds(300)
    /// A shorter rest without an end is no code but a disturbance of the line, for example at plugging in.
    static let minCodeLength = 8

    private static let startOfText: UInt8 = 0x02

    private let silence: Duration
    private var bytes: [UInt8] = []
    private var last: Duration = .zero

    init(silence: Duration = endOfCodeSilence) { self.silence = silence }

    /// The time when `timePassed` ends a code that came without an end; nil if there is none.
    var deadline: Duration? { bytes.isEmpty ? nil : last + silence }

    /// - Parameter now: the monotonic clock.
    mutating func take(_ more: some Sequence<UInt8>, now: Duration) -> [String] {
        var codes: [String] = []
        for byte in more {
            last = now
            switch byte {
            case Self.startOfText: continue
            case 0x03, 0x09, 0x0A, 0x0D: if !bytes.isEmpty { codes.append(cut()) }
            default: if bytes.count < Self.maxBytes { bytes.append(byte) }
            }
        }
        return codes
    }

    /// The rest of a code that stopped in the middle; it is taken out so that the next code does not begin with it.
    mutating func timePassed(now: Duration) -> String? {
        guard let deadline, now >= deadline else { return nil }
        let rest = cut()
        return rest.utf8.count >= Self.minCodeLength ? rest : nil
    }

    private mutating func cut() -> String {
        defer { bytes = [] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
