import TestSupport
import Testing

@Suite("Pages of a shop with a hostile name [fault 58]", .serialized)
struct HostileNameTests {
    private static let name =
        "<script>owned=1</script><img src=x onerror=owned=1>{{7*7}}'; DROP --"

    @Test("Every page shows the name as it is written")
    func shown() async throws {
        try await PageShop.with { shop, browser in
            try await shop.backend.rename(Self.name)
            for role in ["display", "entrance", "staff"] {
                try await shop.open(role, in: browser)
                // Text that is hidden at the moment is in the page nevertheless.
                let text = "document.getElementById('shop').textContent"
                await browser.expect(value: text, Self.name, in: role)
                let made = "document.querySelectorAll('#shop *').length + typeof window.owned"
                #expect(try await browser.value(made) == "0undefined", "\(role)")
                #expect(try await browser.value("document.title").contains("{{7*7}}"), "\(role)")
            }
        }
    }
}
