import Foundation
import KioskFlow
import Reservations
import Testing

/// Ten thousand paths that seeds choose are the same as when they were recorded, so a rewrite of the flow changes no
/// behaviour. An intended change needs a new recording, and a look at the differences:
///
///     CLUP_RECORD_PATHS=1 swift test --filter RecordedPathTests
///     CLUP_PATHS_TO=<folder> swift test --filter RecordedPathTests    writes each path as text
@Suite("The flow is as it was recorded")
struct RecordedPathTests {
    private static let groups = 100
    private static let pathsPerGroup = 100
    private static let events = 60
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "RecordedPaths.txt")

    @Test("Every path has the effects and screens that it had when it was recorded")
    func recorded() async throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = environment["CLUP_PATHS_TO"]
        let digests = try await withThrowingTaskGroup(of: (Int, String).self) { tasks in
            for group in 0..<Self.groups {
                tasks.addTask { (group, try Self.digest(of: group, folder)) }
            }
            var digests = [String](repeating: "", count: Self.groups)
            for try await (group, digest) in tasks { digests[group] = digest }
            return digests
        }
        if environment["CLUP_RECORD_PATHS"] == "1" {
            try Data((digests.joined(separator: "\n") + "\n").utf8).write(to: Self.file)
        }
        let recorded = try String(contentsOf: Self.file, encoding: .utf8)
            .split(separator: "\n").map { String($0) }
        #expect(recorded.count == Self.groups)
        for (group, (now, then)) in zip(digests, recorded).enumerated() {
            #expect(now == then, "the paths of group \(group) differ")
        }
    }

    /// FNV-1a of all lines of a group's paths; if a folder is given, the lines are written to it.
    private static func digest(of group: Int, _ folder: String?) throws -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var text = ""
        for index in 0..<pathsPerGroup {
            let seed = UInt64(group * pathsPerGroup + index)
            let path = RecordedPath(seed: seed, events: events)
            for line in path.lines {
                for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            }
            if folder != nil {
                text += "path \(seed)\n"
                for (step, line) in zip(path.steps, path.lines) { text += "\(step) -> \(line)\n" }
            }
        }
        if let folder {
            try Data(text.utf8).write(
                to: URL(filePath: folder).appending(path: "group-\(group).txt"))
        }
        return String(hash, radix: 16)
    }

    @Test("The paths reach every state, and every part of a call for help")
    func reached() {
        let lines = (0..<UInt64(400)).flatMap { RecordedPath(seed: $0, events: Self.events).lines }
        func words(after mark: String) -> Set<String> {
            Set(
                lines.compactMap { line in
                    line.split(separator: mark, maxSplits: 1).dropFirst().last.map {
                        String($0.prefix { $0.isLetter })
                    }
                })
        }
        #expect(
            words(after: "; help ") == ["asking", "calling", "unreachable", "open", "closed"])
        let states = words(after: "] ")
        #expect(
            states.isSuperset(of: [
                "starting", "home", "closed", "out", "asking", "offer", "no", "confirming",
                "unresolved", "issued", "scanning", "looking", "found", "deleting", "deleted",
                "code", "apology", "entrance", "staff", "delay", "missed", "changing", "turn",
            ]), "\(states.sorted())")
    }
}
