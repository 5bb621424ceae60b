/// Tells a code reader that acts as a keyboard from a person at one, by the pace of the keys.
///
/// A reader types a whole code with gaps of a few milliseconds and ends with Enter; seen through a
/// terminal the gaps were at most 30 ms, a person's at least 100 ms.
struct KeyBurst {
    enum Outcome: Equatable {
        /// A code was read: at least `shortest` characters at a reader's pace.
        case code(String)
        /// A person typed these.
        case keys(String)
    }

    /// The longest gap within a burst; a person types half as fast at best.
    static let gap: Duration = .milliseconds(60)
    /// Typed codes have ten digits; a person does not hit eight keys within half a second.
    static let shortest = 8
    /// An entry code has 37 characters; what is longer than a code may be is cut, and unreadable.
    static let longest = 129

    private var characters = ""
    private var last: Duration = .zero

    /// When `timePassed` ends what has been typed so far; nil while nothing is.
    var deadline: Duration? { characters.isEmpty ? nil : last + Self.gap }

    /// A character has come; what came before a longer gap is a person's and is handed out.
    mutating func typed(_ scalar: Unicode.Scalar, now: Duration) -> Outcome? {
        let before = timePassed(now: now)
        if characters.unicodeScalars.count < Self.longest {
            characters.unicodeScalars.append(scalar)
        }
        last = now
        return before
    }

    /// Enter has come: true where it ended a burst and is no key of a person's.
    mutating func ended(now: Duration) -> Outcome? {
        guard !characters.isEmpty, now - last <= Self.gap,
            characters.unicodeScalars.count >= Self.shortest
        else { return nil }
        return take()
    }

    mutating func timePassed(now: Duration) -> Outcome? {
        guard let deadline, now > deadline else { return nil }
        return take()
    }

    private mutating func take() -> Outcome {
        defer { characters = "" }
        return characters.unicodeScalars.count >= Self.shortest
            ? .code(characters) : .keys(characters)
    }
}
