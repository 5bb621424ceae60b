import CommandSyntax
import BackendService
import FoundationEssentials
import Glibc
import QueueEngine
import ReservationStore
import Reservations

/// `clup-backend report`: figures of past days, for the shop's manager.
extension Command {
    private static let reportOptions: [Option] = [
        .database, .shop,
        .optional(
            "from", "DAY", "the first day, as 2026-11-20; 30 days before the last unless given"),
        .optional("to", "DAY", "the last day; today unless given"),
    ]

    static let reportAccuracy = Command(
        words: ["report", "accuracy"],
        summary: "compare the waits that were quoted with those that were", options: reportOptions,
        notes: """
            One line of JSON: tickets called, of them atOnce; of the others in minutes meanTold, meanWait,
            bias (quoted less real) and rootMeanSquareError, and in percent promiseKept (called by the time
            on the paper; 80 is what it says) and earlierThanTold (10 is what it says).
            """
    ) { arguments in
        let report = try ShopReport(arguments)
        printJSON(of: AccuracyReport(report.histories))
    }

    static let reportDays = Command(
        words: ["report", "days"],
        summary: "print each day's tickets, visits, waits and no-shows as CSV",
        options: reportOptions,
        notes: """
            papers_failed counts tickets whose code was shown on the screen only, as no paper came out;
            papers_copied those the staff printed again; papers_unknown those that may be missing, as the
            power of the machine or its program ended while they were printed and nobody has seen to it.
            Days of machines that reported nothing are empty. Papers are counted by the machines themselves;
            what one claims beyond one in two seconds, 43,200 a day, is left out. stay_minutes is the mean
            stay of those whose exit was scanned, no_show_percent the share of those called who did not come
            in time. refused_tickets and refused_visits count wishes that could not be met, other_shop
            papers of another shop that were shown.
            """
    ) { arguments in
        let report = try ShopReport(arguments)
        print(
            "day,tickets,visits,deleted,no_shows,closed,entered,inferred_exits,called,called_at_once,"
                + "told_wait_minutes,real_wait_minutes,promise_kept_percent,"
                + "papers_printed,papers_failed,papers_copied,papers_unknown,"
                + "stay_minutes,no_show_percent," + "refused_tickets,refused_visits,other_shop")
        for day in report.days { print(report.cells(of: day).joined(separator: ",")) }
    }

    static let reportHours = Command(
        words: ["report", "hours"], summary: "print each hour's tickets and people inside as CSV",
        options: reportOptions
    ) { arguments in
        let report = try ShopReport(arguments)
        print("day,hour,tickets,people_inside,refused_tickets,refused_visits,other_shop")
        for day in report.days {
            for hour in 0..<24 {
                let refusedRequests = report.refusedRequests.counts(on: day.day, in: hour)
                guard
                    day.ticketsByHour[hour] > 0 || day.occupancy[hour] > 0
                        || refusedRequests.contains(where: { $0 != "0" })
                else { continue }
                print(
                    ([
                        "\(day.day)", "\(hour)", "\(day.ticketsByHour[hour])",
                        ShopReport.decimal(day.occupancy[hour]),
                    ] + refusedRequests).joined(separator: ","))
            }
        }
    }

    static let reportHelp = Command(
        words: ["report", "help"],
        summary: "print each hour's calls for help, and how long customers waited, as CSV",
        options: reportOptions,
        notes: """
            calls counts those that were no mistake, unanswered those of them to which no staff member went.
            The seconds are those until a staff member touched "I am going": half of the customers waited
            median_seconds at most, and no customer longer than longest_seconds.
            """
    ) { arguments in
        let report = try ShopReport(arguments)
        print("day,hour,calls,mistakes,unanswered,median_seconds,longest_seconds")
        for hour in report.help.hours {
            let seconds = [hour.medianSeconds, hour.longestSeconds].map { $0.map { "\($0)" } ?? "" }
            print(
                (["\(hour.day)"]
                    + [hour.hour, hour.calls, hour.mistakes, hour.unanswered].map { "\($0)" }
                    + seconds).joined(separator: ","))
        }
    }

