public import Reservations

/// An event of a customer's own calendar, as a file of iCalendar (RFC 5545): an object with this event alone.
public struct CalendarEvent: Hashable, Sendable {
    /// The same for all versions of an event, and for no other event of anyone (UID, RFC 5545 3.8.4.7).
    public var id: String
    /// How often the event has changed: a calendar takes a version with a higher number (SEQUENCE, RFC 5545 3.8.7.4).
    public var sequence: Int
    /// When this version was written (DTSTAMP, RFC 5545 3.8.7.2).
    public var written: Moment
    public var start: Moment
    public var end: Moment
    public var summary: String
    public var details: String
    public var location: String
    /// The address of the event's page (URL, RFC 5545 3.8.4.6).
    public var page: String
    /// Whether the event does not take place any more, so that a calendar removes it or strikes it out.
    public var isCancelled: Bool

    public init(
        id: String, sequence: Int, written: Moment, start: Moment, end: Moment, summary: String,
        details: String, location: String, page: String, isCancelled: Bool
    ) {
        self.id = id
        self.sequence = sequence
        self.written = written
        self.start = start
        self.end = end
        self.summary = summary
        self.details = details
        self.location = location
        self.page = page
        self.isCancelled = isCancelled
    }

    /// The type of the file (RFC 5545 8.1).
    public static let mediaType = "text/calendar; charset=utf-8"

    /// The file. A calendar reminds of the event an hour before, and of none that is cancelled (RFC 5546 3.2.5).
    ///
    /// It has no ORGANIZER, which RFC 5546 3.2.1 asks for: an event that is scheduled with no group must not have one
    /// (RFC 5545 3.8.4.3).
    public var file: String { lines.map(\.folded).joined() }

    private var lines: [ContentLine] {
        [
            ContentLine("BEGIN", "VCALENDAR"), ContentLine("VERSION", "2.0"),
            ContentLine("PRODID", "-//CLup//Visit//EN"),
            ContentLine("METHOD", isCancelled ? "CANCEL" : "PUBLISH"),
            ContentLine("BEGIN", "VEVENT"),
            ContentLine("UID", text: id), ContentLine("SEQUENCE", "\(sequence)"),
            ContentLine("DTSTAMP", Self.utc(written)), ContentLine("DTSTART", Self.utc(start)),
            ContentLine("DTEND", Self.utc(end)),
            ContentLine("STATUS", isCancelled ? "CANCELLED" : "CONFIRMED"),
            ContentLine("SUMMARY", text: summary), ContentLine("DESCRIPTION", text: details),
            ContentLine("LOCATION", text: location), ContentLine("URL", page),
        ] + (isCancelled ? [] : reminder) + [
            ContentLine("END", "VEVENT"), ContentLine("END", "VCALENDAR"),
        ]
    }

    private var reminder: [ContentLine] {
        [
            ContentLine("BEGIN", "VALARM"), ContentLine("ACTION", "DISPLAY"),
            ContentLine("DESCRIPTION", text: summary), ContentLine("TRIGGER", "-PT1H"),
            ContentLine("END", "VALARM"),
        ]
    }

    /// A moment in UTC to the second, as `20261121T090000Z` (RFC 5545 3.3.5).
    static func utc(_ moment: Moment) -> String {
        moment.utcText.filter { $0 != "-" && $0 != ":" }
    }
}
