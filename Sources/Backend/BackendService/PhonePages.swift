internal import QRCode
internal import Reservations

/// How customers' phones reach the pages of their places (rules: place-page).
public struct PhonePages: Hashable, Sendable {
    /// The address of the page, as `https://queue.example.it/t`; a capability follows after `#`.
    public var page: String
    /// The address of the page for joining, as `https://queue.example.it/j`; an invitation follows after `#`.
    public var joinPage: String
    /// The address of the page of an order, as `https://queue.example.it/orders`; an `OrderCapability` follows after `#`.
    public var orderPage: String
    /// The host of that address, the only one under which phones are answered.
    public var host: String
    /// WebSockets of the pages of one shop at once.
    public var maxSocketsPerShop: Int
    /// The address without a page, as `https://queue.example.it`.
    let origin: String
    /// Whether the symbol of a link with a code is small enough for papers and screens (rules: code-links).
    let hasSmallLinks: Bool

    public init(
        page: String, joinPage: String, orderPage: String, host: String, maxSocketsPerShop: Int
    ) {
        self.page = page
        self.joinPage = joinPage
        self.orderPage = orderPage
        self.host = host
        self.maxSocketsPerShop = maxSocketsPerShop
        origin = String(page[..<(page.lastIndex(of: "/") ?? page.endIndex)])
        // All codes have one length, and letters take the most room.
        let code = String(repeating: "A", count: EntryCode.bareLength)
        let link = EntryCode(bare: code)?.link(at: origin) ?? page
        let symbol = try? QRCode.matrix(ofCode: link)
        hasSmallLinks = symbol.map { $0.side <= QRMatrix.maxCodeSide } ?? false
    }

    /// Whether browsers reach them over TLS; only a trial on one computer is without.
    public var isEncrypted: Bool { page.hasPrefix("https:") }
}
