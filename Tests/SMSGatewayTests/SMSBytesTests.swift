import SMSGateway
import Testing

@Suite("The bytes of an SMS from a gateway")
struct SMSBytesTests {
    @Test(
        "UTF-8, Latin-1 and UCS-2 are distinguished",
        arguments: [
            (Array("Sì, vengo 👍".utf8), "Sì, vengo 👍"), (Array("OK".utf8), "OK"), ([], ""),
            ([0x53, 0xEC], "Sì"), ([0x53, 0xEC, 0x21], "Sì!"),
            ([0x53, 0x70, 0xE4, 0x74, 0x65, 0x72], "Später"),
            ([0x61, 0x72, 0x72, 0xEA, 0x74], "arrêt"),
            ([0x00, 0x4F, 0x00, 0x4B], "OK"), ([0x00, 0x53, 0x00, 0xEC], "Sì"),
            ([0xFE, 0xFF, 0x00, 0x4E, 0x00, 0x4F], "NO"), ([0xD8, 0x3D, 0xDC, 0x4D], "👍"),
            ([0x00, 0x4F, 0x00, 0x4B, 0xD8, 0x3D, 0xDC, 0x4D], "OK👍"),
            // No pair of surrogates: Latin-1.
            ([0xD8, 0x3D, 0x41, 0x41], "Ø=AA"), ([0x00], "\u{0}"),
        ] as [([UInt8], String)])
    func text(bytes: [UInt8], text: String) {
        #expect(SMSBytes.text(bytes) == text)
    }
}
