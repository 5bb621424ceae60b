public import Cryptography
import Glibc

/// One of the parsers of foreign bytes: `clup-fuzz` and the tests give it bytes, and it must neither crash nor break what
/// its check promises.
public struct ForeignParser: Sendable, CustomStringConvertible {
    /// The word for it on the command line, and its folder in `Tests/Fuzzing/Corpus`.
    public let name: String
    /// Gives it bytes; the process ends at once if a check fails.
    public let read: @Sendable ([UInt8]) -> Void

    public var description: String { name }

    public static let all = [
        ForeignParser(name: "bodies", read: Bodies.read),
        ForeignParser(name: "answers", read: AnswerBodies.read),
        ForeignParser(name: "signatures", read: Signatures.read),
        ForeignParser(name: "codes", read: Codes.read),
        ForeignParser(name: "names", read: Names.read),
        ForeignParser(name: "sms", read: ShortMessages.read),
        ForeignParser(name: "catalogue", read: CatalogueFile.read),
        ForeignParser(name: "printer", read: PrinterAnswer.read),
        ForeignParser(name: "http", read: Requests.read),
        ForeignParser(name: "websocket", read: Frames.read),
    ]

    /// Prepares the process for all of them, before the first bytes; another time changes nothing.
    public static func start() throws(CryptographyError) {
        try Cryptography.start()
        signal(SIGPIPE, SIG_IGN)
    }
}

/// Conversions of bytes from outside.
enum Foreign {
    /// Splits bytes at 0xFF, which occurs in no text, into this many texts; missing ones are empty.
    static func texts(_ bytes: [UInt8], _ count: Int) -> [String] {
        var parts = bytes.split(
            separator: 0xFF, maxSplits: count - 1, omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        while parts.count < count { parts.append("") }
        return parts
    }
}
