import KioskFlow
import Reservations

/// A wait in the form in which a customer is quoted it: rounded, as a range, with clock times.
struct Wait {
    let estimate: WaitEstimate
    /// The shop's clock when the estimate was made.
    let quotedAt: LocalMoment

    /// Whether the customer can go in without waiting: no customer is ahead and a place is free (rules: calls-at-confirmation).
    var isNow: Bool { estimate.isNow(at: quotedAt) }

    /// Whole minutes to the expected call, rounded.
    var minutes: Int { Self.rounded(estimate.minutes(at: quotedAt)) }

    /// Minutes as customers are quoted them: rounded up to 5 from 10 minutes on, at least 1.
    static func rounded(_ minutes: Int) -> Int {
        minutes < 10 ? max(1, minutes) : (minutes + 4) / 5 * 5
    }

    /// Minutes of the earliest and the latest call, rounded outwards to 5.
    var range: (low: Int, high: Int) {
        let low = Int((estimate.earliest.moment - quotedAt.moment).wholeMilliseconds / 60_000)
        let high = (estimate.latest.moment - quotedAt.moment).minutesUp
        return (max(0, low) / 5 * 5, max(5, (high + 4) / 5 * 5))
    }

    /// Clock times of the earliest and the latest call, rounded outwards to 5 minutes.
    var times: (from: LocalMoment, to: LocalMoment) {
        let five: Int64 = 300_000
        let from = estimate.earliest.moment.milliseconds.flooredQuotient(by: five) * five
        let to = (estimate.latest.moment.milliseconds + five - 1).flooredQuotient(by: five) * five
        return (
            estimate.earliest.at(max(Moment(milliseconds: from), quotedAt.moment)),
            estimate.latest.at(Moment(milliseconds: to))
        )
    }
}

extension Strings {
    /// A duration, for example "25 minutes" or "1 h 20 min".
    func minutes(_ minutes: Int) -> String {
        guard minutes >= 60 else { return plural("{n} minute", "{n} minutes", minutes) }
        guard minutes % 60 > 0 else { return plural("{n} hour", "{n} hours", minutes / 60) }
        return text(
            "{hours} h {minutes} min",
            ["hours": String(minutes / 60), "minutes": String(minutes % 60)])
    }

    /// When the customer can come in, for example "You can come in between 14:25 and 14:40."
    func comeIn(_ wait: Wait) -> String {
        let times = wait.times
        guard time(times.from) != time(times.to) else {
            return text("You can come in at about {time}.", ["time": time(times.to)])
        }
        return text(
            "You can come in between {from} and {to}.",
            ["from": time(times.from), "to": time(times.to)])
    }

    /// A range of clock times, for example "14:25–14:40".
    func range(_ wait: Wait) -> String {
        let times = wait.times
        guard time(times.from) != time(times.to) else { return time(times.to) }
        return text(
            "{from}–{to}", context: "times", ["from": time(times.from), "to": time(times.to)])
    }

    func peopleAhead(_ count: Int) -> String {
        count == 0
            ? text("Nobody is ahead of you.")
            : plural("{n} person is ahead of you.", "{n} people are ahead of you.", count)
    }

    /// The wait of a ticket taken now, as Home shows it: "20–35 minutes", "up to 10 minutes".
    func waitForTicket(_ wait: RoundedWait) -> String {
        guard wait.low > 0 else { return text("up to {wait}", ["wait": minutes(wait.high)]) }
        guard wait.low < wait.high, wait.high < 60 else {
            return text("about {wait}", ["wait": minutes(wait.minutes)])
        }
        return text("{low}–{high} minutes", ["low": String(wait.low), "high": String(wait.high)])
    }

    /// The age of a report, at least 10 seconds, for example "As of 40 seconds ago".
    func asOf(secondsAgo seconds: Int) -> String {
        seconds < 120
            ? text("As of {n} seconds ago", ["n": String(seconds)])
            : text("As of {n} minutes ago", ["n": String(seconds / 60)])
    }

    /// The sentence for a customer who is called while taking the ticket [R12].
    func enterBy(_ end: LocalMoment) -> String {
        text("Please come in now, by {time}.", ["time": time(end)])
    }

    /// Minutes and seconds of a countdown, for example "2:51".
    func countdown(_ seconds: Int) -> String { "\(seconds / 60):\((seconds % 60).padded(2))" }

    /// A time with its day, for example "Fri 14:05".
    func weekdayAndTime(_ moment: LocalMoment) -> String {
        let weekdays = [
            text("Mon"), text("Tue"), text("Wed"), text("Thu"), text("Fri"), text("Sat"),
            text("Sun"),
        ]
        return text(
            "{weekday} {time}", context: "clock",
            ["weekday": weekdays[moment.day.weekday.rawValue], "time": time(moment)])
    }
}
