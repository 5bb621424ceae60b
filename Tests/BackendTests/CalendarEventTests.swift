import Foundation
import Reservations
import TestSupport
import Testing
import VisitCalendar

/// The files of events are read by icalendar (PyPI), which shares no code with the product. Its script also refuses lines
/// of more than 75 octets, divided characters, and everything beside one calendar with one event.
@Suite("Events as files of iCalendar (RFC 5545)")
struct CalendarEventTests {
    /// 2026-11-21T09:00:00Z.
    private static let start = Moment(milliseconds: 1_795_251_600_000)

    private static func event(_ words: String, isCancelled: Bool = false) -> CalendarEvent {
        CalendarEvent(
            id: "r-1@queue.example.it", sequence: 3, written: start - .minutes(1_440), start: start,
            end: start + .minutes(45), summary: words, details: words, location: words,
            page: "https://queue.example.it/t#ABC", isCancelled: isCancelled)
    }

    @Test("Each property has its value, and a reminder comes an hour before")
    func properties() async throws {
        let read = try await ReadEvent.read(Self.event("Visit: Rossi").file.utf8)
        #expect(read.version == "2.0" && read.method == "PUBLISH" && read.status == "CONFIRMED")
        #expect(read.id == "r-1@queue.example.it" && read.sequence == 3)
        #expect(read.start == 1_795_251_600 && read.end == read.start + 2_700)
        #expect(read.written == read.start - 86_400)
        #expect(read.summary == "Visit: Rossi" && read.location == "Visit: Rossi")
        #expect(read.page == "https://queue.example.it/t#ABC")
        #expect(read.alarms.map(\.action) == ["DISPLAY"])
        #expect(read.alarms.map(\.description) == ["Visit: Rossi"])
        #expect(read.alarms.map(\.seconds) == [-3_600])
    }

    @Test("An event that is cancelled says so twice, and reminds of nothing (RFC 5546 3.2.5)")
    func cancelled() async throws {
        let read = try await ReadEvent.read(Self.event("Visit", isCancelled: true).file.utf8)
        #expect(read.method == "CANCEL" && read.status == "CANCELLED" && read.alarms.isEmpty)
        #expect(read.start == 1_795_251_600)
    }

    @Test(
        "No text breaks out of its line, and each is read as it was written",
        arguments: [
            ("Rossi\r\nATTENDEE:mailto:eve@example.org", "Rossi\nATTENDEE:mailto:eve@example.org"),
            ("Rossi\nEND:VEVENT", "Rossi\nEND:VEVENT"), ("Rossi\rX-EVIL:1", "Rossi\nX-EVIL:1"),
            ("a\u{2028}X:1\u{2029}b\u{85}c", "a\nX:1\nb\nc"),
            ("Bread; milk, cheese\\wine", "Bread; milk, cheese\\wine"),
            ("ends with a backslash\\", "ends with a backslash\\"),
            ("\\n \\N \\, \\;", "\\n \\N \\, \\;"),
            (":;=\"^'%", ":;=\"^'%"), ("a\tb", "a\tb"),
            ("\u{0}a\u{1B}[31mb\u{7F}\u{B}c\u{C}", "a[31mbc"),
            (String(repeating: "è", count: 300), String(repeating: "è", count: 300)),
            (String(repeating: "👩‍👩‍👧‍👦", count: 40), String(repeating: "👩‍👩‍👧‍👦", count: 40)),
            (String(repeating: "ab\\;,", count: 60), String(repeating: "ab\\;,", count: 60)),
            (" leading and trailing ", " leading and trailing "), ("", ""),
        ])
    func hostile(words: String, expected: String) async throws {
        let plain = try await ReadEvent.read(Self.event("Visit").file.utf8)
        let read = try await ReadEvent.read(Self.event(words).file.utf8)
        #expect(read.summary == expected && read.details == expected && read.location == expected)
        #expect(read.alarms.map(\.description) == [expected])
        #expect(read.properties == plain.properties && read.method == "PUBLISH")
    }

    @Test("Lines are folded at every length around the limit, for characters of every width")
    func folding() async throws {
        for letter in ["a", "è", "€", "😀"] {
            for count in 60...80 {
                let words =
                    String(repeating: "x", count: count) + String(repeating: letter, count: 9)
                for line in Self.event(words).file.components(separatedBy: "\r\n") {
                    #expect(line.utf8.count <= 75, "\(line)")
                }
            }
            let words = String(repeating: letter, count: 200)
            #expect(try await ReadEvent.read(Self.event(words).file.utf8).summary == words)
        }
    }

    @Test("A page's address cannot begin another line either")
    func page() async throws {
        var event = Self.event("Visit")
        event.page = "https://queue.example.it/t\r\nX-EVIL:1\n\u{2028}"
        let read = try await ReadEvent.read(event.file.utf8)
        #expect(read.page == "https://queue.example.it/tX-EVIL:1")
        #expect(!read.properties.contains("X-EVIL"))
    }
}
