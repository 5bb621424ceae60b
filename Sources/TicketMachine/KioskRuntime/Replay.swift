internal import FoundationEssentials
public import KioskFlow

/// Replays a file of events that a crash has left.
public enum Replay {
    /// The first line: the state of the machine before the first event.
    struct Start: Codable {
        var version: String
        var flow: KioskFlow
    }

    /// Every other line: an event and its time on the machine's monotonic clock.
    public struct Recorded: Codable, Hashable, Sendable {
        public var milliseconds: Int64
        public var event: KioskEvent
    }

    /// A line that does not belong to a file of events.
    public struct Malformed: Error, CustomStringConvertible {
        public let line: Int

        public var description: String { "Line \(line) is no event." }
    }

    /// Returns the machine after the last event; `step` gets each event with the new state and the effects.
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
