/// Why the service closes a WebSocket (RFC 6455 7.4).
enum CloseCode {
    /// 7.4.1: nothing more will come.
    static let normal: UInt16 = 1000
    /// 7.4.1, policy violation: the key was revoked.
    static let revoked: UInt16 = 1008
    /// 11.7, "Try Again Later": the shop has as many open sockets as it may have.
    static let tryAgainLater: UInt16 = 1013
    /// 7.4.2, the application's own: a newer socket of the same key or place replaces it, and pages do not reconnect at
    /// once.
    static let replaced: UInt16 = 4000
}
