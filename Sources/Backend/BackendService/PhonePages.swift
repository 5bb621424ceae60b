internal import Reservations

/// How customers' phones reach the pages of their places (rules 33).
public struct PhonePages: Hashable, Sendable {
    /// The address of the page, as `https://queue.example.it/t`; a capability follows after `#`.
    public var page: String
    /// The address of the page for joining, as `https://queue.example.it/j`; an invitation follows after `#`.
    public var joinPage: String
    /// The address of the page of an order, as `https://queue.example.it/orders`; its code follows after `#`.
    public var orderPage: String
    /// The host of that address, the only one under which phones are answered.
    public var host: String
    /// WebSockets of the pages of one shop at once.
    public var maxSocketsPerShop: Int

    public init(
        page: String, joinPage: String, orderPage: String, host: String, maxSocketsPerShop: Int
    ) {
        self.page = page
        self.joinPage = joinPage
        self.orderPage = orderPage
        self.host = host
        self.maxSocketsPerShop = maxSocketsPerShop
    }

    /// The address of the page of an order.
    func link(to code: PickupCode) -> String { "\(orderPage)#\(code.rawValue)" }

    /// Whether browsers reach them over TLS; only a trial on one computer is without.
    public var isEncrypted: Bool { page.hasPrefix("https:") }
}
