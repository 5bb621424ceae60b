import Foundation
import Reservations
import TestSupport
import Testing

@Suite(
    "A customer collects an order, on real parts (rules 41) [Click-And-Collect UC10, Click-And-Collect TC4]"
)
struct OrderTests {
    /// What Home asks where there are three buttons.
    private static let home = "Che cosa vuoi fare?"

    /// An order of the demonstration, as the database has it.
    private struct Order {
        let code: String
        let typedCode: String
    }

    private func order(_ reference: String, of product: Product) async throws -> Order {
        let rows = try await product.rows(
            "SELECT code, typed_code FROM pickup_order WHERE reference = '\(reference)'")
        let fields = try #require(rows.first).split(separator: "|").map(String.init)
        return Order(code: fields[0], typedCode: fields[1])
    }

    @Test(
        "The code at the reader, I am here, and the paper's symbol is the order's; shown again, nothing is printed"
    )
    func collects() async throws {
        try await Product.with("--orders") { product in
            try await TmuxTerminal.with(columns: 80, rows: 24, command: product.kiosk()) { screen in
                try await screen.shows(Self.home)
                let order = try await order("4711", of: product)
                try await screen.types(order.code)
                try await screen.shows("Ordine 4711, 2 pacchi", "Aspetterai")
                #expect(
                    try await product.rows("SELECT number FROM pickup_order WHERE number > 0")
                        .isEmpty)
                try await screen.press("Enter")
                try await screen.shows(Words.issued, "tabellone")
                let rows = try await product.rows(
                    "SELECT reference, state, number FROM pickup_order WHERE number IS NOT NULL")
                #expect(rows == ["4711|arrived|1"])
                let isPrinted = try await eventually { try product.papers().count == 1 }
                #expect(isPrinted)
                let page = try product.papers()[0]
                #expect(try await Picture.qrCodes(onPage: page).contains(order.code))
                let text = try await Tool.succeed("pdftotext", ["-layout", page, "-"])
                #expect(text.contains("C-001") && text.contains("4711"))

                try await screen.press("Enter")
                try await screen.shows(Self.home)
                try await screen.types(order.code)
                try await screen.shows("Il tuo arrivo è registrato")
                try await screen.press("Escape")
                try await screen.shows(Self.home)
                #expect(try product.papers().count == 1)
                #expect(try await product.rows("SELECT last_number FROM pickup_day") == ["1"])
            }
        }
    }

    @Test("Its third button at Home, ten typed digits, and each refusal with its sentence")
    func refuses() async throws {
        try await Product.with("--orders") { product in
            try await TmuxTerminal.with(columns: 80, rows: 24, command: product.kiosk()) { screen in
                try await screen.shows(Self.home)
                let later = try await order("4714", of: product)
                let cancelled = try await order("4715", of: product)
                try await screen.types(later.code)
                try await screen.shows("Ordine 4714", "sarà pronto")
                try await screen.press("Escape")
                try await screen.shows(Self.home)
                try await screen.types(cancelled.code)
                try await screen.shows("è stato annullato")
                try await screen.press("Escape")
                try await screen.shows(Self.home)
                try await screen.types("CLUP:C:ELSE" + cancelled.code.suffix(26))
                try await screen.shows("Vai nel negozio indicato")
                try await screen.press("Escape")
                try await screen.shows(Self.home)
                try await screen.types("CLUP:C:CITT" + String(repeating: "0", count: 26))
                try await screen.shows(Words.again)
                try await screen.press("Escape")
                try await screen.shows(Self.home)
                // The third button, and digits.
                try await screen.press("Tab", "Tab", "Enter")
                try await screen.shows("codice dell’ordine")
                try await screen.types(later.typedCode)
                try await screen.shows("Ordine 4714", "sarà pronto")
                #expect(
                    try await product.rows("SELECT number FROM pickup_order WHERE number > 0")
                        .isEmpty)
                #expect(try product.papers().isEmpty)
            }
        }
    }
}
