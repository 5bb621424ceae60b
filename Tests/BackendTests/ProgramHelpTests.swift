import Foundation
import SQLite
import Testing

@Suite("Calls for help as the program clup-backend shows and sets them")
struct ProgramHelpTests {
    @Test("The report has how long customers waited for a staff member, by the hour")
    func report() throws {
        let backend = try BackendCommand.withShop()
        let (connection, shop) = try backend.database()
        // 2026-11-20, at 10:00 and at 10:30 in Rome; the identifiers begin with the time.
        for (number, (raised, going, ending)) in [
            (1_795_165_200_000, "1795165212000", "helped"),
            (1_795_167_000_000, "1795167030000", "expired"),
            (1_795_167_001_000, "NULL", "mistake"), (1_795_167_002_000, "NULL", "expired"),
        ].enumerated() {
            try connection.execute(
                """
                INSERT INTO help_call (shop_id, id, machine, raised_ms, going_ms, ended_ms, ending)
                VALUES ('\(shop)', '\(Self.id(at: raised, number))', 'door-1', \(raised), \(going),
                    \(raised + 90_000), '\(ending)')
                """)
        }
        let days = "--shop ROM1 --from 2026-11-20 --to 2026-11-20"
        let table = try backend.command("report help \(days)")
        #expect(
            table.output == """
                day,hour,calls,mistakes,unanswered,median_seconds,longest_seconds
                2026-11-20,10,3,1,1,12,30

                """)
        let other = try backend.command("report help --shop ROM1 --from 2026-11-21 --to 2026-11-21")
        #expect(other.output.split(separator: "\n").count == 1)
        let page = backend.directory.path + "/page.html"
        _ = try backend.command("report page --output \(page) \(days)")
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("went to a customer who called for help"))
    }

    /// An identifier as the store generates them: 48 bits of time in Crockford's digits, then others.
    private static func id(at milliseconds: Int, _ number: Int) -> String {
        let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
        // Ten digits have 50 bits, of which the last two belong to the random part.
        let bits = milliseconds << 2
        let time = (0..<10).reversed().map { String(digits[bits >> ($0 * 5) & 31]) }.joined()
        return time + "000000000000000\(number)"
    }
}
