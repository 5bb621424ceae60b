import Foundation
import TestSupport
import Testing

@Suite(
    "A customer collects an order, on real parts (rules: orders) [Click-And-Collect UC10, Click-And-Collect TC4]"
)
struct OrderTests {
    /// What Home asks where there are three buttons.
    private static let home = "Che cosa vuoi fare?"

    @Test(
        "From the shop's file to the hand-over: machine, paper and desk have the same number, code and state [Click-And-Collect UC10, TC5]"
    )
    func wholeCourse() async throws {
        try await Product.with("--orders") { product in
            let file = product.folder.file("orders.csv")
            let promised = Date().formatted(.iso8601)
            try "reference,promised,parcels\n4800,\(promised),medium@E7 small@E8\n"
                .write(toFile: file, atomically: true, encoding: .utf8)
            try await product.administer("order", "import", file)
            let codes = try await product.rows(
                "SELECT code, typed_code FROM pickup_order WHERE reference = '4800'")
            let forms = try #require(codes.first).split(separator: "|").map(String.init)
            let order = (code: forms[0], typedCode: forms[1])
            try await Browser.with(width: 1_024, height: 768) { desk in
                try await desk.open("\(product.services.backend)/desk/CITT")
                #expect(await desk.waits(for: "#enrolment"))
                let key = try await desk.text("#enrolment dt.key + dd")
                try await product.administer(
                    "device", "add", "--role", "desk", "--name", "desk-2", "--key=\(key)")
                #expect(await desk.waits(for: "#choose"))
                try await desk.press("#choose div button:nth-child(2)")
                #expect(
                    await patiently { try await desk.orders("waiting") == "C-001 C-004" },
                    "one waits, one was not found")
                try await product.kiosk { screen in
                    try await collect(order, at: screen, desk, of: product)
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

    /// Collects an order with its code, and its ten digits, at the machine and at the desk.
    private func collect(
        _ order: (code: String, typedCode: String), at screen: TmuxTerminal, _ desk: Browser,
        of product: Product
    ) async throws {
        try await screen.shows(Self.home)
        try await screen.types(order.code, shows: "Ordine 4800, 2 pacchi")
        try await screen.press("Enter", shows: Words.issued)
        #expect(await patiently { try await desk.orders("waiting") == "C-001 C-004 C-006" })
        #expect(try await eventually { try product.papers().count == 1 })
        let paper = try product.papers()[0]
        #expect(try await Product.text(of: paper).contains("C-006"))
        #expect(try await Picture.orderCodes(onPage: paper).contains(order.code))
        try await screen.press("Enter", shows: Self.home)

        #expect(await desk.takes("fetch", "C-006", to: "fetching"))
        #expect(await desk.takes("ready", "C-006", to: "called"))
        #expect(try await desk.orders("called") == "C-003 C-006")
        // The third button, and digits.
        try await screen.press("Tab", "Tab", "Enter", shows: "codice dell’ordine")
        try await screen.types(order.typedCode, shows: "banco ritiri 2")
        try await screen.press("Enter", shows: Self.home)
        try await desk.scan(order.code)
        #expect(await patiently { try await desk.text("#answer").contains("Consegnato") })
        try await screen.types(order.code, shows: "stato ritirato oggi")
    }
}
