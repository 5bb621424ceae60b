/// What became of a push.
public enum PushOutcome: Hashable, Sendable {
    /// The push service keeps the message (2xx).
    case accepted
    /// The subscription has ended (404 or 410, RFC 8030 7.3).
    case gone
    /// The push service does not take this message, and would not later (other 4xx; 3xx, since no redirect is
    /// followed).
    case refused(status: Int)
    /// The push service takes no message now (429, 5xx); it may say when it does, an hour at most.
    case busy(retryAfter: Duration?)
    /// There is no answer: no connection, a time-out, or an address to which nothing is sent.
    case unreached

    /// The content has more bytes than `Push.maxContentBytes`: what a push service would answer (RFC 8030 7.2).
    public static let tooLarge = refused(status: 413)
    /// The topic is none of base64url, or too long.
    public static let wrongTopic = refused(status: 400)

    /// - Parameters:
    ///   - status: of the final answer.
    ///   - retryAfter: the field of the answer, if it has one.
    ///   - now: seconds since 1970.
    init(status: Int, retryAfter: String?, now: Int64) {
        self =
            switch status {
            case 200..<300: .accepted
            case 404, 410: .gone
            case 429, 500...: .busy(retryAfter: retryAfter.flatMap { retryDelay($0, now: now) })
            case 300..<500: .refused(status: status)
            // A final status has three digits and is not below 200 (RFC 9110 15).
            default: .unreached
            }
    }
}
