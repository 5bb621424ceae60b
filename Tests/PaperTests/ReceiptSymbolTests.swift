import Foundation
import QRCode
import Reservations
import TestSupport
import Testing
import TicketPaper

@testable import KioskScreens

@Suite(
    "The symbols on a receipt: for the door, for phones, and for calendars (rules: code-links) [rules: own-calendar]"
)
struct ReceiptSymbolTests {
    private static let links = [Sample.link, Sample.longLink]
    /// Also a name of more characters than the symbol has of one.
    private static let shops = ["Supermercato Città Studi", String(repeating: "Coop ", count: 12)]
    /// Addresses as long as level M takes, and as long as level L takes.
    private static let origins = [15, 31].map {
        "https://" + String(repeating: "q", count: $0 - 3) + ".it"
    }

    /// What the symbols of a paper are for, with the texts that they have.
    enum Purpose: Hashable, Sendable {
        case phones(link: String)
        case calendars(shop: String)
        /// The only symbol, which also opens the page of the place.
        case all(seed: UInt8, origin: String)

        func paper() throws -> ReceiptContent {
            switch self {
            case .phones(let link): try Sample.paper(link: link)
            case .calendars(let shop): try Sample.visitPaper(shop: shop)
            case .all(let seed, let origin): try oneSymbol(Sample.code(seed: seed).link(at: origin))
            }
        }

        /// The lines of all symbols; an event has several.
        func lines() throws -> [String] {
            let entry = Sample.code(seed: 1).rawValue
            return switch self {
            case .phones(let link): [entry, link]
            case .calendars(let shop):
                try [entry, Sample.link] + Sample.event(shop: shop).components(separatedBy: "\n")
            case .all(let seed, let origin): [Sample.code(seed: seed).link(at: origin)]
            }
        }

        /// With coarse dots the longest link's symbol would not be clearly smaller than the entry code's on 58 mm, nor an
        /// event's.
        var resolutions: [Int] {
            switch self {
            case .phones(link: Sample.link), .all: [203, 300, 180]
            case .phones, .calendars: [203, 300]
            }
        }
    }

    private static func oneSymbol(_ link: String) throws -> ReceiptContent {
        var paper = try Sample.paper()
        paper.qr = try QRCode.matrix(ofCode: link)
        return paper
    }

    static let purposes =
        links.map { Purpose.phones(link: $0) } + shops.map { .calendars(shop: $0) }
        + origins.flatMap { origin in (1...3).map { .all(seed: $0, origin: origin) } }

    @Test("All symbols are read on every roll", arguments: Sample.rolls, purposes)
    func read(roll: RollMedia, purpose: Purpose) async throws {
        let paper = try purpose.paper()
        if let kept = ProcessInfo.processInfo.environment["CLUP_KEEP_PICTURES"],
            paper.symbolForCalendars != nil
        {
            try Data(TicketPaper.page(paper, on: roll).pdf)
                .write(to: URL(filePath: "\(kept)/visit-paper-\(roll.width).pdf"))
        }
        for resolution in purpose.resolutions {
            let read = try await paper.codes(on: roll, at: resolution)
            #expect(try read.sorted() == purpose.lines().sorted(), "\(resolution)")
        }
    }

    @Test("An event has times in UTC, the number, the shop and the name of the reservation")
    func event() throws {
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

    @Test(
        "The one for phones is at most two thirds as wide as the entry code's, and 3 cm below it",
        arguments: Sample.rolls, links)
    func apart(roll: RollMedia, link: String) async throws {
        let paper = try Sample.paper(link: link)
        let phones = try #require(paper.symbolForPhones).qr
        let picture = try await paper.picture(on: roll)
        let module = roll == .roll80 ? 12 : 11
        let entry = try #require(picture.firstFinder(module: module))
        let end = entry.y + paper.qr.side * module
        let second = try #require(picture.firstFinder(module: 4))
        #expect(phones.side * 4 * 3 <= paper.qr.side * module * 2)
        #expect(Double(second.y - end) / 203 * 25.4 >= 30)
        // Its quiet zone is white, also at the right; it lies between the margins.
        let (zone, side) = (4 * QRMatrix.quietZone, 4 * phones.side)
        let right = (roll.width - roll.rightMargin) * 203 / 2_540
        #expect(second.x + side + zone <= right)
        for y in second.y - zone..<second.y + side + zone {
            for x in second.x - zone..<second.x + side + zone {
                let (row, column) = ((y - second.y + zone) / 4, (x - second.x + zone) / 4)
                try #require(
                    picture.isDark(x: x, y: y)
                        == phones.isDark(
                            row: row - QRMatrix.quietZone, column: column - QRMatrix.quietZone),
                    "\(row) \(column)")
            }
        }
    }

