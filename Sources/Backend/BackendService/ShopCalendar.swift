public import Reservations
private import Synchronization
private import TimeZones

/// Turns a shop's opening hours into moments; the only type that knows time zones (rules: times).
public final class ShopCalendar: Sendable {
    /// Today and a month of the longest kind, so that "the next opening within a month" is included.
    public static let days = 33

    /// Hours in a time zone: shops that share them share their openings, which take longer to compute than to find.
    private struct Week: Hashable {
        let timeZone: String
        let hours: OpeningHours
    }

    /// All is forgotten when so many are known, among them hours that no shop has any more.
    private static let maxWeeks = 10_000

    /// The openings of each week's hours, and the first day that they were last asked for.
    private let cache = Mutex<[Week: (today: CalendarDay, openings: [OpenInterval])]>([:])

    private let zones = Mutex<[String: TimeZoneRules]>([:])

    public init() {}

    /// Whether the system's time zone data knows a name as "Europe/Rome".
    public static func knows(timeZone: String) -> Bool { TimeZoneRules(name: timeZone) != nil }

    /// The moment as the shop's clock shows it, or as Greenwich's clock does if the zone is unknown.
    public func local(_ moment: Moment, in shop: Shop) -> LocalMoment {
        Self.local(moment, zone(of: shop))
    }

    /// When a day begins on the shop's clock.
    public func midnight(of day: CalendarDay, in shop: Shop) -> Moment {
        guard let midnight = TimeOfDay(minutes: 0) else { return Moment(milliseconds: 0) }
        return Self.moment(day, midnight, zone(of: shop))
    }

    /// The moment of a time on the shop's clock; the first one if the clock shows the time twice.
    public func moment(_ day: CalendarDay, _ time: TimeOfDay, in shop: Shop) -> Moment {
        Self.moment(day, time, zone(of: shop))
    }

    /// The present opening, if there is one, and those of the days to come, in order.
    public func openings(of shop: Shop, from now: Moment) -> [OpenInterval] {
        let zone = zone(of: shop)
        let today = Self.local(now, zone).day
        let week = Week(timeZone: shop.timeZone, hours: shop.hours)
        let known = cache.withLock { $0[week] }
        let all: [OpenInterval]
        if let known, known.today == today {
            all = known.openings
        } else {
            // The present opening may follow one of yesterday.
            all =
                (-1..<Self.days).flatMap {
                    Self.openings(of: shop, on: today.advanced(by: $0), zone)
                }.joined
            cache.withLock { cache in
                if cache.count >= Self.maxWeeks { cache = [:] }
                cache[week] = (today, all)
            }
        }
        return Array(all.drop { $0.closes.moment <= now })
    }

    /// The first day whose customers may be in the shop's queue: today or, if it has stayed open over midnight, yesterday.
    public func firstDay(at moment: Moment, in shop: Shop) -> CalendarDay {
        openings(of: shop, from: moment).firstDay(at: moment) ?? local(moment, in: shop).day
    }

    private static func openings(
        of shop: Shop, on day: CalendarDay, _ zone: TimeZoneRules?
    ) -> [OpenInterval] {
        shop.hours.periods(on: day).compactMap { period in
            let opens = moment(day, period.opens, zone)
            let closes = moment(day, period.closes, zone)
            // These hours are skipped altogether by the change to summer time.
            guard opens < closes else { return nil }
            return OpenInterval(
                opens: local(opens, zone), closes: local(closes, zone),
                clockChange: clockChange(from: opens, to: closes, zone))
        }
    }

    /// The first second that has the offset of `end`; nil if `begin` has the same offset.
    private static func clockChange(from begin: Moment, to end: Moment, _ zone: TimeZoneRules?)
        -> Moment?
    {
        var before = begin.milliseconds.flooredQuotient(by: 1_000)
        var after = end.milliseconds.flooredQuotient(by: 1_000)
        let last = offset(at: after, zone)
        guard offset(at: before, zone) != last else { return nil }
        // No zone changes its offset twice within a day.
        while before + 1 < after {
            let middle = (before + after) / 2
            if offset(at: middle, zone) == last { after = middle } else { before = middle }
        }
        return Moment(milliseconds: after * 1_000)
    }

    /// The moment of a time on the shop's clock: the first one if the clock shows the time twice, and as if the
    /// clock had not been changed yet if it never shows it (RFC 5545 3.3.5).
    private static func moment(_ day: CalendarDay, _ time: TimeOfDay, _ zone: TimeZoneRules?)
        -> Moment
    {
        let shown = Int64(day.daysSince1970) * 86_400 + Int64(time.minutes) * 60
        // No zone changes its offset twice within two days.
        let before = offset(at: shown - 86_400, zone)
        let after = offset(at: shown + 86_400, zone)
        let isAfter =
            offset(at: shown - before, zone) != before && offset(at: shown - after, zone) == after
        return Moment(milliseconds: (shown - (isAfter ? after : before)) * 1_000)
    }

    private static func local(_ moment: Moment, _ zone: TimeZoneRules?) -> LocalMoment {
        let seconds = offset(at: moment.milliseconds.flooredQuotient(by: 1_000), zone)
        return LocalMoment(moment, offsetMinutes: Int(seconds / 60))
    }

    private static func offset(at seconds: Int64, _ zone: TimeZoneRules?) -> Int64 {
        zone?.offset(at: seconds) ?? 0
    }

    /// The rules of the shop's time zone; nil if the system does not know it.
    private func zone(of shop: Shop) -> TimeZoneRules? {
        zones.withLock { zones in
            if let known = zones[shop.timeZone] { return known }
            let zone = TimeZoneRules(name: shop.timeZone)
            zones[shop.timeZone] = zone
            return zone
        }
    }
}
