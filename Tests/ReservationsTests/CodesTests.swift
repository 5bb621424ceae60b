import Reservations
import Testing

@Suite("Codes (rules: codes)")
struct CodesTests {
    private let tag = ShopTag(rawValue: "CITT")!

    @Test("An entry code has 37 characters of QR's alphanumeric set and its shop's tag")
    func entryCode() {
        let code = EntryCode(tag: tag, random: [UInt8](repeating: 0xFF, count: 16))
        #expect(code.rawValue == "CLUP:1:CITTZZZZZZZZZZZZZZZZZZZZZZZZZW")
        #expect(code.rawValue.utf8.count == 37)
        #expect(code.tag == tag)
        #expect(EntryCode(rawValue: code.rawValue) == code)
    }

    @Test("All 128 bits are in the code")
    func bits() {
        var seen: Set<String> = []
        for bit in 0..<128 {
            var bytes = [UInt8](repeating: 0, count: 16)
            bytes[bit / 8] = 0x80 >> UInt8(bit % 8)
            seen.insert(EntryCode(tag: tag, random: bytes).rawValue)
        }
        #expect(seen.count == 128)
    }

    @Test("A log line shows no secret")
    func description() {
        let code = EntryCode(tag: tag, random: Array(0..<16))
        #expect("\(code)" == "CLUP:1:CITT…")
        #expect(String(reflecting: code) == "CLUP:1:CITT…")
    }

    @Test(
        "Text that does not have exactly the form is no code",
        arguments: [
            "", "CLUP:1:", "CLUP:2:CITT000000000000000000000000000",
            "clup:1:CITT00000000000000000000000000", "CLUP:1:CITT0000000000000000000000000I",
            "CLUP:1:CITT000000000000000000000000000", "CLUP:1:citt00000000000000000000000000",
            "CLUPÇ1Ç0CITT0000000000000000000000000",
        ])
    func refused(text: String) {
        #expect(EntryCode(rawValue: text) == nil)
    }

    @Test("A typed code has ten digits, read in groups")
    func typedCode() {
        #expect(TypedCode(rawValue: "0419384512")?.grouped == "0419 384 512")
        #expect(TypedCode(rawValue: "041938451") == nil)
        #expect(TypedCode(rawValue: "041938451x") == nil)
        #expect(TypedCode(rawValue: "٠٤١٩٣٨٤٥١٢") == nil)
    }

    @Test("Queue numbers have three digits or more, and are at least 1")
    func numbers() {
        #expect(QueueNumber(rawValue: 7)?.text == "007")
        #expect(QueueNumber(rawValue: 1_042)?.text == "1042")
        #expect(QueueNumber(rawValue: 0) == nil)
        #expect(QueueNumber(rawValue: -1) == nil)
        #expect(QueueNumber(rawValue: .max) == nil)
    }

    @Test(
        "Text that is scanned or typed is a code with or without spaces and in small letters, or nothing"
    )
    func presented() throws {
        let entry = EntryCode(tag: try #require(ShopTag(rawValue: "ROM1")), random: Array(0..<16))
        let typed = try #require(TypedCode(rawValue: "0419384512"))
        for text in [entry.rawValue, entry.rawValue.lowercased(), " \(entry.rawValue) "] {
            #expect(PresentedCode(text) == .entry(entry))
        }
        #expect(PresentedCode(typed.grouped) == .typed(typed))
        // The kind of the symbol, as readers may send it.
        for kind in ["]Q1", "]Q3", "]C1", "]d2"] {
            #expect(PresentedCode(kind + entry.rawValue) == .entry(entry), "\(kind)")
            let link = entry.link(at: "https://queue.example.it")
            #expect(PresentedCode(kind + link) == .entry(entry))
            #expect(PresentedCode(kind) == nil)
            #expect(PresentedCode(kind + kind + entry.rawValue) == nil)
        }
        #expect(PresentedOrderCode("#" + typed.rawValue) == nil)
        let longest = String(repeating: " ", count: 118) + typed.rawValue
        #expect(PresentedCode(longest) == .typed(typed) && PresentedCode(" " + longest) == nil)
        for text in [
            "", "041938451", "04193845121", "0419-384-512", "\(entry.rawValue)\r", "\u{1B}[2J",
            "CLUP:1:ROM1", "https://example.org/", "\(entry.rawValue)\n", "\u{0}\(entry.rawValue)",
            "٠٤١٩٣٨٤٥١٢", "CLUP:2" + entry.rawValue.dropFirst(6), "\u{0}" + typed.rawValue,
        ] { #expect(PresentedCode(text) == nil, "\(text)") }
        #expect(PresentedCode(typed.grouped)?.text == "0419384512")
    }
}