    @Test(
        "Above the one for phones the paper is the same as without it; each makes the paper at most 5 cm longer",
        arguments: Sample.rolls)
    func same(roll: RollMedia) throws {
        let plain = try Sample.paper().dots(on: roll)
        let linked = try Sample.paper(link: Sample.link).dots(on: roll)
        #expect((1...400).contains(linked.rows - plain.rows))
        // The last two centimetres of the plain paper are its foot.
        let same = (plain.rows - 160) * plain.columns
        #expect(linked.shades.prefix(same) == plain.shades.prefix(same))
        let visit = try Sample.visitPaper()
        let side = try #require(visit.symbolForCalendars).qr.side
        let module = roll == .roll80 ? 12 : 11
        #expect(side * 3 * 3 <= visit.qr.side * module * 2, "\(side)")
        var without = visit
        without.symbolForCalendars = nil
        let lengths = try [visit, without].map { try TicketPaper.page($0, on: roll).length }
        #expect((1...5_000).contains(lengths[0] - lengths[1]), "\(lengths)")
    }

    @Test("Those are left out where they would not be clearly smaller, or make the paper too long")
    func leftOut() async throws {
        let narrow = RollMedia(width: 3_800, leftMargin: 400, rightMargin: 400, resolution: 203)
        let linked = try Sample.paper(link: Sample.link)
        #expect(try linked.dots(on: narrow) == Sample.paper().dots(on: narrow))
        var wide = try Sample.visitPaper()
        wide.symbolForCalendars?.qr = try QRCode.matrix(of: String(repeating: "x", count: 600))
        var without = wide
        without.symbolForCalendars = nil
        #expect(try wide.dots(on: .roll80) == without.dots(on: .roll80))
        let long = try TicketPaperTests.hostile()
        let plain = try long.dots(on: .roll58)
        for isForPhones in [true, false] {
            var longer = long
            longer.symbolForPhones = isForPhones ? linked.symbolForPhones : nil
            longer.symbolForCalendars =
                try isForPhones ? nil : Sample.visitPaper().symbolForCalendars
            #expect(try longer.dots(on: .roll58) == plain)
        }
        // Words that are too long are cut.
        var wordy = linked
        wordy.symbolForPhones?.heading = String(repeating: "Telefono ", count: 1_000)
        wordy.symbolForPhones?.sentence = String(repeating: "Telefono", count: 1_000)
        let read = try await wordy.codes(on: .roll58, at: 203)
        #expect(Set(read) == [Sample.code(seed: 1).rawValue, Sample.link])
    }

    @Test("With one symbol the paper is as long as with the code alone, and has no second one")
    func length() throws {
        func rows(_ paper: ReceiptContent) throws -> Int { try paper.dots(on: .roll58).rows }
        let link = Sample.code(seed: 1).link(at: Self.origins[0])
        let plain = try rows(Sample.paper())
        #expect(abs(try rows(Self.oneSymbol(link)) - plain) < 60)
        #expect(try rows(Sample.paper(link: Sample.link)) > plain + 200)
    }

    @Test("The one symbol has version 3, a code alone version 2; a longer address would need 4")
    func versions() throws {
        let code = Sample.code(seed: 1)
        for origin in Self.origins {
            let side = try Self.oneSymbol(code.link(at: origin)).qr.side
            #expect(side == QRMatrix.maxCodeSide)
        }
        let alone = try QRCode.matrix(of: code.rawValue)
        #expect(try QRCode.matrix(ofCode: code.rawValue) == alone && alone.side == 25)
        let long = "https://" + String(repeating: "q", count: 29) + ".it"
        #expect(try QRCode.matrix(ofCode: code.link(at: long)).side == 33)
    }
}
