import BackendAPI
import Foundation
import Reservations
import Testing

@Suite("A machine's status in the contract")
struct MachineStatusWireTests {
    private let well = MachineCondition(
        version: "1", outOfService: nil,
        printers: [PrinterStatus(name: "roll", trouble: nil, paperLow: false)], reader: true,
        clockOffset: 2, diskFree: 50, fingerprint: "ab", keyDays: nil)

    @Test("A machine that is well has no troubles; each trouble is named")
    func troubles() {
        #expect(well.troubles.isEmpty)
        var bad = well
        bad.outOfService = "N1"
        bad.printers[0].trouble = "jam"
        bad.printers[0].paperLow = true
        bad.reader = false
        bad.diskFree = 4
        bad.clockOffset = -31
        bad.unknownPapers = 2
        #expect(
            bad.troubles == [
                "out of service (N1)", "roll: jam", "roll: paper low", "no reader",
                "papers that may be missing: 2", "disk full", "clock wrong",
            ])
    }

    @Test("The report of an older machine, without papers that may be missing, is understood")
    func older() throws {
        let old = try JSONDecoder().decode(
            PrintTally.self,
            from: Data(#"{"day":"2026-11-20","printed":3,"failed":0,"copies":1}"#.utf8))
        #expect(old.printed == 3 && old.unknown == 0)
        let text = String(decoding: try JSONEncoder().encode(well), as: UTF8.self)
        #expect(!text.contains("unknownPapers"))
        #expect(try JSONDecoder().decode(MachineCondition.self, from: Data(text.utf8)) == well)
    }

    @Test("Foreign text becomes one line without characters that move, hide or reorder text")
    func foreign() {
        #expect(ForeignText.clean("a\u{1B}]0;x\u{07}b\u{202E}c\u{9B}", limit: 99) == "a]0;xbc")
        #expect(ForeignText.clean(" \r\n a\t\n b \u{2028}", limit: 99) == "a b")
        let marks = "e" + String(repeating: "\u{301}", count: 40)
        #expect(ForeignText.clean(marks, limit: 99).unicodeScalars.count == 3)
        #expect(ForeignText.clean("\u{301}a", limit: 99) == "a")
        #expect(ForeignText.clean("Fermé à 15 h", limit: 99) == "Fermé à 15 h")
        #expect(ForeignText.clean(String(repeating: "x", count: 999), limit: 10).count == 10)
        #expect(ForeignText.clean("x", limit: 0).isEmpty)
    }
}
