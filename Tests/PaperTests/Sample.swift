import Foundation
import QRCode
import Reservations

@testable import KioskScreens

/// Receipts as the machine prints them.
enum Sample {
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
