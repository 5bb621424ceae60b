import QueueEngine
import ReservationStore
import Reservations

/// The manager's page: one self-contained HTML file whose plots are SVG.
struct ReportPage {
    let report: ShopReport

    /// Width and height of a plot, in CSS pixels.
    private static let size = (width: 720.0, height: 220.0)

    var html: String {
        let accuracy = AccuracyReport(report.histories)
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>\(Self.escaped(report.shop.name))</title>
            <style>
            body { font: 16px/1.4 sans-serif; margin: 2rem auto; max-width: 60rem; color: #111; }
            table { border-collapse: collapse; } th, td { padding: .2rem .7rem; text-align: right; }
            th:first-child, td:first-child { text-align: left; }
            tr:nth-child(even) { background: #eee; } svg { background: #fafafa; } text { font-size: 12px; }
            </style></head><body>
            <h1>\(Self.escaped(report.shop.name))</h1>
            <p>\(summary(accuracy))</p>
            <h2>Waits: quoted and real, minutes</h2>
            \(plot([("reported", "#1565c0", report.days.map(\.accuracy.meanQuoted)), ("real", "#c62828", report.days.map(\.accuracy.meanWait))], labels: report.days.map { "\($0.day)" }))
            <h2>People inside by the hour (at most \(report.shop.policy.capacity))</h2>
            \(plot([("inside", "#2e7d32", hours { $0.occupancy.map { $0 } })], labels: (0..<24).map { "\($0)" }))
            <h2>Tickets by the hour</h2>
            \(plot([("tickets", "#6a1b9a", hours { $0.ticketsByHour.map(Double.init) })], labels: (0..<24).map { "\($0)" }))
            <h2>Minutes inside by the hour of coming in (as set: \(report.shop.policy.usualStayMinutes))</h2>
            \(plot([("stay", "#ef6c00", hours { $0.stayByHour })], labels: (0..<24).map { "\($0)" }))
            <h2>Percent of those called who did not come</h2>
            \(plot([("no-shows", "#c62828", report.days.map(\.noShowPercent))], labels: report.days.map { "\($0.day)" }))
            <h2>Tickets whose paper did not come out</h2>
            \(plot([("not printed", "#c62828", report.days.map { report.papers[$0.day].map { Double($0.failed) } })], labels: report.days.map { "\($0.day)" }))
            <h2>Seconds until a staff member went to a customer who called for help, by the hour</h2>
            \(plot([("seconds", "#c62828", helpSeconds)], labels: (0..<24).map { "\($0)" }))
            \(orders)<h2>Wishes that could not be met, by the hour</h2>
            \(plot([("refused", "#ef6c00", refusedByHour)], labels: (0..<24).map { "\($0)" }))
            <h2>Days</h2>
            \(table)
            </body></html>

            """
    }

    private func summary(_ accuracy: AccuracyReport) -> String {
        guard let kept = accuracy.promiseKept, let wait = accuracy.meanWait else {
            return "Nobody had to wait in these days."
        }
        return
            "\(accuracy.tickets) tickets were called, \(accuracy.atOnce) of them at once. The others "
            + "waited \(ShopReport.decimal(wait)) minutes on the average; \(ShopReport.decimal(kept)) % were called "
            + "by the time on their paper (80 % is what it says)."
    }

    /// What is said of orders that customers collect; nothing if none came.
    private var orders: String {
        let hours = report.orders.hours
        guard let median = report.orders.seconds(0.5), let most = report.orders.seconds(0.9) else {
            return ""
        }
        func minutes(_ seconds: Int?) -> Double? { seconds.map { Double($0) / 60 } }
        func sum(_ count: (OrderReport.Hour) -> Int) -> Int { hours.reduce(0) { $0 + count($1) } }
        let ready = sum(\.ready)
        let kept = ready > 0 ? Double(100 * sum(\.readyAsQuoted)) / Double(ready) : nil
        let medians = (0..<24).map { minutes(report.orders.seconds(0.5, in: $0)) }
        let mosts = (0..<24).map { minutes(report.orders.seconds(0.9, in: $0)) }
        return """
            <h2>Minutes until customers had their orders, by the hour of their coming</h2>
            <p>\(sum(\.arrivals)) customers came for an order, and \(sum(\.seconds.count)) had it: half of them
            within \(ShopReport.decimal(minutes(median))) minutes, and nine of ten within
            \(ShopReport.decimal(minutes(most))). \(kept.map { "\(ShopReport.decimal($0)) % of the orders were at the desk by the time that was quoted (80 % is what it says)." } ?? "")
            \(sum(\.notCollected)) went from the desk back on the shelf, and \(sum(\.notFound)) were not found.</p>
            \(plot([("median", "#1565c0", medians), ("nine of ten", "#c62828", mosts)], labels: (0..<24).map { "\($0)" }))

            """
    }

    private var table: String {
        let head = [
            "Day", "Tickets", "Visits", "Deleted", "Did not come", "Not called", "Came in",
            "Exit not scanned", "Quoted, min", "Real, min", "By the time quoted, %", "Printed",
            "Not printed", "Printed again", "May be missing", "Stay, min", "Did not come, %",
            "Tickets refused", "Visits refused", "Papers of another shop",
        ]
        let rows = report.days.map { day in
            var cells = report.cells(of: day)
            // The CSV alone has the tickets that were called, and those that were called at once.
            cells.removeSubrange(8...9)
            return cells
        }
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>" + cells.map { "<\(tag)>\($0)</\(tag)>" }.joined() + "</tr>"
        }
        return "<table>" + row(head, "th") + rows.map { row($0, "td") }.joined(separator: "\n")
            + "</table>"
    }

    /// The mean of an hourly figure over the days that have one.
    private func hours(_ figure: (DayReport) -> [Double?]) -> [Double?] {
        let figures = report.days.map(figure)
        return (0..<24).map { hour in
            let known = figures.compactMap { $0[hour] }
            return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
        }
    }

    /// The median of all days; nil for an hour in which no staff member went to a customer.
    private var helpSeconds: [Double?] {
        (0..<24).map { report.help.medianSeconds(in: $0).map(Double.init) }
    }

    /// Tickets and visits that were refused in each hour, as an average of the days.
    private var refusedByHour: [Double?] {
        guard !report.days.isEmpty else { return [] }
        return (0..<24).map { hour in
            let refused = report.refusedRequests.filter { $0.hour == hour && $0.kind != .otherShop }
            return Double(refused.reduce(0) { $0 + $1.count }) / Double(report.days.count)
        }
    }

    /// Lines over equally spaced points; a missing value leaves a gap in the line.
    private func plot(
        _ lines: [(name: String, colour: String, values: [Double?])], labels: [String]
    ) -> String {
        let (width, height) = Self.size
        let top = lines.flatMap { $0.values.compactMap(\.self) }.max() ?? 0
        let scale = top > 0 ? (height - 40) / top : 0
        let step = (width - 60) / Double(max(1, labels.count - 1))
        func x(_ index: Int) -> String { ShopReport.decimal(50 + step * Double(index)) }
        func y(_ value: Double) -> String { ShopReport.decimal(height - 20 - value * scale) }
        var parts = [
            "<svg viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" role=\"img\">",
            "<text x=\"4\" y=\"24\">\(ShopReport.decimal(top))</text>",
            "<text x=\"4\" y=\"\(height - 20)\">0</text>",
        ]
        for (place, line) in lines.enumerated() {
            parts.append(
                "<text x=\"\(width - 80)\" y=\"\(16 + 16 * place)\" fill=\"\(line.colour)\">"
                    + "\(line.name)</text>")
            for (index, value) in line.values.enumerated() {
                guard let value else { continue }
                parts.append(
                    "<circle cx=\"\(x(index))\" cy=\"\(y(value))\" r=\"3\" fill=\"\(line.colour)\"/>"
                )
                guard index > 0, let before = line.values[index - 1] else { continue }
                parts.append(
                    "<line x1=\"\(x(index - 1))\" y1=\"\(y(before))\" x2=\"\(x(index))\" "
                        + "y2=\"\(y(value))\" stroke=\"\(line.colour)\"/>")
            }
        }
        let every = max(1, labels.count / 12)
        for (index, label) in labels.enumerated() where index % every == 0 {
            parts.append(
                "<text x=\"\(x(index))\" y=\"\(height - 4)\" text-anchor=\"middle\">\(label)</text>"
            )
        }
        return (parts + ["</svg>"]).joined(separator: "\n")
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
