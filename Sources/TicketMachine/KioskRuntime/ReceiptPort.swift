public import KioskScreens
public import Reservations

/// Makes a receipt from words and symbols; its functions may be called from any thread.
public protocol ReceiptPort: Sendable {
    /// Makes the symbol of a slip's code, alone or in a link.
    func matrix(ofCode text: String) throws -> QRMatrix
    /// Makes the symbol of a text for a phone: a reservation's link, an invitation, or the event of a visit.
    func matrix(ofText text: String) throws -> QRMatrix
    /// Lays the page out, as long as its content needs.
    func page(_ content: ReceiptContent, on roll: RollMedia) throws -> ReceiptPage
}
