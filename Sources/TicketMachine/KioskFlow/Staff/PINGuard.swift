/// Counts wrong PINs and says when the next may be tried: three are free, then each one more makes the
/// wait longer, and ten in a row end it.
///
/// One for the machine, not for a person: who guesses has no more tries where more people have a PIN.
/// A try counts as wrong before it is looked at, so that ending the program in between gains nothing.
/// Times are on a clock that nobody can set (CLOCK_BOOTTIME).
public struct PINGuard: Hashable, Sendable {
    /// Tries in a row that were not right, the one under way among them.
    public private(set) var failures: Int
    /// When the next may be tried.
    public private(set) var opens: Duration

    static let free = 3
    /// So many in a row lock it until somebody unlocks it.
    static let most = 10
    private static let maxPINDelay: Duration = .seconds(3_600)

    public enum Gate: Hashable, Sendable {
        case open
        case wait(Duration)
        case locked
    }

    public static let untouched = PINGuard(failures: 0, opens: .zero)

    private init(failures: Int, opens: Duration) {
        self.failures = failures
        self.opens = opens
    }

    /// Takes up what was kept on the disk.
    ///
    /// - Parameters:
    ///   - opens: on the clock of the start of the system it was kept in.
    ///   - isSameBoot: whether that is the present one; else the wait begins again in whole, since
    ///     nothing says how long the machine was off.
    public init(failures: Int, opens: Duration, isSameBoot: Bool, now: Duration) {
        let failures = max(0, failures)
        let whole = Self.wait(after: failures)
        // Also where the file was changed: never longer than the rule says.
        self.init(
            failures: failures, opens: isSameBoot ? min(opens, now + whole) : now + whole)
    }

    /// What a try would meet now.
    public func gate(now: Duration) -> Gate {
        if failures >= Self.most { return .locked }
        return now < opens ? .wait(opens - now) : .open
    }

    /// A try is about to be looked at; only where the answer is `open` may it be.
    public mutating func begin(now: Duration) -> Gate {
        let gate = gate(now: now)
        guard gate == .open else { return gate }
        failures += 1
        opens = now + Self.wait(after: failures)
        return .open
    }

    /// The try was right.
    public mutating func succeeded() { self = .untouched }

    /// 30 s after the third, then 1, 2, 4 ... minutes, an hour at most.
    static func wait(after failures: Int) -> Duration {
        guard failures >= free else { return .zero }
        let doubled = min(failures - free, 7)
        return min(.seconds(30 << doubled), maxPINDelay)
    }
}
