import Reservations
import TestSupport
import Testing
import TicketPaper

@testable import KioskScreens

@Suite("The symbol for phones on a receipt") struct SymbolForPhonesTests {
    static let rolls = [RollMedia.roll80, .roll58]
    static let links = [Sample.link, Sample.longLink]

    private func picture(_ paper: ReceiptContent, on roll: RollMedia) async throws -> GreyPicture {
        let folder = try TemporaryFolder()
        let page = try TicketPaper.page(paper, on: roll)
        return try await Picture.ofPage(
            pdf: try folder.write(page.pdf, to: "page.pdf"), resolution: roll.resolution)
    }

    @Test("Both symbols are read on every roll", arguments: rolls, links)
    func both(roll: RollMedia, link: String) async throws {
        // With coarse dots the longest link's symbol would not be clearly smaller than the entry code's on 58 mm.
        for resolution in [203, 300] + (link == Sample.link ? [180] : []) {
            var roll = roll
            roll.resolution = resolution
            let read = try await Picture.qrCodes(
                in: try await picture(try Sample.paper(link: link), on: roll))
            #expect(Set(read) == [Sample.code(seed: 1).rawValue, link], "\(resolution)")
        }
    }

    @Test(
        "It is at most two thirds as wide as the entry code's, and 3 cm below it",
        arguments: rolls, links)
    func apart(roll: RollMedia, link: String) async throws {
        let paper = try Sample.paper(link: link)
        let phones = try #require(paper.symbolForPhones).qr
        let picture = try await picture(paper, on: roll)
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

    /// A page as dots; a PDF has the second of its making in it.
    private func dots(_ paper: ReceiptContent, on roll: RollMedia) throws -> ReceiptBitmap {
        var media = roll
        media.form = .dots
        let page = try TicketPaper.page(paper, on: media)
        return try requireCase(ReceiptPage.Content.dots, of: page.content)
    }

    @Test(
        "Above it the paper is the same as without it, and it makes the paper at most 5 cm longer",
        arguments: rolls)
    func same(roll: RollMedia) throws {
        let plain = try dots(try Sample.paper(), on: roll)
        let linked = try dots(try Sample.paper(link: Sample.link), on: roll)
        #expect((1...400).contains(linked.rows - plain.rows))
        // The last two centimetres of the plain paper are its foot.
        let same = (plain.rows - 160) * plain.columns
        #expect(linked.shades.prefix(same) == plain.shades.prefix(same))
    }

    @Test("It is left out where it would not be clearly smaller, or make the paper too long")
    func leftOut() async throws {
        let narrow = RollMedia(width: 3_800, leftMargin: 400, rightMargin: 400, resolution: 203)
        #expect(
            try dots(try Sample.paper(link: Sample.link), on: narrow)
                == dots(try Sample.paper(), on: narrow))
        var long = try TicketPaperTests.hostile()
        let plain = try dots(long, on: .roll58)
        long.symbolForPhones = try Sample.paper(link: Sample.link).symbolForPhones
        #expect(try dots(long, on: .roll58) == plain)
        // Words that are too long are cut.
        var wordy = try Sample.paper(link: Sample.link)
        wordy.symbolForPhones?.heading = String(repeating: "Telefono ", count: 1_000)
        wordy.symbolForPhones?.sentence = String(repeating: "Telefono", count: 1_000)
        let read = try await Picture.qrCodes(in: try await picture(wordy, on: .roll58))
        #expect(Set(read) == [Sample.code(seed: 1).rawValue, Sample.link])
    }
}
