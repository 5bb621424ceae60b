/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z, as in the store and on the wire.
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
    /// The duration in whole milliseconds; finer parts are cut off.
    public var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }

    /// The duration in whole seconds; finer parts are cut off.
    public var wholeSeconds: Int { Int(components.seconds) }

    public static func minutes(_ count: Int) -> Duration { .seconds(60 * count) }

    /// A duration of so many minutes in whole milliseconds, rounded towards zero.
    public static func minutes(_ count: Double) -> Duration { .milliseconds(Int64(count * 60_000)) }

    /// The duration's whole milliseconds in minutes, the unit of the probabilities of stays and waits.
    public var inMinutes: Double { Double(wholeMilliseconds) / 60_000 }
}
