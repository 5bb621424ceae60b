import Foundation
import QRCode
import Reservations
import TestSupport
import Testing
import TicketPaper

@testable import KioskScreens

@Suite("Receipts") struct TicketPaperTests {
    @Test("The printed symbol has 25 modules and is the reservation's", arguments: Sample.rolls)
    func printedCode(roll: RollMedia) async throws {
        for seed in UInt8(0)..<8 {
            let paper = try Sample.paper(seed: seed)
            #expect(paper.qr.side == 25)
            let read = try await PrintedPage(paper, on: roll).codes
            #expect(read == [Sample.code(seed: seed).rawValue])
        }
    }

    @Test(
        "The page is exactly as wide as the roll, and as long as it states", arguments: Sample.rolls
    )
    func size(roll: RollMedia) async throws {
        let printed = try PrintedPage(Sample.paper(), on: roll)
        let page = printed.page
        #expect(page.width == roll.width)
        let information = try await Tool.succeed("pdfinfo", [printed.file])
        let size = try #require(information.firstMatch(of: /Page size: +([0-9.]+) x ([0-9.]+) pts/))
        #expect(abs(try #require(Double(size.1)) * 2540 / 72 - Double(roll.width)) < 2)
        #expect(abs(try #require(Double(size.2)) * 2540 / 72 - Double(page.length)) < 2)
        #expect(information.contains(/Pages: +1\n/))
        #expect(information.contains(/Title: +Supermercato Città Studi 042/))
    }

