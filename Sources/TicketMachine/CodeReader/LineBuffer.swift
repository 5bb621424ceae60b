/// Cuts what a reader sends into codes at CR, LF and Tab; what is longer than a code may be stays one
/// unreadable code, however long it goes on.
struct LineBuffer {
    /// A code has at most 128 characters; one more shows that there were too many.
    static let longest = 129
    /// A reader sends a whole code within a tenth of a second; a silence this long is its end.
    static let endOfCodeSilence: Duration = .milliseconds(300)
    /// A shorter rest without an end is a disturbance of the line, as at plugging in, and no code.
    static let minCodeLength = 8

    private let silence: Duration
    private var bytes: [UInt8] = []
    private var last: Duration = .zero

    init(silence: Duration = endOfCodeSilence) { self.silence = silence }

    /// When `timePassed` ends a code that came without an end; nil while there is none.
    var deadline: Duration? { bytes.isEmpty ? nil : last + silence }

    /// - Parameter now: the monotonic clock.
    mutating func take(_ more: some Sequence<UInt8>, now: Duration) -> [String] {
        var codes: [String] = []
        for byte in more {
            last = now
            switch byte {
            case 0x09, 0x0A, 0x0D:
                if !bytes.isEmpty { codes.append(cut()) }
            default:
                if bytes.count < Self.longest { bytes.append(byte) }
            }
        }
        return codes
    }

    /// The rest of a code that stopped in the middle, so that the next one does not begin with it.
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