    static let reportOrders = Command(
        words: ["report", "orders"],
        summary:
            "print each hour's orders that were collected, and how long customers were there, as CSV",
        options: reportOptions,
        notes: """
            The hour is that of the customer's coming. The seconds are those from then to the hand-over: half of
            the customers had the order after median_seconds at most, nine of ten after nine_of_ten_seconds.
            ready counts the orders that came to a desk, ready_as_quoted those of them that were there by the
            time that was quoted (80 % is what it says), not_collected those that went from a desk back on the
            shelf, not_found those that were never found. A step that an assistant took back does not count.
            Orders that are not remembered any more (`shop change --order-memory-days`) are left out.
            """
    ) { arguments in
        let report = try ShopReport(arguments)
        print(
            "day,hour,arrivals,handed_over,median_seconds,nine_of_ten_seconds,ready,ready_as_quoted,"
                + "not_collected,not_found")
        for hour in report.orders.hours {
            let seconds = [hour.medianSeconds, hour.nineOfTenSeconds].map {
                $0.map { "\($0)" } ?? ""
            }
            let counts = [hour.hour, hour.arrivals, hour.seconds.count].map { "\($0)" }
            let outcomes = [hour.ready, hour.readyAsQuoted, hour.notCollected, hour.notFound]
            print(
                (["\(hour.day)"] + counts + seconds + outcomes.map { "\($0)" })
                    .joined(separator: ","))
        }
    }

    static let reportNotices = Command(
        words: ["report", "notices"],
        summary: "print each day's notices to customers' phones, by what they report, as CSV",
        options: reportOptions,
        notes: """
            sent counts the notices that a push service or the gateway of SMS has taken, unsent those that could not
            be sent, or not in time. A notice is counted for each browser and each telephone number.
            """
    ) { arguments in
        let report = try ShopReport(arguments)
        print("day,kind,sent,unsent")
        for count in report.notices {
            print("\(count.day),\(count.reason.rawValue),\(count.sent),\(count.unsent)")
        }
    }

    static let reportSMS = Command(
        words: ["report", "sms"],
        summary: "print how many SMS were sent for customers on each day, as CSV",
        options: reportOptions,
        notes: """
            Codes, notices and answers count together, as they do for `shop change --sms-per-day`. A day without
            any is left out.
            """
    ) { arguments in
        let report = try ShopReport(arguments)
        print("day,sent")
        for count in report.sms { print("\(count.day),\(count.sent)") }
    }

    static let reportSlots = Command(
        words: ["report", "slots"],
        summary: "print how often visits were wanted on phones and not to be had, as CSV",
        options: reportOptions,
        notes: """
            hour is that of the wanted slot, minutes how long the customer wanted to stay, empty if that was not
            said. A customer who tries several times of a full day counts for each of them. Visits that are still
            to come are printed with `--to`.
            """
    ) { arguments in
        let report = try ShopReport(arguments)
        print("day,hour,minutes,requests")
        for (slot, count) in report.refusedSlots {
            print("\(slot.day),\(slot.hour),\(slot.minutes == 0 ? "" : "\(slot.minutes)"),\(count)")
        }
    }

    static let reportPage = Command(
        words: ["report", "page"],
        summary: "write a page with plots of the days, to be opened in a browser",
        options: reportOptions + [
            .required("output", "FILE.html", "the page; it needs nothing else and no network")
        ]
    ) { arguments in
        let report = try ShopReport(arguments)
        let path = try arguments.required("output")
        do {
            try Data(ReportPage(report: report).html.utf8).write(
                to: URL(filePath: path), options: .atomic)
        } catch {
            let number = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
            let reason = number.map { String(cString: strerror($0)) } ?? "\(error)"
            throw CommandError.failure("the page cannot be written to \(path): \(reason)")
        }
        printJSON(["page": path])
    }
}

