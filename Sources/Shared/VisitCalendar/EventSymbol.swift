public import Reservations

/// The symbol on the paper of a visit with which the camera of a phone offers to put the visit into its calendar: a QR symbol
/// whose text is an event of iCalendar (RFC 5545 3.6.1) without the calendar around it, as cameras expect it.
public enum EventSymbol {
    /// The most characters of a shop's name in it: with longer ones the symbol would be too large for the paper.
    private static let maxNameLength = 40
    /// What the lines of the text begin with.
    private static let starts = [
        "BEGIN:VEVENT", "UID:", "DTSTART:", "DTEND:", "SUMMARY:", "LOCATION:", "END:VEVENT",
    ]

    /// The text of a visit's symbol; nil for a ticket.
    ///
    /// Its lines end with one character and are not folded, since cameras read them so and each further character makes the
    /// symbol larger. Its title is the number and the shop's name, in no language.
    public static func text(of reservation: Reservation) -> String? {
        guard let visit = reservation.visit else { return nil }
        let name = String(reservation.shopName.prefix(maxNameLength))
        let lines = [
            ContentLine("BEGIN", "VEVENT"),
            ContentLine(
                "UID", text: uid(of: reservation.id, at: reservation.link.flatMap(host(of:)))),
            ContentLine("DTSTART", CalendarEvent.utc(visit.start.moment)),
            ContentLine("DTEND", CalendarEvent.utc(visit.end.moment)),
            ContentLine("SUMMARY", text: "\(reservation.number.text) \(name)"),
            ContentLine("LOCATION", text: name), ContentLine("END", "VEVENT"),
        ]
        return lines.map(\.line).joined(separator: "\n")
    }

    /// Whether what a code reader has read is a line of such a text, as a reader takes the end of a line for the end of a
    /// code.
    ///
    /// - Parameter meant: what the reader meant with the beginning of the text; nil if that cannot be.
    public static func isLine(
        _ text: String, meaning meant: (String) -> String? = { $0 }
    ) -> Bool {
        starts.contains { start in
            meant(String(text.prefix(start.count)))?.uppercased() == start
        }
    }

    /// The name of a reservation's event: the same in the customer's calendar, wherever it comes from.
    public static func uid(of id: ReservationID, at host: String?) -> String {
        host.map { "\(id)@\($0)" } ?? "\(id)"
    }

    /// The host of a link, without its port.
    private static func host(of link: String) -> String? {
        guard let scheme = link.firstRange(of: "://") else { return nil }
        let host = link[scheme.upperBound...].prefix { !"/:#".contains($0) }
        return host.isEmpty ? nil : String(host)
    }
}
