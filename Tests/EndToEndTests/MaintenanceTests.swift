import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Maintenance mode")
struct MaintenanceTests {
    private static let program = Tool.program("clup-kiosk")

    /// Touches the pattern in the upper corners, from Home.
    private func knock(_ screen: TmuxTerminal) async throws {
        for column in [1, 78, 1, 78] { try await screen.tap(row: 0, column: column) }
        try await screen.shows("digita il PIN")
    }

    private func log(_ product: Product) throws -> String {
        try String(contentsOfFile: "\(product.services.state)/kiosk.log", encoding: .utf8)
    }

    @Test("Three wrong PINs lock it, even after kill -9 in the menu (faults 7, 60)")
    func locked() async throws {
        // The wait is 30 s, so nothing that takes long happens while it lasts.
        try await WallClock.with { clock in
            try await Product.with { product in try await locked(product, clock) }
        }
    }

    private func locked(_ product: Product, _ clock: WallClock) async throws {
        try await product.addManager("Giulia", pin: "739146")
        try await product.kiosk(rows: 25) { screen in
            try await screen.shows("per oggi", "Lingua")
            try await knock(screen)
            for _ in 0..<2 {
                try await screen.typePIN("824091")
                try await screen.shows("PIN è sbagliato")
                #expect(!(try await screen.text()).contains("Attendi"))
            }
            try await screen.typePIN("824091")
            try await screen.shows("PIN è sbagliato", "Attendi")
            // The log is written after the screen.
            #expect(await patiently { try self.log(product).contains("staff: wrong-pin 30 s") })
            kill(try await screen.process(), SIGKILL)
            try await screen.shows("status 137")
        }
        try await product.kiosk(rows: 25) { screen in
            try await screen.shows("Lingua")
            // The keypad is not offered while it cannot be used.
            for column in [1, 78, 1, 78] { try await screen.tap(row: 0, column: column) }
            let text = try await screen.shows("digitati PIN sbagliati", "Attendi")
            #expect(!text.contains("OK"))
            try await screen.press("739146", "Enter")
            #expect(!(try await screen.text()).contains("Manutenzione"))
            // Setting the clock does not change the wait.
            for hours in [-2, 2] {
                try clock.set(offset: .seconds(hours * 3_600))
                let list = try await Tool.run(
                    Self.program, ["staff", "list", "--state", product.services.state],
                    environment: clock.environment)
                #expect(list.errors.contains("A PIN may be tried in"), "\(hours) h: \(list)")
            }
            try await Tool.succeed(
                Self.program, ["staff", "unlock", "--state", product.services.state])
            kill(try await screen.process(), SIGKILL)
        }
        try await product.kiosk(rows: 25) { screen in
            try await screen.shows("Lingua")
            try await screen.press("F10")
            try await screen.typePIN("739146")
            try await screen.shows("Manutenzione - Giulia", "in servizio")
            kill(try await screen.process(), SIGKILL)
        }
        try await product.kiosk(rows: 25) { screen in
            let text = try await screen.shows("Lingua")
            #expect(!text.contains("Manutenzione"))
        }
        let log = try log(product)
        #expect(log.contains("staff: Giulia entered") && !log.contains("739146"))
    }

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

