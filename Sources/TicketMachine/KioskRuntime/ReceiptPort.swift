public import KioskScreens
public import Reservations

/// What makes a paper of words and a code; both may be called from any thread.
public struct ReceiptPort: Sendable {
    /// The symbol of an entry code.
    public var matrix: @Sendable (EntryCode) throws -> QRMatrix
    /// Sets the page as long as it must be.
    public var page: @Sendable (ReceiptContent, RollMedia) throws -> ReceiptPage

    public init(
        matrix: @escaping @Sendable (EntryCode) throws -> QRMatrix,
        page: @escaping @Sendable (ReceiptContent, RollMedia) throws -> ReceiptPage
    ) {
        self.matrix = matrix
        self.page = page
    }
}
