internal import FoundationEssentials
public import KioskFlow
internal import Reservations

/// Plays a file of events again, as a crash left it.
public enum Replay {
    /// The first line: the machine as it was before the first event.
    struct Start: Codable {
        var version: String
        var flow: KioskFlow
    }

    /// Every other line: an event and when it came, on the machine's monotonic clock.
    public struct Recorded: Codable, Hashable, Sendable {
        public var milliseconds: Int64
        public var event: KioskEvent
    }

    /// A line that is not one of a file of events.
    public struct Malformed: Error, CustomStringConvertible {
        public let line: Int

        public var description: String { "Line \(line) is no event." }
    }

    /// The machine as it was after the last event; `step` gets what it was and did at each.
    public static func play(
        _ text: String, step: (Recorded, KioskFlow, [KioskEffect]) -> Void = { _, _, _ in }
    ) throws(Malformed) -> KioskFlow {
        let lines = text.split(separator: "\n")
        guard var flow = lines.first.flatMap({ value(Start.self, $0) })?.flow else {
            throw Malformed(line: 1)
        }
        for (index, line) in lines.enumerated().dropFirst() {
            guard let recorded = value(Recorded.self, line) else {
                throw Malformed(line: index + 1)
            }
            let effects = flow.handle(
                recorded.event, now: .milliseconds(recorded.milliseconds))
            step(recorded, flow, effects)
        }
        return flow
    }

    private static func value<Value: Decodable>(_ type: Value.Type, _ line: Substring) -> Value? {
        try? JSONDecoder().decode(type, from: Data(line.utf8))
    }
}
