import Foundation
import TestSupport

// A customer's own calendar on the page for booking a visit (rules: own-calendar).
extension Browser {
    /// A calendar of these events, each of whose lines are given without its identifier. `DAY` stands for the day so many
    /// days from today by the shop's clock, as in `DTSTART:DAYT100000`.
    func calendar(_ events: [String], on day: Int = 1) async throws -> String {
        let date = try await value(
            """
            new Date(Date.parse(window.shop.now.slice(0, 10)) + \(day) * 86400000)
                .toISOString().slice(0, 10).replace(/-/g, "")
            """)
        let parts = events.enumerated().map { number, event in
            "BEGIN:VEVENT\nUID:\(number)@calendar\n\(event)\nEND:VEVENT\n"
        }
        return "BEGIN:VCALENDAR\nVERSION:2.0\n\(parts.joined())END:VCALENDAR\n"
            .replacing("DAY", with: date).replacing("\n", with: "\r\n")
    }

    /// Opens the slots of a day in English, and the part for the customer's calendar.
    func openCheck(of shop: PageShop, on day: Int = 1) async throws {
        try await openSlots(of: shop)
        try await openDay(day)
        try await openCheck()
    }

    /// Opens the part for the customer's calendar, on a page in English that shows slots.
    func openCheck() async throws {
        // What the server says of the shop, for the test.
        try await run(
            """
            const answer = await fetch("/v1/public/slots", { method: "POST",
              headers: { "content-type": "application/json" }, body: JSON.stringify({ shop: "TEST" }) });
            window.shop = await answer.json();
            """)
        try await pressPicker("Compare with my calendar")
        guard await waits(for: "#calendarCheck button") else {
            throw TestSupportError("the part does not open: \(try await text("#picker"))")
        }
    }

    /// Touches the button with these words, once it is there.
    func pressPicker(_ words: String) async throws {
        let button = """
            [...document.querySelectorAll("#picker button")].find((one) => one.textContent === "\(words)")
            """
        let isThere = await patiently { try await value("Boolean(\(button))") == "true" }
        guard isThere else {
            throw TestSupportError("no button \(words): \(try await text("#picker"))")
        }
        try await run("\(button).click()")
    }

    /// Goes back from the slots of a day to the days.
    func pressAnotherDay() async throws {
        try await pressPicker("Another day")
        try await require(".calendar button")
    }

    /// Gives the page a file as its user does; returns what the page, in English or another language, says of it once it is
    /// read.
    @discardableResult
    func give(_ file: String) async throws -> String {
        try await run(Self.giving("new File([\(Self.quoted(file))], 'mine.ics')"))
        return try await outcome()
    }

    /// Gives the page the file that an expression makes.
    static func giving(_ file: String) -> String {
        """
        const transfer = new DataTransfer();
        transfer.items.add(\(file));
        const input = document.querySelector("#calendarCheck input[type=file]");
        input.files = transfer.files;
        input.dispatchEvent(new Event("change"));
        """
    }

    /// What the page says of the file, once it is read.
    func outcome() async throws -> String {
        let status = "#calendarCheck [role=status]"
        let isRead = await patiently {
            let words = try await text(status)
            let isReading = "document.querySelector('#calendarCheck button').disabled"
            let isOver = try await value(isReading) == "false"
            return isOver && !words.isEmpty
        }
        guard isRead else { throw TestSupportError("not read: \(try await text(status))") }
        return try await text(status)
    }

    /// What the page says above the slots.
    func pickerAlert() async throws -> String { try await text("#picker [role=alert]") }

    /// The times of the slots that do not fit, in order.
    func greyTimes() async throws -> [String] {
        try await value(
            """
            [...document.querySelectorAll("#slots .slots button[data-busy]")]
                .map((one) => one.firstChild.textContent).join(" ")
            """
        ).split(separator: " ").map(String.init)
    }

    /// A text as JavaScript has it, as JSON does.
    static func quoted(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }
}
