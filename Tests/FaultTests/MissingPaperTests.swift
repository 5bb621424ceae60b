import TestSupport
import Testing

@Suite("Power is cut before the paper, or within it [faults 5, 6]")
struct MissingPaperTests {
    private func backend(_ kiosk: FaultyKiosk, _ words: String...) async throws -> String {
        try await Tool.succeed(
            ServingBackend.program, words + ["--database", kiosk.product.services.database])
    }

    /// The number of papers of the last day that may be missing, according to the shop's report.
    private func reported(_ kiosk: FaultyKiosk) async throws -> String? {
        let rows = try await backend(
            kiosk, "report", "days", "--shop", kiosk.product.services.shop
        ).split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        return zip(rows.first ?? [], rows.last ?? []).first { $0.0 == "papers_unknown" }
            .map { String($0.1) }
    }

    private func states(_ kiosk: FaultyKiosk) async throws -> [String] {
        try await kiosk.product.rows(
            "SELECT state FROM reservation WHERE number IS NOT NULL ORDER BY number")
    }

    /// The paper of 003 did not come: it is printed again.
    private func reprint(_ kiosk: FaultyKiosk, _ screen: TmuxTerminal) async throws {
        let papers = try kiosk.product.papers().count
        try await screen.touch(words: "003, ")
        try await screen.shows("La macchina si è fermata alle")
        try await screen.touch(words: "Ristampa")
        try await screen.shows("è stampato")
        let isOut = try await eventually { try kiosk.product.papers().count > papers }
        #expect(isOut)
        let last = try #require(try kiosk.product.papers().last)
        let copy = try await Tool.succeed("pdftotext", ["-layout", last, "-"])
        #expect(copy.contains("COPIA") && copy.contains("003"))
        try await screen.touch(words: "Indietro")
    }

    /// The customer of 002 has gone: the place is given back.
    private func giveBack(_ kiosk: FaultyKiosk, _ screen: TmuxTerminal) async throws {
        try await screen.touch(words: "002, ")
        try await screen.touch(words: "Libera il posto")
        // The answers are in large letters; the focus is on the one that changes nothing.
        try await screen.shows("non potrà più usarlo per entrare")
        try await screen.press("Tab")
        try await screen.press("Enter")
        try await screen.shows("Prenotazione 002 disdetta.")
        #expect(try await states(kiosk)[1] == "deleted")
        try await screen.touch(words: "Indietro")
    }

    @Test("After the start the staff sees each paper that may be missing, and resolves each")
    func cut() async throws {
        try await FaultyKiosk.with { kiosk in
            try await Tool.succeed(
                "sh",
                [
                    "-c",
                    "echo 739146 | '\(Tool.program("clup-kiosk"))' staff add "
                        + "Giulia --role manager --state '\(kiosk.product.services.state)'",
                ])
            try await kiosk.product.printer(.slow)
            for _ in 0..<3 {
                try await kiosk.atHome { try await kiosk.killWhilePrinting(on: $0) }
            }
            try await kiosk.product.printer(.ok)
            try await kiosk.atHome { screen in
                // The machine's light and the day's counts appear without a person at the machine.
                let isReported = try await eventually {
                    try await backend(kiosk, "machine", "list")
                        .contains("papers that may be missing: 3")
                }
                #expect(isReported)
                // No number was asked for again, and no paper comes out twice.
                #expect(kiosk.proxy.asked("POST", "/confirmation").count == 3)
                #expect(try await states(kiosk) == ["called", "called", "called"])
                try await kiosk.judgeTickets()
                #expect(try await backend(kiosk, "machine", "list").contains(#""light":"trouble""#))
                #expect(try await reported(kiosk) == "3")

                for column in [1, 78, 1, 78] { try await screen.tap(row: 0, column: column) }
                try await screen.shows("digita il PIN")
                try await screen.typePIN("739146")
                let overview = try await screen.shows("003, ", "002, ", "il biglietto è uscito?")
                #expect(overview.contains(/003, \d\d:\d\d: il biglietto è uscito\?/))

                try await reprint(kiosk, screen)
                try await giveBack(kiosk, screen)
                // The paper of 001 had come.
                try await screen.touch(words: "001, ")
                try await screen.touch(words: "È uscito")
                try await screen.shows("001 è uscito")
                try await screen.touch(words: "Indietro")
                let seen = try await screen.shows("oggi: 3")
                #expect(!seen.contains("è uscito?"))
                try await screen.touch(words: "Esci")
                let isWell = try await eventually {
                    try await !backend(kiosk, "machine", "list").contains("may be missing")
                }
                #expect(isWell)
                #expect(try await reported(kiosk) == "0")
                #expect(try await states(kiosk) == ["called", "deleted", "called"])
            }
        }
    }
}
