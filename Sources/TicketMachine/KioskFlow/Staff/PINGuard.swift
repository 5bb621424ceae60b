/// Counts wrong PINs and limits when the next may be tried: three are free, each further one makes the wait longer, and
/// ten in a row end all further attempts.
///
/// The count belongs to the machine or to a badge, not to the person whose PIN is guessed, so that an attacker gets no
/// more attempts if more people have a PIN. An attempt counts as wrong before it is checked, so that ending the program
/// in between gains nothing. Times are on a clock that cannot be set (CLOCK_BOOTTIME).
public struct PINGuard: Hashable, Sendable {
    /// Consecutive attempts that were not right, including the one under way.
    public private(set) var failures: Int
    /// When the next attempt is allowed.
    public private(set) var opens: Duration

    static let freeFailures = 3
    /// After so many consecutive attempts it is locked until a manager or an administrator unlocks it.
    static let maxFailures = 10
    private static let maxPINDelay: Duration = .seconds(3_600)

    public enum Availability: Hashable, Sendable {
        case open
        case wait(Duration)
        case locked
    }

    public static let untouched = PINGuard(failures: 0, opens: .zero)

    private init(failures: Int, opens: Duration) {
        self.failures = failures
        self.opens = opens
    }

    /// Restores the count from the disk.
    ///
    /// - Parameters:
    ///   - opens: the end of the wait, on the clock of the system start in which it was stored.
    ///   - isSameBoot: whether that is the present start; otherwise the full wait begins again, since it is unknown how
    ///     long the machine was off.
    public init(failures: Int, opens: Duration, isSameBoot: Bool, now: Duration) {
        let failures = max(0, failures)
        let whole = Self.wait(after: failures)
        // A file that was changed cannot make the wait longer than the rule does.
        self.init(failures: failures, opens: isSameBoot ? min(opens, now + whole) : now + whole)
    }

    /// Whether an attempt is allowed now.
    public func availability(now: Duration) -> Availability {
        if failures >= Self.maxFailures { return .locked }
        return now < opens ? .wait(opens - now) : .open
    }

    /// Begins an attempt; the PIN may be checked only if the result is `open`.
    public mutating func begin(now: Duration) -> Availability {
        let availability = availability(now: now)
        guard availability == .open else { return availability }
        failures += 1
        opens = now + Self.wait(after: failures)
        return .open
    }

    /// The PIN was right.
    public mutating func succeeded() { self = .untouched }

    /// 30 s after the third wrong attempt, then 1, 2, 4 ... minutes; the tenth attempt locks before the limit of an
    /// hour.
    static func wait(after failures: Int) -> Duration {
        guard failures >= freeFailures else { return .zero }
        let doubled = min(failures - freeFailures, 7)
        return min(.seconds(30 << doubled), maxPINDelay)
    }
}