    @Test("The symbol is black modules of whole dots in a quiet zone", arguments: Sample.rolls)
    func symbolOnDots(roll: RollMedia) async throws {
        let paper = try Sample.paper()
        let picture = try await paper.picture(on: roll)
        // 37.5 mm of the 72 mm that are printed on, or 34.4 of 48.
        let module = roll == .roll80 ? 12 : 11
        let corner = try #require(picture.firstFinder(module: module))
        let zone = QRMatrix.quietZone
        for row in -zone..<(paper.qr.side + zone) {
            for column in -zone..<(paper.qr.side + zone) {
                let dark = paper.qr.isDark(row: row, column: column)
                for dot in 0..<(module * module) {
                    let x = corner.x + column * module + dot % module
                    let y = corner.y + row * module + dot / module
                    // Checks every dot of the module; none is grey.
                    let shade = picture.shades[y * picture.width + x]
                    try #require(
                        dark ? shade < 16 : shade > 240, "\(row) \(column) \(dot) \(shade)")
                }
            }
        }
    }

    @Test("The margins are empty, whatever the texts", arguments: Sample.rolls)
    func margins(roll: RollMedia) async throws {
        for paper in [try Sample.paper(), try Self.hostile()] {
            let picture = try await paper.picture(on: roll)
            // The first and the last dot that are wholly or partly between the margins.
            let left = roll.leftMargin * 203 / 2_540
            let right = ((roll.width - roll.rightMargin) * 203 + 2_539) / 2_540
            var stray = 0
            for y in 0..<picture.height {
                for x in 0..<picture.width where x < left || x >= right {
                    if picture.shades[y * picture.width + x] < 250 { stray += 1 }
                }
            }
            #expect(stray == 0)
        }
    }

    @Test("Hostile texts make no page longer than 40 cm, and number and code stay visible")
    func hostileTexts() async throws {
        for roll in Sample.rolls {
            let printed = try PrintedPage(Self.hostile(), on: roll)
            #expect(printed.page.length <= 40_000)
            #expect(printed.page.pdf.count < 500_000)
            #expect(try await printed.codes == [Sample.code(seed: 1).rawValue])
            let text = try await printed.text()
            #expect(text.contains("12345"))
            #expect(text.contains("<b>&amp;"), "markup is text")
            #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
        }
    }

    @Test("A long name takes three lines and an ellipsis; a short receipt has at least 4 cm")
    func lengths() async throws {
        var paper = try Sample.paper()
        paper.shopName = Array(repeating: "Alimentari", count: 40).joined(separator: " ")
        let long = try PrintedPage(paper, on: .roll80)
        paper.shopName = Array(repeating: "Alimentari", count: 4_000).joined(separator: " ")
        #expect(try TicketPaper.page(paper, on: .roll80).length == long.page.length)
        let lines = try await long.text().split(separator: "\n").prefix {
            !$0.contains("Biglietto")
        }
        #expect(lines.count == 3)
        #expect(lines.last?.contains("…") == true)

        let nothing = ReceiptContent(
            shopName: "", kind: "", numberLabel: "", number: "", facts: [],
            qr: try QRCode.matrix(of: "1"), typedCode: "", instructions: [], footer: "")
        #expect(try TicketPaper.page(nothing, on: .roll58).length >= 4_000)
    }

    @Test("A number of any length is on one line between the margins")
    func numbers() async throws {
        var paper = try Sample.paper()
        for number in ["7", "042", "1234", "123456", String(repeating: "8", count: 10_000)] {
            paper.number = number
            let text = try await PrintedPage(paper, on: .roll58).text()
            #expect(text.contains(number.prefix(12)))
        }
    }

    @Test("The symbol of every kind of paper is 35 to 40 mm wide on an 80 mm roll")
    func symbolWidth() async throws {
        let papers = [
            try Sample.paper(), ReceiptStrings.roll(wording: .english),
            ReceiptStrings.test(machine: nil, printer: 1, clock: nil, wording: .english),
            // The badge of a staff member.
            ReceiptStrings.badge(
                name: "Giulia",
                qr: try QRCode.matrix(of: "CLUPSTAFF:1:" + String(repeating: "A", count: 26))),
        ]
        for paper in papers {
            let picture = try await paper.picture(on: .roll80)
            let modules = (4...40).filter { (module: Int) in
                (35...40).contains(Double(module * paper.qr.side) / 203 * 25.4)
            }
            #expect(
                modules.contains { picture.shows(paper.qr, module: $0) },
                "\(paper.kind): \(paper.qr.side) modules")
        }
    }

    @Test("The paper has one face, that of the screens")
    func face() async throws {
        let printed = try PrintedPage(Sample.paper(), on: .roll80)
        let fonts = try await Tool.succeed("pdffonts", [printed.file]).split(separator: "\n")
            .dropFirst(2)
            .map { $0.split(separator: " ")[0].drop { $0 != "+" }.dropFirst() }
        #expect(!fonts.isEmpty && fonts.allSatisfy { $0.hasPrefix("Inter") }, "\(fonts)")
    }

    @Test("After the number come when to come in, the code, and last what is needed later")
    func order() async throws {
        var paper = try Sample.paper()
        paper.mark = "COPIA"
        for roll in Sample.rolls {
            let places = try await PrintedPage(paper, on: roll).text("-bbox")
                .matches(of: /yMin="([0-9.]+)" xMax="[0-9.]+" yMax="([0-9.]+)">(.+)<\/word>/)
                .map { (word: String($0.3), middle: (Double($0.1)! + Double($0.2)!) / 2) }
            let middles = try [
                "COPIA", "Supermercato", "Biglietto", "numero", "042", "Ingresso", "14:25–14:40",
                "Attesa", "0419", "Guarda", "Mostra", "disdire,", "Emesso",
            ].map { word in try #require(places.first { $0.word == word }, "\(word)").middle }
            #expect(middles == middles.sorted(), "\(places)")
        }
    }

    @Test("A copy is marked in a frame of the paper's width, and is read", arguments: Sample.rolls)
    func copies(roll: RollMedia) async throws {
        let first = try Sample.paper()
        var copy = first
        copy.mark = "COPIA"
        /// The rows of the frame's lines, which are black from margin to margin, at the top.
        func lines(_ picture: GreyPicture) -> [Int] {
            let margin = roll.leftMargin * 203 / 2_540 + 2
            return (0..<100).filter { row in
                (margin..<picture.width - margin).allSatisfy { picture.isDark(x: $0, y: row) }
            }
        }
        #expect(lines(try await first.picture(on: roll)).isEmpty)
        let marked = try await copy.picture(on: roll)
        let frame = lines(marked)
        let (top, bottom) = (try #require(frame.first), try #require(frame.last))
        // Two lines of three dots, and between them letters at least 4 mm high, mostly white.
        #expect(frame.count == 6, "\(frame)")
        let middle = marked.width / 3..<marked.width * 2 / 3
        let inked = (top + 4..<bottom - 4).filter { row in
            middle.contains { marked.isDark(x: $0, y: row) }
        }
        #expect(Double(inked.count) >= 3.9 * 203 / 25.4, "\(inked.count) dots")
        let black = (top..<bottom).reduce(0) { sum, row in
            sum + (0..<marked.width).count { marked.isDark(x: $0, y: row) }
        }
        #expect(black < (bottom - top) * marked.width / 4)
        let printed = try PrintedPage(copy, on: roll)
        #expect(try await printed.text("-raw").contains("COPIA"))
        #expect(try await printed.codes == [Sample.code(seed: 1).rawValue])
    }

    @Test("A roll too small for a ticket is named in the error")
    func unusableMedia() throws {
        let paper = try Sample.paper()
        for media in [
            RollMedia(width: 0, leftMargin: 0, rightMargin: 0, resolution: 203),
            RollMedia(width: 8_000, leftMargin: 4_000, rightMargin: 3_900, resolution: 203),
            RollMedia(width: 8_000, leftMargin: -1, rightMargin: 0, resolution: 203),
            RollMedia(width: 8_000, leftMargin: 0, rightMargin: 0, resolution: 0),
            RollMedia(width: .max, leftMargin: 0, rightMargin: 0, resolution: 203),
        ] {
            #expect(throws: ReceiptRendererError.mediaUnusable(media)) {
                try TicketPaper.page(paper, on: media)
            }
        }
        var wide = paper
        wide.qr = try QRCode.matrix(of: String(repeating: "A", count: 2_000))
        #expect(throws: ReceiptRendererError.self) { try TicketPaper.page(wide, on: .roll58) }
    }

    static func hostile() throws -> ReceiptContent {
        var paper = try Sample.paper()
        let zalgo = "e" + String(repeating: "\u{0301}\u{0489}", count: 200)
        paper.shopName = String(repeating: "<b>&amp;</i>", count: 1_000)
        paper.kind = "\u{202E}evil\u{1B}[31m\u{9B}\r\n\u{8} 👩‍👩‍👧‍👦🎉 שלום مرحبا \(zalgo)"
        paper.numberLabel = String(repeating: "\u{FDFD}", count: 10_000)
        paper.number = "12345"
        paper.facts = (0..<1_000).map { index in
            .init(
                label: "\(index)\u{2028}" + String(repeating: "W", count: 10_000),
                value: String(repeating: "\(zalgo) ", count: 50))
        }
        paper.typedCode = String(repeating: "0123456789", count: 1_000)
        paper.instructions = Array(
            repeating: String(repeating: "a\u{AD}b", count: 5_000), count: 500)
        paper.footer = String(repeating: "\u{0}f", count: 10_000)
        return paper
    }
}

