import QRCode
import Reservations
import TestSupport
import TicketPaper
import VisitCalendar

@testable import KioskScreens

/// Receipts as the machine prints them.
enum Sample {
    static let rolls = [RollMedia.roll80, .roll58]

    static func code(seed: UInt8) -> EntryCode {
        EntryCode(
            tag: ShopTag(rawValue: "MI01")!, random: (0..<16).map { UInt8($0) &* 37 &+ seed &* 11 })
    }

    /// As long as most links are.
    static let link = "https://clup.example/t#CSTD0M99001A7K2M9QX4T1RB8VZ0HN5EWYJ3PA"
    /// As long as a link may be.
    static let longLink =
        "https://" + String(repeating: "q", count: 71)
        + "/t#CSTD0M99001A7K2M9QX4T1RB8VZ0HN5EWYJ3PA"

    static func paper(seed: UInt8 = 1, link: String) throws -> ReceiptContent {
        var paper = try paper(seed: seed)
        paper.symbolForPhones = .init(
            qr: try QRCode.matrix(of: link), heading: "Sul tuo telefono",
            sentence:
                "Inquadra questo codice piccolo per seguire il tuo posto da dove vuoi. All’ingresso serve quello grande."
        )
        return paper
    }

    /// The text of the symbol for calendars of a visit at a shop of this name.
    static func event(shop: String = "Supermercato Città Studi") throws -> String {
        let start = LocalMoment(Moment(milliseconds: 1_795_251_600_000), offsetMinutes: 60)
        var visit = Reservation(
            id: ReservationID("0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"), kind: .visit,
            number: QueueNumber(rawValue: 42)!, shopName: shop, code: code(seed: 1),
            typedCode: TypedCode(rawValue: "0419384512")!, issued: start,
            wait: WaitEstimate(expected: start, earliest: start, latest: start, peopleAhead: 0),
            visit: VisitSlot(start: start, end: start.at(start.moment + .minutes(30))))
        visit.link = link
        guard let text = EventSymbol.text(of: visit) else { throw CancellationError() }
        return text
    }

    /// The paper of a visit with three symbols.
    static func visitPaper(shop: String = "Supermercato Città Studi") throws -> ReceiptContent {
        var paper = try paper(link: link)
        paper.shopName = shop
        paper.kind = "Visita di sabato 21 novembre"
        paper.entry = .init(label: "Vieni alle", value: "10:00")
        paper.symbolForCalendars = .init(
            qr: try QRCode.matrix(of: event(shop: shop)), heading: "Per il tuo calendario",
            sentence:
                "Inquadra questo codice con il telefono per aggiungere la visita al tuo calendario. All’ingresso serve quello grande."
        )
        return paper
    }

    static func paper(seed: UInt8 = 1) throws -> ReceiptContent {
        ReceiptContent(
            shopName: "Supermercato Città Studi", kind: "Biglietto per venerdì 20 novembre",
            numberLabel: "Il tuo numero", number: "042",
            entry: .init(label: "Ingresso previsto", value: "14:25–14:40"),
            facts: [
                .init(label: "Attesa prevista", value: "25 minuti"),
                .init(label: "Vale per", value: "una persona"),
            ], qr: try QRCode.matrix(of: code(seed: seed).rawValue), typedCode: "0419 384 512",
            instructions: [
                "Guarda il tabellone. Quando viene chiamato il 042, hai 10 minuti per entrare.",
                "Mostra questo codice all’ingresso.",
                "Per disdire, mostra questo biglietto alla macchina dei biglietti.",
            ], footer: "Emesso alle 14:05 – door-1")
    }
}

extension ReceiptPage {
    /// The page's bytes; empty if the page is dots.
    var pdf: [UInt8] { if case .pdf(let bytes) = content { bytes } else { [] } }
}

/// A receipt's page in a file.
struct PrintedPage {
    private let folder: TemporaryFolder
    let page: ReceiptPage
    let file: String

    init(_ paper: ReceiptContent, on roll: RollMedia) throws {
        folder = try TemporaryFolder()
        page = try TicketPaper.page(paper, on: roll)
        file = try folder.write(page.pdf, to: "page.pdf")
    }

    /// What is read on it (pdftotext(1)).
    func text(_ layout: String = "-layout") async throws -> String {
        try await Tool.succeed("pdftotext", [layout, file, "-"])
    }

    /// The codes of its symbols.
    var codes: [String] { get async throws { try await Picture.qrCodes(onPage: file) } }
}

extension ReceiptContent {
    /// The receipt as the roll's printer draws its PDF.
    func picture(on roll: RollMedia) async throws -> GreyPicture {
        let printed = try PrintedPage(self, on: roll)
        let picture = try await Picture.ofPage(pdf: printed.file, resolution: roll.resolution)
        return withExtendedLifetime(printed) { picture }
    }

    /// The codes of the symbols in that picture, at another resolution.
    func codes(on roll: RollMedia, at resolution: Int) async throws -> [String] {
        var roll = roll
        roll.resolution = resolution
        return try await Picture.qrCodes(in: picture(on: roll))
    }

    /// The receipt as the dots that are sent to the printer; a PDF has the second of its making in it.
    func dots(on roll: RollMedia) throws -> ReceiptBitmap {
        var media = roll
        media.form = .dots
        let page = try TicketPaper.page(self, on: media)
        return try requireCase(ReceiptPage.Content.dots, of: page.content)
    }
}
