/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z, as the store and the wire count.
public struct Moment: Hashable, Comparable, Sendable, Codable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (left: Moment, right: Moment) -> Bool {
        left.milliseconds < right.milliseconds
    }

    public static func + (moment: Moment, duration: Duration) -> Moment {
        Moment(milliseconds: moment.milliseconds + duration.wholeMilliseconds)
    }

    public static func - (moment: Moment, duration: Duration) -> Moment {
        Moment(milliseconds: moment.milliseconds - duration.wholeMilliseconds)
    }

    public static func - (later: Moment, earlier: Moment) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }
}

extension Duration {
    /// The duration in milliseconds, what is finer cut off.
    public var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }

    public static func minutes(_ count: Int) -> Duration { .seconds(60 * count) }

    /// In whole milliseconds, towards zero.
    public static func minutes(_ count: Double) -> Duration {
        .milliseconds(Int64(count * 60_000))
    }

    /// The minutes of its whole milliseconds, as the probabilities of stays and waits are reckoned in.
    public var inMinutes: Double { Double(wholeMilliseconds) / 60_000 }
}
