import TestSupport
import Testing

@Suite("A customer gets more time, and a missed place back, on real parts (rules: more-time)")
struct MoreTimeTests {
    private func states(_ product: Product) async throws -> [String] {
        try await product.rows(
            "SELECT state FROM reservation WHERE number IS NOT NULL ORDER BY number")
    }

    @Test("Two people go ahead of a ticket; the call of another one is missed, and taken back")
    func whole() async throws {
        let folder = try TemporaryFolder()
        let clock = folder.file("clock")
        try await Product.withKiosk(
            "--clock", clock,
            prepared: { product in
                try Product.set(clock, minutes: 0)
                try await product.administer("shop", "change", "--capacity", "1")
            }
        ) { product, screen in
            for _ in 0..<4 { _ = try await product.ticket(on: screen) }
            #expect(try await states(product) == ["called", "planned", "planned", "planned"])
            let codes = try await product.codes()
            try await screen.types(codes[1], shows: "Chiedi più tempo")
            try await screen.press("Tab", "Enter", shows: "Il tuo numero resta il 002.")
            try await screen.press("Tab", "Enter", shows: "Hai fatto passare avanti 2 persone.")
            try await screen.press("Enter", shows: Words.home)
            try await screen.types(codes[1], shows: "Hai 2 persone davanti.")
            try await screen.press("Escape", shows: Words.home)

            // The third ticket is called after the first one, whose customer did not come.
            try Product.set(clock, minutes: 11)
            #expect(
                try await eventually {
                    try await states(product) == ["expired", "planned", "called", "planned"]
                })
            try await screen.types(codes[0], shows: "puoi riprendere il posto")
            try await screen.press("Enter", shows: "Hai di nuovo il tuo posto.")
            #expect(try await states(product) == ["planned", "planned", "called", "planned"])
        }
    }
}
