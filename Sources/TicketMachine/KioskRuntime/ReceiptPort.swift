public import KioskScreens
public import Reservations

/// Makes a receipt from words and a code; both functions may be called from any thread.
public struct ReceiptPort: Sendable {
    /// Makes the QR code of an entry code.
    public var matrix: @Sendable (EntryCode) throws -> QRMatrix
    /// Lays the page out, as long as its content needs.
    public var page: @Sendable (ReceiptContent, RollMedia) throws -> ReceiptPage

    public init(
        matrix: @escaping @Sendable (EntryCode) throws -> QRMatrix,
        page: @escaping @Sendable (ReceiptContent, RollMedia) throws -> ReceiptPage
    ) {
        self.matrix = matrix
        self.page = page
    }
}
