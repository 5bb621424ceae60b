import Foundation
import QRCode
import TestSupport
import Testing
import TicketPaper

@testable import KioskScreens

@Suite("The symbol for calendars on the paper of a visit [rules 39]")
struct SymbolForCalendarsTests {
    static let rolls = [RollMedia.roll80, .roll58]
    /// Also a name of more characters than the symbol has of one.
    static let shops = ["Supermercato Città Studi", String(repeating: "Coop ", count: 12)]

    private func picture(_ paper: ReceiptContent, on roll: RollMedia) async throws -> GreyPicture {
        let folder = try TemporaryFolder()
        let page = try TicketPaper.page(paper, on: roll)
        if let kept = ProcessInfo.processInfo.environment["CLUP_KEEP_PICTURES"] {
            try Data(page.pdf).write(to: URL(filePath: "\(kept)/visit-paper-\(roll.width).pdf"))
        }
        return try await Picture.ofPage(
            pdf: try folder.write(page.pdf, to: "page.pdf"), resolution: roll.resolution)
    }

    @Test(
        "Its text is an event with times in UTC, the number, the shop and the name of the reservation"
    )
    func text() throws {
        #expect(
            try Sample.event().components(separatedBy: "\n") == [
                "BEGIN:VEVENT", "UID:0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b@clup.example",
                "DTSTART:20261121T090000Z", "DTEND:20261121T093000Z",
                "SUMMARY:042 Supermercato Città Studi", "LOCATION:Supermercato Città Studi",
                "END:VEVENT",
            ])
        let hostile = try Sample.event(shop: "Pane, vino;\r\nEND:VEVENT")
        #expect(hostile.components(separatedBy: "\n").count == 7)
        #expect(hostile.contains("LOCATION:Pane\\, vino\\;\\nEND:VEVENT"))
    }

    @Test("All three symbols are read on every roll", arguments: rolls, shops)
    func all(roll: RollMedia, shop: String) async throws {
        for resolution in [203, 300] {
            var roll = roll
            roll.resolution = resolution
            let read = try await Picture.qrCodes(
                in: try await picture(try Sample.visitPaper(shop: shop), on: roll))
            let expected: Set = [
                Sample.code(seed: 1).rawValue, Sample.link, try Sample.event(shop: shop),
            ]
            // An event has several lines.
            let lines = Set(expected.flatMap { $0.components(separatedBy: "\n") })
            #expect(
                Set(read.flatMap { $0.components(separatedBy: "\n") }) == lines, "\(resolution)")
        }
    }

    @Test(
        "It is at most two thirds as wide as the entry code's, and makes the paper at most 5 cm longer",
        arguments: rolls)
    func small(roll: RollMedia) async throws {
        let paper = try Sample.visitPaper()
        let side = try #require(paper.symbolForCalendars).qr.side
        let module = roll == .roll80 ? 12 : 11
        #expect(side * 3 * 3 <= paper.qr.side * module * 2, "\(side)")
        var without = paper
        without.symbolForCalendars = nil
        let lengths = try [paper, without].map { try TicketPaper.page($0, on: roll).length }
        #expect((1...5_000).contains(lengths[0] - lengths[1]), "\(lengths)")
    }

    @Test(
        "A symbol that would not be clearly smaller is left out, and so it is where the paper would be too long"
    )
    func leftOut() throws {
        var wide = try Sample.visitPaper()
        wide.symbolForCalendars?.qr = try QRCode.matrix(of: String(repeating: "x", count: 600))
        var without = wide
        without.symbolForCalendars = nil
        var long = try TicketPaperTests.hostile()
        let plain = try TicketPaper.page(long, on: .roll58).length
        #expect(
            try TicketPaper.page(wide, on: .roll80).length
                == TicketPaper.page(without, on: .roll80).length)
        long.symbolForCalendars = try Sample.visitPaper().symbolForCalendars
        #expect(try TicketPaper.page(long, on: .roll58).length == plain)
    }
}
