import QRCode
import Reservations
import TestSupport
import Testing
import TicketPaper

@testable import KioskScreens

@Suite("The one symbol on a receipt (rules 11)")
struct OneSymbolTests {
    /// Addresses as long as level M takes, and as long as level L takes.
    private static let origins = [15, 31].map {
        "https://" + String(repeating: "q", count: $0 - 3) + ".it"
    }

    private static func paper(_ link: String) throws -> ReceiptContent {
        var paper = try Sample.paper()
        paper.qr = try QRCode.matrix(ofCode: link)
        return paper
    }

    @Test(
        "It is of version 3, and is read on every roll", arguments: [RollMedia.roll80, .roll58],
        origins)
    func read(roll: RollMedia, origin: String) async throws {
        for seed in 1...3 as ClosedRange<UInt8> {
            let link = Sample.code(seed: seed).link(at: origin)
            let paper = try Self.paper(link)
            #expect(paper.qr.side == QRMatrix.maxCodeSide)
            for resolution in [203, 300, 180] {
                var roll = roll
                roll.resolution = resolution
                let folder = try TemporaryFolder()
                let page = try TicketPaper.page(paper, on: roll)
                let picture = try await Picture.ofPage(
                    pdf: try folder.write(page.pdf, to: "page.pdf"), resolution: resolution)
                #expect(try await Picture.qrCodes(in: picture) == [link], "\(resolution)")
            }
        }
    }

    @Test("The paper is as long as with the code alone, and has no second symbol")
    func length() throws {
        func rows(_ paper: ReceiptContent) throws -> Int {
            var media = RollMedia.roll58
            media.form = .dots
            let page = try TicketPaper.page(paper, on: media)
            return try requireCase(ReceiptPage.Content.dots, of: page.content).rows
        }
        let link = Sample.code(seed: 1).link(at: Self.origins[0])
        let plain = try rows(Sample.paper())
        #expect(abs(try rows(Self.paper(link)) - plain) < 60)
        #expect(try rows(Sample.paper(link: Sample.link)) > plain + 200)
    }

    @Test("A code alone keeps its symbol of version 2, and a longer address would need version 4")
    func versions() throws {
        let code = Sample.code(seed: 1)
        let alone = try QRCode.matrix(of: code.rawValue)
        #expect(try QRCode.matrix(ofCode: code.rawValue) == alone && alone.side == 25)
        let long = "https://" + String(repeating: "q", count: 29) + ".it"
        #expect(try QRCode.matrix(ofCode: code.link(at: long)).side == 33)
    }
}
