import TerminalSurface

/// Reads the mouse reports of xterm's mode 1006, `ESC [ < button ; column ; row M` or `m` (XTerm Control Sequences,
/// "Extended coordinates").
///
/// This is for terminals whose description has no `XM`, such as tmux-256color: they support the mode all the same,
/// and without it a place beyond column 223 cannot be reported. ncurses passes such a report on as single characters.
/// It does the same with the sequences of keys that are missing in the description.
struct SGRMouse {
    enum Step: Equatable {
        /// The character is no part of a report.
        case other
        /// The character is, or may be, part of a report; more characters are needed.
        case taken
        case event(TerminalEvent)
        /// The characters taken are no report after all: they were typed.
        case typed([UInt32])
    }

    /// More characters than in any report, which has three numbers of five digits.
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
        // The last character of the lead distinguishes a report from the sequence of a key.
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

    /// Whether the characters taken can only be a report.
    private var isReport: Bool { taken.starts(with: Self.lead) }

    /// Takes the sequence of a key that is missing in the terminal's description, for example Ctrl-Alt-F2: it is one
    /// key and not typed text (ECMA-48 5.4: parameters and intermediate bytes, then a final one).
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

    /// Returns the characters that did not become a report, when no more come.
    mutating func flush() -> [UInt32] {
        // The rest of a certain report is waited for; a lone Escape is a key.
        guard !isReport else { return [] }
        defer { taken = [] }
        return taken
    }

    private mutating func giveUp(_ code: UInt32) -> Step {
        guard isInReport else { return .other }
        let (given, wasReport) = (taken, isReport)
        taken = []
        // No person types the beginning of a report. A broken report is dropped and its Escape is no key, but the
        // character that broke it may begin the next report.
        return wasReport ? take(code) : .typed(given + [code])
    }

    private func event(isRelease: Bool) -> Step {
        let text = String(String.UnicodeScalarView(taken[3...].compactMap(Unicode.Scalar.init)))
        let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let button = numbers[0], let column = numbers[1],
            let row = numbers[2], button == 0, column >= 1, row >= 1
        else {
            // A report of another button, the wheel or a movement is ignored.
            return .taken
        }
        let place = GridPosition(row: row - 1, column: column - 1)
        return .event(isRelease ? .release(place) : .press(place))
    }
}
