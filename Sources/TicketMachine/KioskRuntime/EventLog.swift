internal import FoundationEssentials
internal import Glibc
internal import KioskFlow
internal import Reservations

/// The last events of the machine, without codes, capabilities, PINs and keys, so that a crash can be replayed.
///
/// They are in two files of a folder in memory, one for the older half and one for the newer half. A program that ends
/// normally deletes both files; files that are found at a start were left by a crash and are kept in another folder.
@MainActor public final class EventLog {
    public static let maxEvents = 1_000
    /// The number of crash files that are kept; the oldest are deleted.
    private static let maxCrashes = 5

    private let newer: String
    private let older: String
    private let version: String
    private let keyPrefix: String
    private var file: Int32 = -1
    private var count = 0
    private var digits = 0
    private let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    /// - Parameters:
    ///   - folder: a folder in memory; if it cannot be written, no events are.
    ///   - crashes: the folder in which crash files are kept.
    ///   - keyPrefix: the prefix of the attempts' keys, which is not written.
    public init(folder: String, crashes: String, keyPrefix: String, version: String) {
        newer = "\(folder)/events"
        older = "\(folder)/events.older"
        self.version = version
        self.keyPrefix = keyPrefix
        keepCrash(in: crashes)
    }

    /// Writes an event down before it is handled, because it may be the one that crashes the program.
    ///
    /// - Parameter flow: the flow before the event.
    func add(_ event: KioskEvent, to flow: KioskFlow, at now: Duration) {
        if file < 0 || count >= Self.maxEvents / 2 { begin(flow) }
        guard file >= 0 else { return }
        let recorded = Replay.Recorded(
            milliseconds: now.wholeMilliseconds, event: event.withoutSecrets(afterDigits: digits))
        digits = event.isDigit ? digits + 1 : 0
        write(recorded)
        count += 1
    }

    /// Deletes the files, because the program ends normally.
    public func end() {
        if file >= 0 { close(file) }
        file = -1
        for path in [newer, older] { unlink(path) }
    }

    private func begin(_ flow: KioskFlow) {
        if file >= 0 {
            close(file)
            rename(newer, older)
        }
        file = open(newer, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        count = 0
        guard file >= 0 else { return }
        write(Replay.Start(version: version, flow: flow))
    }

    private func write(_ value: some Encodable) {
        let text = [UInt8]((try? encoder.encode(value)) ?? Data())
        let line = EventRedaction.redacted(text, keyPrefix: keyPrefix) + [UInt8(ascii: "\n")]
        _ = Glibc.write(file, line, line.count)
    }

    /// Joins the files that a crash has left into one, named after the time when it was found.
    private func keepCrash(in folder: String) {
        let parts = [older, newer].compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
            .map { $0.split(separator: "\n") }
        guard let first = parts.first, parts.contains(where: { $0.count > 1 }) else { return }
        // Each file begins with the state of the machine; only the first file's is needed.
        let lines = first + parts.dropFirst().flatMap { $0.dropFirst() }
        mkdir(folder, 0o700)
        try? Data((lines.joined(separator: "\n") + "\n").utf8)
            .write(to: URL(filePath: "\(folder)/crash-\(time(nil)).jsonl"))
        for path in [newer, older] { unlink(path) }
        let kept = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { $0.hasPrefix("crash-") }.sorted()
        for name in kept.dropLast(Self.maxCrashes) { unlink("\(folder)/\(name)") }
    }
}

/// A file of events that a crash has left, one JSON object in each line.
enum Replay {
    /// The first line: the state of the machine before the first event.
    struct Start: Codable {
        var version: String
        var flow: KioskFlow
    }

    /// Every other line: an event and its time on the machine's monotonic clock.
    struct Recorded: Codable, Hashable {
        var milliseconds: Int64
        var event: KioskEvent
    }
}

/// Removes the secrets of a line that must not be written down.
enum EventRedaction {
    private static let quote = UInt8(ascii: "\"")
    private static let marks = [EntryCode.prefix, PickupCode.prefix].map { Array($0.utf8) }
    /// The mark in front of the capability, or the code, in a link.
    private static let linkMark = UInt8(ascii: "#")
    /// The characters of a capability that are no secret: the shop's tag, the day and the number.
    private static let publicLength = 12

    /// The line without codes of tickets and orders, capabilities of links, digits that were typed (codes and PINs, also
    /// half of one) and the prefix of keys.
    ///
    /// Digits in the state of the machine become the ones that the events of typing them became.
    static func redacted(_ line: [UInt8], keyPrefix: String) -> [UInt8] {
        var bytes = replacing(Array(keyPrefix.utf8), in: line, with: UInt8(ascii: "k"))
        for index in bytes.indices {
            if bytes[index] == quote {
                let digits = bytes[index...].dropFirst().prefix(while: \.isASCIIDigit)
                let rest = bytes[digits.endIndex...]
                // A name of a field is no value: a colon follows it.
                let isValue = rest.first == quote && rest.dropFirst().first != UInt8(ascii: ":")
                if isValue {
                    for (place, index) in digits.indices.enumerated() {
                        bytes[index] = UInt8(ascii: "0") + digit(typedAt: place)
                    }
                }
            } else if let mark = marks.first(where: {
                bytes[index] == $0[0] && bytes[index...].starts(with: $0)
            }) {
                hide(&bytes, from: index + mark.count + ShopTag.length)
            } else if bytes[index] == linkMark {
                let text = bytes[index...].dropFirst().prefix {
                    $0.isASCIIDigit || $0.isASCIIUppercase
                }
                let isCode = text.count == EntryCode.bareLength
                hide(&bytes, from: text.startIndex + (isCode ? ShopTag.length : publicLength))
            }
        }
        return bytes
    }

    /// Puts zeros in place of the digits and capitals from there on.
    private static func hide(_ bytes: inout [UInt8], from start: Int) {
        for index in bytes.indices.dropFirst(start) {
            guard bytes[index].isASCIIDigit || bytes[index].isASCIIUppercase else { return }
            bytes[index] = UInt8(ascii: "0")
        }
    }

    private static func replacing(
        _ word: [UInt8], in text: [UInt8], with sign: UInt8
    ) -> [UInt8] {
        guard let first = word.first else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let isWord = text[index] == first && text[index...].starts(with: word)
            result.append(isWord ? sign : text[index])
            index += isWord ? word.count : 1
        }
        return result
    }

    /// What the event of a digit becomes that was typed in this place.
    private static func digit(typedAt place: Int) -> UInt8 {
        let event = KioskEvent.touched(.digit(0)).withoutSecrets(afterDigits: place)
        guard case .touched(.digit(let digit), _) = event else { return 0 }
        return UInt8(digit)
    }
}
