internal import Reservations
internal import Testing

@Suite("Where a shop is")
struct ShopAddressTests {
    @Test("A position is read as maps show it, and written as it was given")
    func readable() throws {
        for text in ["45.4642,9.19", "-33.8688,151.2093", "0.0,-0.000001", "90.0,-180.0"] {
            #expect(ShopAddress.Position(text)?.description == text)
        }
        let spaced = try #require(ShopAddress.Position("45.46421, 9.19"))
        #expect(spaced.latitude == 45_464_210 && spaced.longitude == 9_190_000)
    }

    @Test(
        "A text that is no position is refused",
        arguments: [
            "", "45.4642", "45.4642,", "45,46,9", "91,0", "0,181", "1e9,0", "nan,0", "inf,inf",
            "0x10,0", "45.4642 9.19", "45..4,9", "--4,9", "9999999999999999999999,0",
            "45,4642,9,19",
        ])
    func refused(text: String) { #expect(ShopAddress.Position(text) == nil) }
}
