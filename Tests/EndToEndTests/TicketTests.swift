import TestSupport
import Testing

/// The texts in the demo shop's own language that the tests look for.
enum Words {
    static let home = "quanto devi ancora aspettare"
    static let confirm = "Conferma"
    static let cancel = "Annulla"
    /// The answers to the question of whether to cancel a reservation.
    static let keep = "Mantieni il posto"
    static let giveUp = "Sì, disdici"
    /// The text under *Confirm*, which itself is in large letters on all but the coarse grids.
    static let print = "stampa il biglietto"
    static let issued = "Codice"
    static let again = "Riprova"
}

extension Product {
    /// Takes a reservation with the keyboard, from Home to Home, and returns its code.
    func ticket(on screen: TmuxTerminal) async throws -> String {
        try await screen.shows(Words.home)
        try await screen.press("Enter", shows: Words.confirm)
        try await screen.press("Enter", shows: Words.issued)
        try await screen.press("Enter", shows: Words.home)
        return try #require(try await codes().first)
    }
}

@Suite("A customer gets a ticket, on real parts [UC11]")
struct TicketTests {
    @Test("By touch in xterm: the QR on the screen = the QR on the paper = the database")
    func byTouch() async throws {
        try await Product.with { product in
            try await XTerminal.with(command: product.kiosk()) { screen in
                // A held place shows that the machine took the touch at the middle of the button.
                let isHeld = try await eventually {
                    try await screen.touch(row: 8, column: 40)
                    return try await product.rows(
                        "SELECT state FROM reservation WHERE state = 'pending'"
                    ).count == 1
                }
                #expect(isHeld)
                let isReserved = try await eventually {
                    try await screen.touch(row: 17, column: 60)
                    return try await product.codes().count == 1
                }
                #expect(isReserved)
                let codes = try await product.codes()
                var seen: [String] = []
                _ = try await eventually {
                    seen = try await screen.entryCodes()
                    return !seen.isEmpty
                }
                #expect(seen == codes)
                #expect(try await eventually { try product.papers().count == 1 })
                #expect(try await Picture.entryCodes(onPage: product.papers()[0]) == codes)
            }
        }
    }

    @Test(
        "By keyboard in 80 x 24: number, code and paper; Done goes Home, where the ticket's code shows its reservation; Confirm deletes it, once [UC13]; the next customer begins at Get a ticket"
    )
    func byKeyboard() async throws {
        try await Product.withKiosk { product, screen in
            try await screen.shows(Words.home)
            try await screen.press("Enter", shows: Words.confirm, Words.cancel)
            let typed = try await screen.press("Enter", shows: Words.issued)
            let rows = try await product.rows(
                "SELECT code, typed_code, number FROM reservation WHERE state IN ('planned', 'called')"
            )
            let row = try #require(rows.first).split(separator: "|").map(String.init)
            #expect(rows.count == 1)
            #expect(row[2] == "1")
            let digits = row[1]
            #expect(typed.contains("\(digits.prefix(4)) \(digits.dropFirst(4).prefix(3))"))
            #expect(try await eventually { try product.papers().count == 1 })
            // The screen closes by itself, and Enter at Home would ask for another ticket.
            try await screen.press("Enter", shows: Words.home)
            #expect(try await Picture.entryCodes(onPage: product.papers()[0]) == [row[0]])

            try await screen.types(row[0])
            try await screen.shows("disdire", Words.giveUp, Words.keep)
            try await screen.press("Tab", "Enter")
            let states = "SELECT state FROM reservation"
            #expect(try await eventually { try await product.rows(states) == ["deleted"] })
            try await screen.press("Enter", shows: Words.home)
            try await screen.types(row[0], shows: "già")
            try await screen.press("Escape", shows: Words.home)
            let unknown = "CLUP:1:CITT00000000000000000000000000"
            let text = try await screen.types(unknown, shows: Words.again)
            #expect(!text.contains("già"))
            try await screen.press("Escape", shows: Words.home)

            // The next customer begins at Get a ticket, whatever button had the focus before.
            try await screen.press("Tab", "Enter", shows: "sotto la luce rossa")
            try await screen.press("Escape", shows: Words.home)
            try await screen.press("Enter", shows: Words.print)
        }
    }

    @Test("With no ticket left the first visit is booked, with number, code and paper [UC12]")
    func visit() async throws {
        try await Product.withKiosk("--sold-out") { product, screen in
            try await screen.shows(Words.home)
            try await screen.press("Enter", shows: Words.confirm, Words.cancel)
            try await screen.press("Enter", shows: Words.issued)
            let rows = try await product.rows(
                "SELECT kind, number, code FROM reservation WHERE state IN ('planned', 'called')"
            )
            #expect(rows.count == 1)
            let row = try #require(rows.first).split(separator: "|").map(String.init)
            #expect(row[0...1] == ["visit", "1"])
            #expect(try await eventually { try product.papers().count == 1 })
            #expect(try await Picture.entryCodes(onPage: product.papers()[0]) == [row[2]])
        }
    }

    @Test("A closed shop's machine says when it opens, and gives no ticket [R27]")
    func closed() async throws {
        try await Product.withKiosk("--closed") { product, screen in
            let text = try await screen.shows("apre domani")
            #expect(!text.contains(Words.home))
            try await screen.press("Enter")
            #expect(try await product.rows("SELECT 1 FROM reservation").isEmpty)
        }
    }
}
