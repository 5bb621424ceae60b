import Foundation
import TestSupport
import Testing

@Suite("The poster for joining from elsewhere [rules: elsewhere]")
struct ShopPosterTests {
    /// The program's shop command for one database, and its result.
    private static func shop(_ words: [String], _ file: String) async throws -> CommandResult {
        try await Tool.run(ServingBackend.program, ["shop"] + words + ["--database", file])
    }

    @Test("It is one page of A4 in the shop's languages, and a phone reads its symbol")
    func poster() async throws {
        let folder = try TemporaryFolder()
        let database = folder.file("poster.sqlite")
        let added = try await Self.shop(
            [
                "add", "--tag", "POST", "--name", "Café <Brera> & figli", "--time-zone",
                "Europe/Rome", "--hours", "Mon-Sun 08:00-20:00", "--capacity", "30", "--stay", "35",
                "--languages", "it,de", "--phone-places", "yes",
            ], database)
        #expect(added.status == 0, "\(added.errors)")
        let poster = [
            "poster", "--shop", "POST", "--phones-url", "https://queue.supermarkets.example.it",
        ]
        let refused = try await Self.shop(poster, database)
        #expect(refused.status != 0 && refused.errors.contains("--remote-places yes"))
        _ = try await Self.shop(
            ["change", "--shop", "POST", "--remote-places", "yes"], database)
        let made = try await Self.shop(poster, database)
        #expect(made.status == 0 && made.output.contains("Café &lt;Brera&gt; &amp; figli"))
        #expect(made.output.contains("da casa") && made.output.contains("von zu Hause aus"))
        let page = folder.file("poster.html")
        try Data(made.output.utf8).write(to: URL(filePath: page))
        try await Browser.with(width: 900, height: 1_300) { browser in
            try await browser.open("file://\(page)")
            let picture = folder.file("poster.png")
            try await browser.photograph(picture)
            #expect(
                try await Picture.qrCodes(inFile: picture)
                    == ["https://queue.supermarkets.example.it/join/POST"])
            // 297 mm at 96 dots an inch.
            #expect(
                try await browser.value("document.querySelector('main').offsetHeight <= 1123")
                    == "true")
        }
    }
}
