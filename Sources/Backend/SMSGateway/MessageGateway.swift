/// Takes SMS and passes them on to the telephone network. Every method can be called from any thread.
///
/// It has at most 8 messages on their way at once, each for at most 10 s. A further one waits for its turn at most
/// 15 s, and is `busy` afterwards.
public protocol MessageGateway: Sendable {
    /// Hands a message to the gateway and returns the outcome; `unreached` after `stop`.
    func send(_ message: SMSMessage) async -> SMSOutcome

    /// Takes no more messages, and ends those that wait for their turn; they are `unreached`. Those on their way keep
    /// their own outcome, since the gateway may have taken them.
    func stop()
}

/// What became of a message that was handed to a gateway.
public enum SMSOutcome: Hashable, Sendable {
    /// The gateway takes care of it; whether the telephone receives it is not known.
    case accepted
    /// The gateway may have taken it, and may not: the request was written, but no answer came in time, the connection
    /// broke, or the answer does not say; or the program was killed. The message must not be sent again.
    case uncertain
    /// The gateway does not take this message, and would not later. The reason is a word for the log, without the
    /// number and the text.
    case refused(String)
    /// The gateway is there and has not taken it, since it takes no message now; it may take it later.
    case busy
    /// It was not handed to the gateway: there is no connection, or it was still waiting for its turn at the stop.
    case unreached
    /// The gateway has not taken it, and takes none until the administrator has mended something: a wrong password or
    /// address, a certificate that is not valid, a program that cannot be started or is not set up. The message may be
    /// sent again later. The reason is a word for the log, without the number and the text.
    case broken(String)
}
