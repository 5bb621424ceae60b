import Foundation
import TestSupport
import Testing

/// What the reader of calendars finds in a file.
struct CalendarContents: Decodable {
    struct Event: Decodable {
        let title: String
        let start: Int
        let end: Int
        let isWholeDay: Bool
        let isBusy: Bool
    }
    /// `notCalendar` or `unreadable`, instead of all the rest.
    let problem: String?
    private let found: [Event]?
    private let unreadCount: Int?
    private let brokenCount: Int?
    private let isInUnknownZone: Bool?

    private enum CodingKeys: String, CodingKey {
        case problem
        case found = "events"
        case unreadCount = "unread"
        case brokenCount = "broken"
        case isInUnknownZone = "hasUnknownZone"
    }

    var events: [Event] { found ?? [] }
    var unread: Int { unreadCount ?? 0 }
    var broken: Int { brokenCount ?? 0 }
    var hasUnknownZone: Bool { isInUnknownZone ?? false }
}

// The worker that reads a customer's own calendar, without the page around it (rules: own-calendar).
extension Browser {
    /// A moment of RFC 3339 in milliseconds since 1970.
    static func moment(_ text: String) throws -> Int {
        let date = try #require(ISO8601DateFormatter().date(from: text))
        return Int(date.timeIntervalSince1970) * 1_000
    }

    /// What the reader finds in a text between two moments, in milliseconds since 1970, for a shop in Rome.
    func readCalendar(_ text: String, from: Int, until: Int) async throws -> CalendarContents {
        try await readCalendar(Data(text.utf8), from: from, until: until)
    }

    /// What the reader finds in a file.
    func readCalendar(_ file: Data, from: Int, until: Int) async throws -> CalendarContents {
        try await run(
            """
            const octets = Uint8Array.from(atob("\(file.base64EncodedString())"), (one) => one.charCodeAt(0));
            const reader = new Worker("/calendar-reader.js");
            window.found = await new Promise((done, failed) => {
              reader.onmessage = ({ data }) => done(JSON.stringify(data));
              reader.onerror = failed;
              reader.postMessage({ file: new Blob([octets]), from: \(from), until: \(until),
                timeZone: "Europe/Rome", own: "" });
            });
            reader.terminate();
            """)
        let found = try await value("window.found")
        return try JSONDecoder().decode(CalendarContents.self, from: Data(found.utf8))
    }
}
