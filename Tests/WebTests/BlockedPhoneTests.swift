import Foundation
import TestSupport
import Testing

@Suite(
    "The block of a phone, and the page of the staff that lifts it [rules: blocks]",
    .serialized)
struct BlockedPhoneTests {
    /// Has the phone in the browser miss three calls: the rows that three evenings would leave.
    private func block(_ browser: Browser, at shop: PageShop) async throws {
        let backend = shop.backend
        try await browser.join(shop)
        let mine = try await browser.place().reservation.number
        let rows: [[String: String]] = try await Checker.rows(
            of: "SELECT holder FROM reservation WHERE holder IS NOT NULL",
            database: backend.database)
        let holder = try #require(rows.first?["holder"])
        try await shop.free(mine)
        await backend.drain()
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let missed = (1...3).map { "('s1', '\(holder)', \(now - Int64($0) * 3_600_000))" }
        try await Tool.succeed(
            "sqlite3",
            [
                backend.database,
                "INSERT INTO no_show (shop_id, holder, missed_ms) "
                    + "SELECT shop_id, column2, column3 FROM shop, "
                    + "(VALUES \(missed.joined(separator: ", ")))",
            ])
        try await backend.start()
    }

    /// Fills the form on the page of the staff in and sends it, once more if no answer came in time, as on a busy computer;
    /// what the page then says.
    private func unblock(_ reference: String, pin: String, _ staff: Browser) async throws -> String
    {
        var said = ""
        for _ in 0..<10 {
            said = try await tryToUnblock(reference, pin: pin, staff)
            guard said.contains("did not work") || said.contains("nicht geklappt") else { break }
        }
        return said
    }

    private func tryToUnblock(
        _ reference: String, pin: String, _ staff: Browser
    ) async throws -> String {
        for (name, words) in [("reference", reference), ("pin", pin)] {
            try await staff.run("document.querySelector('#block [name=\(name)]').value = ''")
            try await staff.press("#block [name=\(name)]")
            try await staff.type(words)
        }
        try await staff.run("document.querySelector('#block p').textContent = ''")
        try await staff.press("#block button")
        var said = ""
        _ = await patiently {
            said = try await staff.text("#block p")
            return !said.isEmpty
        }
        return said
    }

    @Test(
        "The phone shows eight digits, and the staff's page lifts the block with these and the shop's PIN",
        arguments: ["en", "de"])
    func lifts(language: String) async throws {
        try await PageShop.full(shop: PageShop.joining) { shop, _, browser in
            try await block(browser, at: shop)
            try await browser.open(shop.requiredInvitation(), in: language)
            let digits = /\d{4} \d{4}/
            await expectSoon { try await browser.text("#range").wholeMatch(of: digits) != nil }
            let reference = try await browser.text("#range")
            let words = ["en": "Show the staff these digits", "de": "Zeigen Sie diese Ziffern"]
            #expect(try await browser.text("#second").hasPrefix(words[language] ?? "?"))
            try await browser.expectAccess("join-blocked", of: [language])

            let pin = try await shop.backend.makeStaffPIN()
            try await Browser.phone { staff in
                try await shop.open("staff", in: staff)
                try await staff.run(
                    "document.querySelector('#languages [lang=\(language)]')?.click()")
                try await staff.press("#block summary")
                try await staff.keepStep()
                let wrongPIN = pin == "00000000" ? "00000001" : "00000000"
                let refused = try await unblock(reference, pin: wrongPIN, staff)
                #expect(
                    refused == (language == "en" ? "This PIN is wrong" : "Diese PIN ist falsch")
                )
                #expect(
                    try await staff.value("document.querySelector('#block [name=pin]').value")
                        == "")
                try await staff.keepStep()
                let done = try await unblock(reference, pin: pin, staff)
                #expect(done.hasPrefix(language == "en" ? "Done" : "Erledigt"), "\(done)")
                try await staff.keepStep()
                // Nothing about the customer is on the page, nor the digits any more.
                #expect(try await !staff.text("main").contains(reference))
            }
            // The customer asks again.
            try await browser.press("#act", opens: "#decline")
        }
    }
}
