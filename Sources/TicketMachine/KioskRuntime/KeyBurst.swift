internal import Reservations
internal import TerminalSurface

/// Distinguishes a code reader that acts as a keyboard from a person at a keyboard, by the time between the keys.
///
/// A reader types a whole code with gaps of a few milliseconds and ends with Enter or Tab; measured through a terminal
/// the gaps were at most 30 ms, a person's at least 100 ms. Only an observed silence ends a burst, because keys that
/// waited in the queue of a busy machine arrive together. A first key waits for that silence too: a code may begin with
/// a space or with Enter, which would press the button in focus.
///
/// A burst with characters and a key that navigates or chooses comes from a reader, even if it is short or no known
/// code: it presses no button.
struct KeyBurst {
    enum Outcome: Equatable {
        /// A code or another text that a reader typed, exactly as it arrived, with its control characters.
        case code(String)
        /// Keys that a person pressed.
        case keys([TerminalEvent.Key])
    }

    /// The silence that ends a burst; even a fast typist's gaps are longer.
    static let gap: Duration = .milliseconds(60)
    /// The fewest characters that count as a reader's text without an end key: typed codes have ten digits, and a
    /// person who types a name or a PIN does not type eight keys without such a silence.
    static let minKeys = 8
    /// An entry code has 37 characters; a text longer than any code is cut, which makes it unreadable.
    static let maxCharacters = PresentedCode.maxCharacters + 1

    private var keys: [TerminalEvent.Key] = []
    private var last: Duration = .zero
    /// A code was just returned, and the reader may not have finished: LF may follow CR, or more lines.
    private var isFollowing = false

    /// When `silent` must be called; nil while no burst is open.
    var deadline: Duration? { keys.isEmpty && !isFollowing ? nil : last + Self.gap }

    /// Whether the present input comes from a reader, so that it is neither a touch nor a person's key.
    var isReading: Bool {
        isFollowing || keys.count >= Self.minKeys || keys.count > 1 && hasCharacters
    }

    private var hasCharacters: Bool { keys.contains { !$0.isControl } }

    /// Handles a key; returns the code that it ends, or the key before it if that was certainly a person's.
    mutating func pressed(_ key: TerminalEvent.Key, now: Duration) -> Outcome? {
        // A space may occur in a short text, and in a name that a person types fast.
        let isEnd = key == .choose || key == .next || key == .space && keys.count >= Self.minKeys
        last = now
        if keys.isEmpty, isFollowing, key.isControl { return nil }
        if keys.count == 1, keys[0].isControl, key.isControl {
            // A person holds a key down, or presses one after the other.
            defer { keys = [key] }
            return .keys(keys)
        }
        if isEnd, hasCharacters || keys.count >= Self.minKeys {
            isFollowing = true
            return .code(take())
        }
        if keys.count < Self.maxCharacters { keys.append(key) }
        return nil
    }

    /// Ends the burst after a silence; called when all available input has been read.
    mutating func silent(now: Duration) -> Outcome? {
        guard let deadline, now >= deadline else { return nil }
        let isFromReader =
            isFollowing || keys.count >= Self.minKeys
            || hasCharacters && keys.contains { $0.isControl && $0 != .space }
        isFollowing = false
        if keys.isEmpty { return nil }
        if isFromReader { return .code(take()) }
        defer { keys = [] }
        // Among characters, a space is a character and chooses nothing.
        return .keys(hasCharacters ? keys.map { $0 == .space ? .character(" ") : $0 } : keys)
    }

    /// The code without the control characters that a reader sends before it.
    private mutating func take() -> String {
        defer { keys = [] }
        return String(String.UnicodeScalarView(keys.drop(while: \.isControl).map(\.scalar)))
    }
}

extension TerminalEvent.Key {
    /// Whether the key navigates or chooses: a person pressed it, or a reader sent it before or after a code.
    fileprivate var isControl: Bool { if case .character = self { false } else { true } }

    /// The key as a character of a code: a navigation key becomes a control character, which makes the code unreadable.
    fileprivate var scalar: Unicode.Scalar {
        switch self {
        case .character(let scalar): scalar
        case .choose, .space: "\r"
        case .next: "\t"
        case .previous: "\u{B}"
        case .back: "\u{1B}"
        case .erase: "\u{8}"
        case .function: "\u{1C}"
        }
    }
}
