import TerminalSurface

/// Reads the mouse reports of xterm's mode 1006, `ESC [ < button ; column ; row M` or `m` (XTerm
/// Control Sequences, "Extended coordinates").
///
/// For terminals whose description has no `XM`, as tmux-256color: they know the mode all the same,
/// and without it a place beyond column 223 cannot be told. ncurses hands such a report over as
/// single characters. So it does with the sequences of keys that the description does not have.
struct SGRMouse {
    enum Step: Equatable {
        /// The character is no part of a report.
        case other
        /// It is, or may be; more is needed.
        case taken
        case event(TerminalEvent)
        /// What was taken is none after all: these characters were typed.
        case typed([UInt32])
    }

    /// Longer than any report: three numbers of five digits.
    private static let maxReportLength = 24
    private static let lead = Array("\u{1B}[<".unicodeScalars.map(\.value))

    private var taken: [UInt32] = []

    var isInReport: Bool { !taken.isEmpty }

    mutating func take(_ code: UInt32) -> Step {
        let index = taken.count
        if index < Self.lead.count, code == Self.lead[index] {
            taken.append(code)
            return .taken
        }
        // Of its lead the last character tells a report from the sequence of a key.
        if index < Self.lead.count - 1 { return giveUp(code) }
        guard isReport else { return takeKey(code) }
        switch code {
        case 0x30...0x39, 0x3B:
            guard index < Self.maxReportLength else { return giveUp(code) }
            taken.append(code)
            return .taken
        case 0x4D, 0x6D:
            defer { taken = [] }
            return event(isRelease: code == 0x6D)
        default: return giveUp(code)
        }
    }

    /// Whether what was taken can be nothing but a report.
    private var isReport: Bool { taken.starts(with: Self.lead) }

    /// The sequence of a key that the terminal's description does not have, as Ctrl-Alt-F2: one key, and nobody's text
    /// (ECMA-48 5.4: parameters and intermediate bytes, then a final one).
    private mutating func takeKey(_ code: UInt32) -> Step {
        switch code {
        case 0x20...0x3F where taken.count < Self.maxReportLength:
            taken.append(code)
            return .taken
        case 0x40...0x7E:
            taken = []
            return .event(.key(.function(0)))
        default: return giveUp(code)
        }
    }

    /// What was taken without becoming a report, once nothing more comes.
    mutating func flush() -> [UInt32] {
        // A report that has begun for certain is waited for; a lone Escape is a key.
        guard !isReport else { return [] }
        defer { taken = [] }
        return taken
    }

    private mutating func giveUp(_ code: UInt32) -> Step {
        guard isInReport else { return .other }
        let (given, wasReport) = (taken, isReport)
        taken = []
        // Nobody types the beginning of a report: a broken one is dropped, its Escape is no key, and
        // what broke it may begin the next.
        return wasReport ? take(code) : .typed(given + [code])
    }

    private func event(isRelease: Bool) -> Step {
        let text = String(String.UnicodeScalarView(taken[3...].compactMap(Unicode.Scalar.init)))
        let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let button = numbers[0], let column = numbers[1],
            let row = numbers[2], button == 0, column >= 1, row >= 1
        else {
            // Another button, the wheel, a movement: taken, and nothing of ours.
            return .taken
        }
        let place = GridPosition(row: row - 1, column: column - 1)
        return .event(isRelease ? .release(place) : .press(place))
    }
}
