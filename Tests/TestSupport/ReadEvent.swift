import Foundation

/// An event as the library icalendar (PyPI) reads it from a file.
public struct ReadEvent: Sendable, Hashable, Decodable {
    /// A reminder; its seconds are counted from the start, and negative before it.
    public struct Alarm: Sendable, Hashable, Decodable {
        public let action: String?
        public let description: String?
        public let seconds: Int
    }

    public let version: String?
    public let method: String?
    public let id: String?
    public let sequence: Int
    /// Seconds since 1970.
    public let written: Int
    public let start: Int
    public let end: Int
    public let status: String?
    public let summary: String?
    public let details: String?
    public let location: String?
    public let page: String?
    public let alarms: [Alarm]
    /// The names of all properties of the event, in the order of the alphabet.
    public let properties: [String]

    private static let python = Tool.repository
        .appending(path: ".build/schemathesis/bin/python").path
    private static let script = Tool.repository
        .appending(path: "Tests/TestSupport/read-calendar.py").path

    /// Reads the only event of a file; an error if there is not exactly one, or the library finds a mistake in it.
    public static func read(_ file: some Sequence<UInt8>) async throws -> ReadEvent {
        let folder = try TemporaryFolder()
        let path = try folder.write(file, to: "event.ics")
        let printed = try await Tool.succeed(python, [script, path])
        return try JSONDecoder().decode(ReadEvent.self, from: Data(printed.utf8))
    }
}
