import Foundation
import TestSupport
import Testing

@Suite("A whole day of a shop", .serialized)
struct WholeDayTests {
    /// The data that a page needs to be added to the simulated shop.
    private struct Shop {
        let address: String
        let database: String

        func open(_ role: String, in browser: Browser) async throws {
            try await browser.open("\(address)/\(role)/SIMU")
            await browser.expect("#enrolment")
            try await Tool.succeed(
                WholeDayTests.program("clup-backend"),
                [
                    "device", "add", "--database", database, "--shop", "SIMU", "--role", role,
                    "--name", "page-\(role)", "--key",
                    try await browser.text("#enrolment [data-key]"),
                ])
            await browser.expect(no: "#enrolment")
        }
    }

    private static func program(_ name: String) -> String {
        Tool.program(name)
    }

    @Test("Display and readers follow it, and the report agrees to the last ticket")
    func day() async throws {
        let folder = try TemporaryFolder()
        let assets = Tool.repository.appending(path: "Assets").path
        let running = try Tool.start(
            Self.program("clup-bench"),
            [
                "day", "--days", "1", "--pause", "20", "--assets", assets, "--start-when",
                folder.file("start"), "--directory", folder.path,
            ], output: folder.file("output"), errors: folder.file("errors"))
        defer { running.signal(SIGTERM) }
        let shop = try await shop(folder.file("errors"))
        try await Browser.with { display in
            try await shop.open("display", in: display)
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
                try await shop.open("entrance", in: entrance)
                try await Browser.with { checkout in
                    try await shop.open("checkout", in: checkout)
                    try Data().write(to: URL(filePath: folder.file("start")))
                    var called = 0
                    var isPictured = false
                    let isOver = try await eventually(
                        within: .seconds(600), maxPause: .milliseconds(250)
                    ) {
                        called = Int(try await display.value("window.seenNumbers.size")) ?? called
                        for reader in [entrance, checkout] where running.endStatus == nil {
                            #expect(try await !reader.shows("#ask"))
                        }
                        if called >= 20, !isPictured {
                            isPictured = true
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
    private func shop(_ errors: String) async throws -> Shop {
        var found: Shop?
        let isThere = await patiently {
            let text = try String(contentsOfFile: errors, encoding: .utf8)
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let place = words.firstIndex(of: "on"), let last = words.last, words.count > 8
            else { return false }
            found = Shop(
                address: words[place + 1].filter { $0 != "," }, database: last)
            return true
        }
        #expect(isThere)
        return try #require(found)
    }
}
