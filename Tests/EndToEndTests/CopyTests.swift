import TestSupport
import Testing

@Suite("A ticket that is printed again")
struct CopyTests {
    /// Takes a ticket at Home, and waits for its paper and for Home.
    private func ticket(_ number: Int, button: String, _ screen: TmuxTerminal, _ product: Product)
        async throws
    {
        try await screen.press("Enter", shows: button)
        try await screen.press("Enter")
        #expect(try await eventually { try product.papers().count == number }, "paper \(number)")
        try await screen.press("Enter", shows: "Che cosa vuoi fare")
    }

    private func isCalled(_ number: Int, _ product: Product) async throws -> Bool {
        try await eventually {
            try await product.rows("SELECT state FROM reservation WHERE number = \(number)")
                == ["called"]
        }
    }

    private func printAgain(
        _ number: String, papers: Int, _ screen: TmuxTerminal, _ product: Product
    ) async throws -> String {
        try await screen.shows("Manutenzione")
        try await screen.touch(words: "Biglietti")
        try await screen.touch(words: number)
        try await screen.touch(words: "Strappato")
        try await screen.shows("è stampato")
        #expect(try await eventually { try product.papers().count == papers }, "paper \(papers)")
        let copy = try await Product.text(of: try #require(try product.papers().last))
        try await screen.touch(words: "Indietro")
        return copy
    }

    @Test(
        "It is a copy in its customer's language, with the present wait, or without one once called"
    )
    func copy() async throws {
        try await Product.withKiosk(
            rows: 25,
            prepared: { product in
                try await product.administer("shop", "change", "--capacity", "1")
                try await product.addManager("Giulia", pin: "739146")
            }
        ) { product, screen in
            try await screen.shows("Lingua")
            for number in 1...2 {
                try await ticket(number, button: "stampa il biglietto", screen, product)
            }
            try await screen.touch(words: "Lingua")
            // The languages are in large letters there; the second one is English.
            try await screen.shows("Scegli la lingua")
            try await screen.press("Tab")
            try await screen.press("Enter", shows: "Language")
            try await ticket(3, button: "print my ticket", screen, product)
            let first = try await Product.text(of: try #require(try product.papers().last))
            let wait = /Expected wait\s+(\S.*)/
            let quoted = try #require(first.firstMatch(of: wait)?.1)
            #expect(!first.contains("COPY"))

            // With a second place inside, the second customer is called and the third waits for less long.
            try await product.administer("shop", "change", "--capacity", "2")
            #expect(try await isCalled(2, product))
            for column in [1, 78, 1, 78] { try await screen.tap(row: 0, column: column) }
            try await screen.shows("digita il PIN")
            try await screen.typePIN("739146")
            let copy = try await printAgain("003", papers: 4, screen, product)
            #expect(copy.contains("COPY") && copy.contains("Your number"), "\(copy)")
            #expect(!copy.contains("COPIA") && !copy.contains("Attesa"), "\(copy)")
            let now = try #require(copy.firstMatch(of: wait)?.1, "\(copy)")
            #expect(now != quoted, "the wait of the first paper")

            // A called ticket has no wait any more.
            try await product.administer("shop", "change", "--capacity", "3")
            #expect(try await isCalled(3, product))
            let last = try await printAgain("003", papers: 5, screen, product)
            #expect(last.contains("COPY") && last.contains("Come in now"), "\(last)")
            #expect(!last.contains("Expected"), "\(last)")
        }
    }
}
