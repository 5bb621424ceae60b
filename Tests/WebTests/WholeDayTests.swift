import Foundation
import TestSupport
import Testing

@Suite("A whole day of a shop", .serialized)
struct WholeDayTests {
    /// Opens a page of the simulated shop, and adds it as a device.
    private func open(
        _ role: String, in browser: Browser, of shop: (address: String, database: String)
    ) async throws {
        try await browser.open("\(shop.address)/\(role)/SIMU", opens: "#enrolment")
        try await Tool.succeed(
            ServingBackend.program,
            [
                "device", "add", "--database", shop.database, "--shop", "SIMU", "--role", role,
                "--name", "page-\(role)", "--key",
                try await browser.text("#enrolment dt.key + dd"),
            ])
        await browser.expect(no: "#enrolment")
    }

    @Test("Display and readers follow it, and the report agrees to the last ticket")
    func day() async throws {
        let folder = try TemporaryFolder()
        let running = try Tool.start(
            Tool.program("clup-bench"),
            [
                "day", "--days", "1", "--pause", "20", "--assets", PageShop.assets, "--start-when",
                folder.file("start"), "--directory", folder.path,
            ], output: folder.file("output"), errors: folder.file("errors"))
        defer { running.signal(SIGTERM) }
        let shop = try await shop(folder.file("errors"))
        try await Browser.with { display in
            try await open("display", in: display, of: shop)
            // The page itself collects the numbers that it shows first: a busy computer asks for them too rarely.
            try await display.run(
                """
                window.seenNumbers = new Set();
                new MutationObserver(() => {
                  const digits = document.querySelector("#called .turn:first-child .digits");
                  if (digits?.textContent) window.seenNumbers.add(digits.textContent);
                }).observe(document.body, { childList: true, characterData: true, subtree: true });
                """)
            try await Browser.with { entrance in
                try await open("entrance", in: entrance, of: shop)
                try await Browser.with { checkout in
                    try await open("checkout", in: checkout, of: shop)
                    try Data().write(to: URL(filePath: folder.file("start")))
                    var called = 0
                    let isOver = try await eventually(
                        within: .seconds(600), maxPause: .milliseconds(250)
                    ) {
                        called = Int(try await display.value("window.seenNumbers.size")) ?? called
                        for reader in [entrance, checkout] where running.endStatus == nil {
                            #expect(try await !reader.shows("#ask"))
                        }
                        return running.endStatus != nil
                    }
                    #expect(isOver)
                    #expect(called >= 20)
                }
            }
        }
        let figures = try String(contentsOfFile: folder.file("output"), encoding: .utf8)
        let said = try String(contentsOfFile: folder.file("errors"), encoding: .utf8)
        #expect(running.endStatus == 0, "\(said.suffix(2_000))")
        #expect(figures.contains(#""figure":"day.disagreements","value":0,"#), "\(figures)")
    }

    /// Waits until the backend of the simulation listens.
    private func shop(_ errors: String) async throws -> (address: String, database: String) {
        var found: (address: String, database: String)?
        await expectSoon {
            let text = try String(contentsOfFile: errors, encoding: .utf8)
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let place = words.firstIndex(of: "on"), let last = words.last, words.count > 8
            else { return false }
            found = (words[place + 1].filter { $0 != "," }, last)
            return true
        }
        return try #require(found)
    }
}
