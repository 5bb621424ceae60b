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

    /// Reads the only event of a file; an error if there is not exactly one, or the library finds a mistake in it.
    public static func read(_ file: some Sequence<UInt8>) async throws -> ReadEvent {
        let folder = try TemporaryFolder()
        let path = try folder.write(file, to: "event.ics")
        return try await Tool.python("Tests/TestSupport/read-calendar.py", path)
    }
}