extension GreyPicture {
    /// Whether the symbol is in the middle of an 80 mm roll with so many dots for each module.
    func shows(_ matrix: QRMatrix, module: Int) -> Bool {
        let size = matrix.side * module
        let left = (width - size) / 2
        return (0..<height - size).contains { top in
            (left - 2...left + 2).contains { left in
                (0..<matrix.side * matrix.side).allSatisfy { index in
                    let (row, column) = (index / matrix.side, index % matrix.side)
                    return isDark(
                        x: left + column * module + module / 2, y: top + row * module + module / 2)
                        == matrix.isDark(row: row, column: column)
                }
            }
        }
    }

    /// The top left dot of the first finder pattern: 7 dark modules, 5 light ones within (ISO/IEC 18004).
    func firstFinder(module: Int) -> (x: Int, y: Int)? {
        let size = 7 * module
        for y in 0..<(height - size) {
            for x in 0..<(width - size) where isDark(x: x, y: y) && !isDark(x: x - 1, y: y) {
                let ring = (0..<size).allSatisfy {
                    isDark(x: x + $0, y: y) && isDark(x: x, y: y + $0)
                        && isDark(x: x + $0, y: y + size - 1)
                }
                let light = (module..<(size - module)).allSatisfy {
                    !isDark(x: x + $0, y: y + module)
                }
                if ring && light && isDark(x: x + size / 2, y: y + size / 2) { return (x, y) }
            }
        }
        return nil
    }
}
