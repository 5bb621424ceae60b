/// A message to one browser, which the push service keeps until the browser fetches it (RFC 8030).
public struct Push: Sendable {
    /// The most bytes of content. All contents are padded to this length, so that lengths show nothing.
    public static let maxContentBytes = 640

    /// The URL that the browser was given by its push service.
    public var endpoint: String
    public var keys: PushKeys
    /// What the browser reads, at most `maxContentBytes`; longer contents are not sent (`PushOutcome.tooLarge`).
    public var content: [UInt8]
    /// Seconds for which the push service keeps the message (RFC 8030 5.2).
    public var timeToLive: Int
    public var urgency: Urgency
    /// At most 32 characters of base64url, so that a later message replaces one that waits; empty for none
    /// (RFC 8030 5.4).
    public var topic: String

    /// How soon a browser that saves its battery should be woken (RFC 8030 5.3).
    public enum Urgency: String, Sendable {
        case normal
        case high
    }

    public init(
        endpoint: String, keys: PushKeys, content: [UInt8], timeToLive: Int, urgency: Urgency,
        topic: String
    ) {
        self.endpoint = endpoint
        self.keys = keys
        self.content = content
        self.timeToLive = timeToLive
        self.urgency = urgency
        self.topic = topic
    }

    /// Whether the topic can be a field's value: this also keeps line ends out of the request.
    var hasValidTopic: Bool {
        topic.utf8.count <= 32
            && topic.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

extension Push: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text that shows nothing of the browser and the content.
    public var description: String { "push of \(content.count) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
