import Foundation
import TestSupport
import Testing

@Suite("Readers on every screen", .serialized)
struct ReaderSizeTests {
    @Test(
        "Nothing overflows, however the screen hangs", arguments: [(1_920, 1_080), (1_080, 1_920)])
    func sizes(width: Int, height: Int) async throws {
        try await PageShop.with { shop in
            try await Browser.with(width: width, height: height) { browser in
                for role in ["entrance", "checkout", "turnstile"] {
                    try await shop.open(role, in: browser)
                    let size =
                        "document.documentElement.scrollWidth + 'x' "
                        + "+ document.documentElement.scrollHeight"
                    #expect(try await browser.value(size) == "\(width)x\(height)")
                    try await browser.keepPicture("\(role)-\(width)x\(height)")
                }
            }
        }
    }
}
