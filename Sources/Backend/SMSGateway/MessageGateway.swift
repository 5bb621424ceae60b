/// Takes SMS and passes them on to the telephone network. Every method can be called from any thread.
///
/// It has at most 8 messages on their way at once, each for at most 10 s. A further one waits for its turn at most
/// 15 s, and is `busy` afterwards.
public protocol MessageGateway: Sendable {
    /// Hands a message to the gateway and returns the outcome; `unreached` after `stop`.
    func send(_ message: SMSMessage) async -> SMSOutcome

    /// Takes no more messages, and ends those that wait for their turn; they are `unreached`. Those on their way keep
    /// their outcome, since the gateway may have taken them.
    func stop()
}

/// What became of a message that was handed to a gateway.
public enum SMSOutcome: Hashable, Sendable {
    /// The gateway takes care of it; whether the telephone receives it is not known.
    case accepted
    /// The gateway does not take this message, and would not later. The reason is a word for the log, without the
    /// number and the text.
    case refused(String)
    /// The gateway takes no message now.
    case busy
    /// There is no answer: no connection, or none in time. The gateway may have taken the message.
    case unreached
}
