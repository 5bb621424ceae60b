import Foundation
import Glibc

/// A fake: all telephones of the world behind an operator. It speaks with Kannel's driver `fake` for such an operator,
/// a line of `SENDER RECEIVER text TEXT` for each SMS in both directions.
public final class FakeTelephones: Sendable {
    /// An SMS that a telephone has received.
    public struct Received: Hashable, Sendable {
        public let sender: String
        public let receiver: String
        public let text: String
    }

    private let descriptor: Int32
    private let lines = Locked<[Received]>([])

    /// The SMS that arrived, in their order.
    public var received: [Received] { lines.value }

    /// - Parameter port: Of the loopback, at which Kannel listens.
    init(port: UInt16) throws {
        guard let wire = LoopbackWire.connected(to: port) else {
            throw TestSupportError("Kannel does not listen for its operator")
        }
        descriptor = wire.descriptor
        let (descriptor, lines) = (descriptor, lines)
        Thread.detachNewThread {
            var wire = LoopbackWire(descriptor)
            var line: [UInt8] = []
            while let byte = wire.bytes(1)?.first {
                guard byte == UInt8(ascii: "\n") else {
                    line.append(byte)
                    continue
                }
                let words = String(decoding: line, as: UTF8.self)
                    .split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
                    .map(String.init)
                line = []
                guard words.count == 4, words[2] == "text" else { continue }
                lines.change {
                    $0.append(Received(sender: words[0], receiver: words[1], text: words[3]))
                }
            }
            close(descriptor)
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Sends an SMS from a telephone; the text has one line.
    ///
    /// - Parameters:
    ///   - number: Of the sender, as the operator writes it.
    ///   - isUCS2: Whether it is in UCS-2, as telephones send a text with a character that the GSM alphabet lacks.
    public func send(
        _ text: String, from number: String, to receiver: String = KannelServer.sender,
        isUCS2: Bool = false
    ) {
        let content =
            isUCS2
            ? "ucs2 "
                + text.utf16.map { String(format: "%%%02X%%%02X", $0 >> 8, $0 & 0xFF) }.joined()
            : "text \(text)"
        _ = LoopbackWire(descriptor).send("\(number) \(receiver) \(content)\n".utf8)
    }
}