    /// The words of the last paper, once there are so many.
    private func text(ofPaper count: Int, _ product: Product) async throws -> String {
        #expect(try await eventually { try product.papers().count == count }, "paper \(count)")
        return try await Product.text(of: try #require(try product.papers().last))
    }

    private func printTest(_ product: Product, _ screen: TmuxTerminal) async throws {
        try await screen.touch(words: "Stampante")
        try await screen.touch(words: "Stampa di prova")
        try await screen.shows("è stampato")
        let test = try await text(ofPaper: 4, product)
        #expect(test.contains("TEST") && test.contains("Non è un biglietto"))
        try await screen.touch(words: "Indietro")
    }

    private func reprint(
        _ number: String, papers: Int, _ product: Product, _ screen: TmuxTerminal
    ) async throws -> String {
        try await screen.shows("Manutenzione")
        try await screen.touch(words: "Biglietti")
        try await screen.touch(words: number)
        try await screen.touch(words: "Strappato")
        try await screen.shows("è stampato")
        let copy = try await text(ofPaper: papers, product)
        try await screen.touch(words: "Indietro")
        return copy
    }

    /// The copies of the third ticket, whose customer speaks English and waits, and of the first one.
    private func copies(_ product: Product, _ screen: TmuxTerminal) async throws {
        let (italian, english) = (
            try await Product.text(of: product.papers()[0]),
            try await Product.text(of: product.papers()[2])
        )
        let wait = /Expected wait\s+(\S.*)/
        let quoted = try #require(english.firstMatch(of: wait)?.1)
        #expect(!english.contains("COPY") && !italian.contains("COPIA"))
        // With a second place inside, the second customer is called and the third waits for less long.
        try await product.administer("shop", "change", "--capacity", "2")
        #expect(try await isCalled(2, product))
        let copy = try await reprint("003", papers: 5, product, screen)
        #expect(copy.contains("COPY") && copy.contains("Your number"), "\(copy)")
        #expect(!copy.contains("COPIA") && !copy.contains("Attesa"), "\(copy)")
        let now = try #require(copy.firstMatch(of: wait)?.1, "\(copy)")
        #expect(now != quoted, "the wait of the first paper")

        // A called ticket has no wait any more.
        try await product.administer("shop", "change", "--capacity", "3")
        #expect(try await isCalled(3, product))
        let last = try await reprint("003", papers: 6, product, screen)
        #expect(last.contains("COPY") && last.contains("Come in now"), "\(last)")
        #expect(!last.contains("Expected"), "\(last)")

        let other = try await reprint("001", papers: 7, product, screen)
        let code = try #require(italian.firstMatch(of: /\d{4} \d{3} \d{3}/))
        #expect(other.contains("COPIA") && other.contains(code.output))
    }

    /// Puts the machine out of service and restarts the program, once at once and once when no staff member is there.
    private func restart(_ screen: TmuxTerminal) async throws {
        try await screen.touch(words: "Macchina")
        try await screen.touch(words: "Metti fuori")
        try await screen.touch(words: "Sì, fuori")
        try await screen.shows("Metti in", "fuori servizio")
        try await screen.touch(words: "Riavvia il")
        // The answers are drawn in large letters; the keys begin at the one that changes nothing.
        try await screen.shows("pochi secondi")
        try await screen.press("Right")
        try await screen.press("Enter", shows: "non può dare biglietti", "S1")
        // Without a touch the restart happens by itself.
        try await knock(screen)
        try await screen.typePIN("739146")
        try await screen.shows("Manutenzione - Giulia")
        try await screen.passes(until: "non può dare biglietti", "S1", within: .seconds(150))
    }

    @Test(
        "A test print is marked TEST, and a reprint COPY, in its customer's language, with the present wait, or without one once called; neither makes a reservation"
    )
    func papers() async throws {
        try await Product.with { product in
            try await product.addManager("Giulia", pin: "739146")
            try await product.administer("shop", "change", "--capacity", "1")
            try await product.kiosk(rows: 25) { screen in
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

                try await knock(screen)
                try await screen.typePIN("739146")
                try await screen.shows("Manutenzione - Giulia", "oggi: 3", "pronta")
                try await printTest(product, screen)
                try await copies(product, screen)
                let places = "SELECT number, state FROM reservation ORDER BY number"
                let expected = ["1|called", "2|called", "3|called"]
                #expect(try await product.rows(places) == expected)
                try await screen.touch(words: "Eventi")
                try await screen.shows("Giulia", "ristampato: 001, Strappato", "stampa di prova: 1")
                try await screen.touch(words: "Indietro")
                try await restart(screen)
            }
            let log = try log(product)
            for line in [
                "staff: Giulia test-print 1", "staff: Giulia reprint 001 torn",
                "staff: Giulia out-of-service", "staff: Giulia restart", "staff: Giulia left",
            ] { #expect(log.contains(line), "\(line)") }
        }
    }
}
