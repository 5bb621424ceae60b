public import KioskScreens
public import Reservations

/// What makes a paper of words and a code; both may be called from any thread.
public struct PaperPort: Sendable {
    /// The symbol of an entry code.
    public var matrix: @Sendable (EntryCode) throws -> QRMatrix
    /// Sets the page as long as it must be.
    public var page: @Sendable (PaperContent, RollMedia) throws -> PaperDocument

    public init(
        matrix: @escaping @Sendable (EntryCode) throws -> QRMatrix,
        page: @escaping @Sendable (PaperContent, RollMedia) throws -> PaperDocument
    ) {
        self.matrix = matrix
        self.page = page
    }
}
