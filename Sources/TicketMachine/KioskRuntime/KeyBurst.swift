internal import TerminalSurface

/// Tells a code reader that acts as a keyboard from a person at one, by the pace of the keys.
///
/// A reader types a whole code with gaps of a few milliseconds and ends with Enter or Tab; seen through a
/// terminal the gaps were at most 30 ms, a person's at least 100 ms. Only a silence that was seen ends a
/// burst: keys that waited together in a busy machine's queue belong together. A first key waits for that
/// silence too: a code may begin with a space or with Enter, which would press the button in focus.
///
/// What characters and a key that moves about or chooses make in one burst is a reader's, however short and
/// unknown it is: it presses nothing.
struct KeyBurst {
    enum Outcome: Equatable {
        /// A code was read, or what a reader makes of something else: as it came, with its controls.
        case code(String)
        /// A person pressed these.
        case keys([TerminalEvent.Key])
    }

    /// The silence that ends a burst; a person types half as fast at best.
    static let gap: Duration = .milliseconds(60)
    /// Characters alone that are a reader's, which ends its codes with nothing: typed codes have ten digits,
    /// and a person who types a name or a PIN does not hit eight keys without such a silence.
    static let shortest = 8
    /// An entry code has 37 characters; what is longer than a code may be is cut, and unreadable.
    static let longest = 129

    private var keys: [TerminalEvent.Key] = []
    private var last: Duration = .zero
    /// A code has just been handed out, and the reader may not have finished: LF after CR, more lines.
    private var isFollowing = false

    /// When `silent` is to be called; nil while nothing is open.
    var deadline: Duration? { keys.isEmpty && !isFollowing ? nil : last + Self.gap }

    /// Whether what comes now comes from a reader: no touch and no key of a person's.
    var isReading: Bool {
        isFollowing || keys.count >= Self.shortest || keys.count > 1 && hasCharacters
    }

    private var hasCharacters: Bool { keys.contains { !$0.isControl } }

    /// A key was pressed; what it ended, or what the one before it means, being a person's for certain.
    mutating func pressed(_ key: TerminalEvent.Key, now: Duration) -> Outcome? {
        // A space may stand within a short text, and in a name that a person types fast.
        let isEnd =
            key == .choose || key == .next || key == .space && keys.count >= Self.shortest
        last = now
        if keys.isEmpty, isFollowing, key.isControl { return nil }
        if keys.count == 1, keys[0].isControl, key.isControl {
            // A person's, held down or one after the other.
            defer { keys = [key] }
            return .keys(keys)
        }
        if isEnd, hasCharacters || keys.count >= Self.shortest {
            isFollowing = true
            return .code(take())
        }
        if keys.count < Self.longest { keys.append(key) }
        return nil
    }

    /// Nothing more has come; to be called when everything that was there has been taken.
    mutating func silent(now: Duration) -> Outcome? {
        guard let deadline, now >= deadline else { return nil }
        let isReaders =
            isFollowing || keys.count >= Self.shortest
            || hasCharacters && keys.contains { $0.isControl && $0 != .space }
        isFollowing = false
        if keys.isEmpty { return nil }
        if isReaders { return .code(take()) }
        defer { keys = [] }
        // Among characters a space is one of them, and chooses nothing.
        return .keys(hasCharacters ? keys.map { $0 == .space ? .character(" ") : $0 } : keys)
    }

    /// The code, without what a reader sends before it.
    private mutating func take() -> String {
        defer { keys = [] }
        return String(String.UnicodeScalarView(keys.drop(while: \.isControl).map(\.scalar)))
    }
}

extension TerminalEvent.Key {
    /// Whether it moves about on a screen: a person's, or what stands before and after a reader's code.
    fileprivate var isControl: Bool { if case .character = self { false } else { true } }

    /// The key in a code: what moves about on a screen is a control, and makes the code unreadable.
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
