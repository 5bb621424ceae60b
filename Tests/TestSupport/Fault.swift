/// What the proxy does with one request and its answer: the usual faults of a network.
public enum Fault: Sendable {
    case pass
    /// Takes the request, never passes it on and never answers.
    case neverAnswer
    /// Passes the request on and keeps the answer until the rule is removed.
    case holdAnswer
    /// Answers later than the backend did.
    case delay(Duration)
    /// Sends one byte of the answer at a time, with this pause before each.
    case drip(Duration)
    /// Ends the connection (FIN) after this many bytes of the answer.
    case cut(after: Int)
    /// Resets the connection (RST, by `SO_LINGER` of 0 s) after this many bytes of the answer.
    case reset(after: Int)
    /// Answers with these bytes, without asking the backend, and hangs up.
    case answer([UInt8])
    /// As `answer`, with bytes that are made for each request.
    case invent(@Sendable () -> [UInt8])
    /// Passes the request on, answers with other bytes than the backend's, and hangs up.
    case rewrite(@Sendable ([UInt8]) -> [UInt8])
    /// Passes other bytes on, which are made from the request.
    case rewriteRequest(@Sendable (LoopbackWire.Message) -> [UInt8])
    /// Passes the request on, keeps its answer, and answers with the backend's reply to these bytes, which are
    /// made from the request; then hangs up.
    case substitute(@Sendable (LoopbackWire.Message) -> [UInt8])
    /// Passes the request on, drops the answer once it is there, and hangs up: the backend has
    /// committed, and the client does not get the answer.
    case dropAnswer
}

/// One request at the proxy and what became of it.
public struct Exchange: Sendable {
    public enum Outcome: Hashable, Sendable {
        /// Neither answered nor ended yet.
        case open
        /// The client was sent the whole of the backend's answer.
        case answered(status: Int, body: [UInt8])
        /// The backend was never asked.
        case failed
        /// The backend was asked, and the client did not get its answer.
        case unknown
    }

    public let asked: ContinuousClock.Instant
    public let method: String
    public let path: String
    /// The Idempotency-Key.
    public let key: String?
    public let body: [UInt8]
    /// When the answer was sent, or the connection ended; nil while neither has happened.
    public var ended: ContinuousClock.Instant?
    public var outcome: Outcome

    public init(
        asked: ContinuousClock.Instant, method: String, path: String, key: String?,
        body: [UInt8] = [], ended: ContinuousClock.Instant? = nil, outcome: Outcome = .open
    ) {
        self.asked = asked
        self.method = method
        self.path = path
        self.key = key
        self.body = body
        self.ended = ended
        self.outcome = outcome
    }
}

/// Answers as bytes on the wire, valid and invalid ones.
public enum HTTPBytes {
    /// An answer whose Content-Length is that of its body, unless another one is given; it is the last one on
    /// its connection.
    public static func answer(
        _ status: Int, _ body: String, type: String = "application/json",
        fields: [String] = [], length: Int? = nil
    ) -> [UInt8] {
        var head = "HTTP/1.1 \(status) Status\r\nContent-Type: \(type)\r\n"
        head += "Connection: close\r\n"
        head += "Content-Length: \(length ?? body.utf8.count)\r\n"
        for field in fields { head += field + "\r\n" }
        return Array((head + "\r\n" + body).utf8)
    }

    /// A problem document (RFC 9457) with this name.
    public static func problem(_ status: Int, _ name: String, fields: [String] = []) -> [UInt8] {
        answer(
            status,
            "{\"type\":\"urn:clup:problem:\(name)\",\"title\":\"\(name)\",\"status\":\(status)}",
            type: "application/problem+json", fields: fields)
    }

    /// Head, up to and with its empty line, and body of a message.
    public static func split(_ message: [UInt8]) -> (head: [UInt8], body: [UInt8]) {
        let end = LoopbackWire.headEnd(message) ?? message.count
        return (Array(message[..<end]), Array(message[end...]))
    }
}
