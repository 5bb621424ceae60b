import FoundationEssentials
import KioskFlow

@testable import KioskRuntime

/// Replays a file of events that a crash has left.
extension Replay {
    /// A line that does not belong to a file of events.
    struct Malformed: Error, CustomStringConvertible {
        let line: Int

        var description: String { "Line \(line) is no event." }
    }

    /// Returns the machine after the last event.
    static func play(_ text: String) throws(Malformed) -> KioskFlow {
        let lines = text.split(separator: "\n")
        guard var flow = lines.first.flatMap({ value(Start.self, $0) })?.flow else {
            throw Malformed(line: 1)
        }
        for (index, line) in lines.enumerated().dropFirst() {
            guard let recorded = value(Recorded.self, line) else {
                throw Malformed(line: index + 1)
            }
            _ = flow.handle(recorded.event, now: .milliseconds(recorded.milliseconds))
        }
        return flow
    }

    private static func value<Value: Decodable>(_ type: Value.Type, _ line: Substring) -> Value? {
        try? JSONDecoder().decode(type, from: Data(line.utf8))
    }
}