/// The data of a report: the requested days.
struct ShopReport {
    let shop: Shop
    let histories: [ReservationHistory]
    let papers: [CalendarDay: PrintTally]
    let refusedRequests: [RefusedRequestCount]
    let help: HelpReport
    let orders: OrderReport
    let notices: [NoticeCount]
    let sms: [SMSCount]
    let refusedSlots: [(slot: RefusedSlot, count: Int)]
    let days: [DayReport]

    init(_ arguments: Arguments) throws {
        let store = try Administration(arguments)
        let shop = try store.shop(arguments)
        self.shop = shop
        let calendar = ShopCalendar()
        let today = calendar.local(systemNow(), in: shop).day
        let last =
            try arguments.optional("to", or: "give it as 2026-11-20") { CalendarDay($0) } ?? today
        let first =
            try arguments.optional("from", or: "give it as 2026-11-20") { CalendarDay($0) }
            ?? last.advanced(by: -30)
        guard first <= last else {
            throw CommandError.usage("--from \(first) is after --to \(last)")
        }
        histories = try store.histories(of: shop.id, from: first, to: last)
        let counts = try store.papers(of: shop.id, from: first, to: last)
        refusedRequests = try store.refusedRequests(of: shop.id, from: first, to: last)
        notices = try store.noticeCounts(of: shop.id, from: first, to: last)
        sms = try store.smsCounts(of: shop.id, from: first, to: last)
        refusedSlots = try store.refusedSlots(of: shop.id, from: first, to: last)
        let begin = calendar.midnight(of: first, in: shop)
        let end = calendar.midnight(of: last.advanced(by: 1), in: shop)
        help = HelpReport(try store.helpCalls(of: shop.id, from: begin, to: end)) {
            calendar.local($0, in: shop)
        }
        orders = try store.orderReport(of: shop.id, in: begin..<end) {
            calendar.local($0, in: shop)
        }
        let papers = Dictionary(counts.map { ($0.day, $0) }) { first, _ in first }
        self.papers = papers
        let byDay = Dictionary(grouping: histories, by: \.day)
        // A printout belongs to the day on which it was printed, which for a visit is a different day.
        let all = Set(byDay.keys).union(papers.keys).union(refusedRequests.map(\.day))
        days = all.sorted().map { day in
            DayReport(day, byDay[day] ?? [], midnight: calendar.midnight(of: day, in: shop))
        }
    }

    /// The figures of a day in the order of the CSV; an unknown one is empty.
    func cells(of day: DayReport) -> [String] {
        let counts = [
            day.tickets, day.visits, day.deleted, day.noShows, day.closed, day.entered,
            day.inferredExits, day.accuracy.tickets, day.accuracy.atOnce,
        ]
        let waits = [day.accuracy.meanQuoted, day.accuracy.meanWait, day.accuracy.promiseKept]
        let printouts = papers[day.day].map { [$0.printed, $0.failed, $0.copies, $0.unknown] }
        return [day.day.description] + counts.map { "\($0)" } + waits.map(Self.decimal)
            + (printouts?.map { "\($0)" } ?? Array(repeating: "", count: 4))
            + [day.meanStay, day.noShowPercent].map(Self.decimal)
            + refusedRequests.counts(on: day.day)
    }

    /// The number with one decimal place; empty for an unknown value.
    static func decimal(_ value: Double?) -> String {
        value.map { "\(($0 * 10).rounded() / 10)" } ?? ""
    }
}

extension [RefusedRequestCount] {
    /// The counts of each kind, in their order, on a day or within one of its hours.
    func counts(on day: CalendarDay, in hour: Int? = nil) -> [String] {
        RefusedRequestKind.allCases.map { kind in
            let those = filter {
                $0.day == day && $0.kind == kind && (hour == nil || $0.hour == hour)
            }
            return "\(those.reduce(0) { $0 + $1.count })"
        }
    }
}
