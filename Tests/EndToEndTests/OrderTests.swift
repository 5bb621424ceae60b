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

    /// The code of an order of the demonstration in its two forms, as the database has it.
    private func order(
        _ reference: String, of product: Product
    ) async throws -> (code: String, typedCode: String) {
        let rows = try await product.rows(
            "SELECT code, typed_code FROM pickup_order WHERE reference = '\(reference)'")
        let fields = try #require(rows.first).split(separator: "|").map(String.init)
        return (fields[0], fields[1])
    }

    @Test(
        "Its third button at Home, ten typed digits, and each refusal with its sentence; the code at the reader, I am here, and the paper's symbol is the order's; shown again, nothing is printed"
    )
    func collects() async throws {
        try await Product.withKiosk("--orders") { product, screen in
            try await screen.shows(Self.home)
            let later = try await order("4714", of: product)
            let cancelled = try await order("4715", of: product)
            try await screen.types(later.code, shows: "Ordine 4714", "sarà pronto")
            try await screen.press("Escape", shows: Self.home)
            for (code, words) in [
                (cancelled.code, "è stato annullato"),
                ("CLUP:C:ELSE" + cancelled.code.suffix(26), "Vai nel negozio indicato"),
                ("CLUP:C:CITT" + String(repeating: "0", count: 26), Words.again),
            ] {
                try await screen.types(code, shows: words)
                try await screen.press("Escape", shows: Self.home)
            }
            // The third button, and digits.
            try await screen.press("Tab", "Tab", "Enter")
            try await screen.shows("codice dell’ordine")
            try await screen.types(later.typedCode, shows: "Ordine 4714", "sarà pronto")
            try await screen.press("Escape", shows: Self.home)

            let order = try await order("4711", of: product)
            try await screen.types(order.code, shows: "Ordine 4711, 2 pacchi", "Aspetterai")
            let before = "SELECT count(number) FROM pickup_order WHERE reference = '4711'"
            #expect(try await product.rows(before) == ["0"])
            #expect(try product.papers().isEmpty)
            try await screen.press("Enter", shows: Words.issued, "tabellone")
            let rows = try await product.rows(
                "SELECT reference, state, number FROM pickup_order WHERE reference = '4711'")
            #expect(rows == ["4711|arrived|6"], "five customers came before")
            #expect(try await eventually { try product.papers().count == 1 })
            let page = try product.papers()[0]
            #expect(try await Picture.orderCodes(onPage: page).contains(order.code))
            let text = try await Product.text(of: page)
            #expect(text.contains("C-006") && text.contains("4711"))

            try await screen.press("Enter", shows: Self.home)
            try await screen.types(order.code, shows: "Il tuo arrivo è registrato")
            try await screen.press("Escape", shows: Self.home)
            #expect(try product.papers().count == 1)
            #expect(try await product.rows("SELECT last_number FROM pickup_day") == ["6"])
        }
    }

    @Test(
        "From the shop's file to the hand-over: machine, paper and desk have the same number and state [Click-And-Collect UC10, TC5]"
    )
    func wholeCourse() async throws {
        try await Product.with("--orders") { product in
            let file = product.folder.file("orders.csv")
            let promised = Date().formatted(.iso8601)
            try "reference,promised,parcels\n4800,\(promised),medium@E7 small@E8\n"
                .write(toFile: file, atomically: true, encoding: .utf8)
            try await product.administer("order", "import", file)
            let order = try await order("4800", of: product)
            try await Browser.with(width: 1_024, height: 768) { desk in
                try await desk.open("\(product.services.backend)/desk/CITT")
                #expect(await desk.waits(for: "#enrolment"))
                let key = try await desk.text("#enrolment [data-key]")
                try await product.administer(
                    "device", "add", "--role", "desk", "--name", "desk-2", "--key=\(key)")
                #expect(await desk.waits(for: "#choose"))
                try await desk.press("#choose div button:nth-child(2)")
                #expect(
                    await patiently { try await desk.orders("waiting") == "C-001 C-004" },
                    "one waits, one was not found")
                try await product.kiosk { screen in
                    try await collect(order.code, at: screen, desk, of: product)
                }
            }
            let states = try await product.rows(
                """
                SELECT e.state FROM pickup_event AS e JOIN pickup_order AS o ON o.id = e.order_id
                WHERE o.reference = '4800' ORDER BY position
                """)
            #expect(states == ["on-shelf", "arrived", "fetching", "called", "handed-over"])
        }
    }

    /// Collects an order with its code, at the machine and at the desk.
    private func collect(
        _ code: String, at screen: TmuxTerminal, _ desk: Browser, of product: Product
    ) async throws {
        try await screen.shows(Self.home)
        try await screen.types(code, shows: "Ordine 4800, 2 pacchi")
        try await screen.press("Enter", shows: Words.issued)
        #expect(await patiently { try await desk.orders("waiting") == "C-001 C-004 C-006" })
        #expect(try await eventually { try product.papers().count == 1 })
        #expect(try await Product.text(of: product.papers()[0]).contains("C-006"))
        try await screen.press("Enter", shows: Self.home)

        try await desk.take("fetch", "C-006")
        try await desk.take("ready", "C-006")
        #expect(await patiently { try await desk.orders("called") == "C-003 C-006" })
        try await screen.types(code, shows: "banco ritiri 2")
        try await screen.press("Enter", shows: Self.home)
        try await desk.scan(code)
        #expect(await patiently { try await desk.text("#answer").contains("Consegnato") })
        try await screen.types(code, shows: "stato ritirato oggi")
    }
}
