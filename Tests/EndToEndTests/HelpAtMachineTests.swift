import BackendAPI
import Cryptography
import Reservations
import TestSupport
import Testing

@Suite("A customer calls for help, on real parts (rules: help)")
struct HelpAtMachineTests {
    /// The texts of the demo shop's own language that the tests look for.
    private enum HelpWords {
        static let question = "non ho bisogno di aiuto"
        static let mistake = "non mi serve aiuto"
        static let coming = "Sta arrivando qualcuno."
        static let emergency = "In caso di emergenza chiama il 112."
    }

    /// Calls for help with the keyboard, from any customer's screen: the answer that does nothing has the focus.
    private func callForHelp(on screen: TmuxTerminal) async throws {
        try await screen.press("F1", shows: HelpWords.question)
        try await screen.press("Tab", "Enter")
    }

    private func page(_ product: Product) async throws -> SigningKey {
        let key = try SigningKey.generate()
        try await product.administer(
            "device", "add", "--role", "staff", "--name", "office", "--key=\(key.publicKey.text)")
        return key
    }

    @Test("From the key to the staff's answer; a held place is kept, and a restart finds the call")
    func whole() async throws {
        try Cryptography.start()
        try await Product.with { product in
            let key = try await page(product)
            func call(_ route: Route, _ body: String = "") -> Int? {
                SignedCall(route, body, as: key, to: product.services.backend).status()
            }
            try await product.kiosk { screen in
                try await screen.shows(Words.home)
                try await screen.press("Enter", shows: Words.confirm)
                try await callForHelp(on: screen)
                try await screen.shows(HelpWords.emergency, HelpWords.mistake)
                let calls = try await product.rows(
                    "SELECT id FROM help_call WHERE ended_ms IS NULL")
                #expect(calls.count == 1)
                let id = HelpCallID(try #require(calls.first))
                // The backend knows the page's key within a second.
                #expect(await eventually { call(.helpCalls) == 200 })
                // What the screen says of the call is in large letters; above it is the time of day.
                func words() async throws -> [Substring] {
                    try await screen.text().split(separator: "\n").dropFirst().map { $0 }
                }
                let calling = try await words()
                #expect(call(.helpAcknowledgement(id), "{}") == 200)
                #expect(try await eventually { try await words() != calling })
                // The call becomes the band, and the place that was held is still shown.
                try await screen.press("Enter", shows: HelpWords.coming, Words.confirm)
                try await screen.press("Enter", shows: HelpWords.coming, Words.issued)
                #expect(try await product.codes().count == 1)
            }
            try await product.kiosk { screen in
                try await screen.shows(HelpWords.coming, Words.home)
                let id = HelpCallID(
                    try #require(try await product.rows("SELECT id FROM help_call").first))
                #expect(call(.helpCall(id), #"{"end":"helped"}"#) == 200)
                let isGone = try await eventually {
                    let text = try await screen.text()
                    return !text.contains(HelpWords.coming) && text.contains(Words.home)
                }
                #expect(isGone)
            }
            #expect(try await product.rows("SELECT ending FROM help_call") == ["helped"])
        }
    }
}
