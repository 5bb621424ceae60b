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

    static func paper(seed: UInt8 = 1) throws -> ReceiptContent {
        ReceiptContent(
            shopName: "Supermercato Città Studi", kind: "Biglietto per venerdì 20 novembre",
            numberLabel: "Il suo numero", number: "042",
            facts: [
                .init(label: "Entrata prevista", value: "14:25–14:40"),
                .init(label: "Persone prima di lei", value: "9"),
            ], qr: try QRCode.matrix(of: code(seed: seed).rawValue), typedCode: "0419 384 512",
            instructions: [
                "Guardi il tabellone. Quando compare il numero 042 ha 10 minuti per entrare.",
                "Per rinunciare, mostri questo foglio alla macchina.",
            ], footer: "Emesso venerdì 20 novembre 2026 alle 14:05 · Macchina 1")
    }
}

extension ReceiptPage {
    /// The page's bytes; empty if the page is dots.
    var pdf: [UInt8] { if case .pdf(let bytes) = content { bytes } else { [] } }
}
