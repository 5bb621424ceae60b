import Foundation
import Synchronization

/// What a test leaves of its browsers, terminals and servers, for a person who looks for the cause of a failure.
///
/// `Tests/run` names the folder in `CLUP_TRACES`, shows the traces of the tests that failed, and removes the others.
public enum Traces {
    private static let folder = ProcessInfo.processInfo.environment["CLUP_TRACES"]
    private static let counter = Mutex(0)

    /// The path of a new trace, FILE.FUNCTION.NUMBER.NAME; nil if no person asked for traces.
    ///
    /// - Parameters:
    ///   - file: `#fileID` of the test.
    ///   - function: `#function` of the test.
    static func path(_ name: String, of file: String, _ function: String) -> String? {
        guard let folder else { return nil }
        let number = counter.withLock {
            $0 += 1
            return $0
        }
        let suite = URL(filePath: file).deletingPathExtension().lastPathComponent
        return "\(folder)/\(suite).\(function.prefix { $0 != "(" }).\(number).\(name)"
    }

    /// Keeps a file that a program is about to remove.
    public static func keep(_ source: String, as name: String, of file: String, _ function: String)
    {
        guard FileManager.default.fileExists(atPath: source),
            let trace = path(name, of: file, function)
        else { return }
        try? FileManager.default.copyItem(atPath: source, toPath: trace)
    }

    /// Keeps the last events of the machine that a command has started: what it was given, and when by its clock.
    public static func keepEvents(ofMachine command: String, of file: String, _ function: String) {
        guard let state = command.firstMatch(of: /--state '?([^' ]+)/)?.output.1 else { return }
        keep("\(state)/events", as: "events.jsonl", of: file, function)
    }
}
