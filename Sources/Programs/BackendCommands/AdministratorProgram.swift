import ChildProcess
import CommandSyntax
import Dispatch
import Glibc

/// A program of the administrator that the server runs, such as one that opens a door.
struct AdministratorProgram: Sendable {
    let path: String
    /// A program that takes longer is ended with its own children: one that hangs must not fill the computer with
    /// processes.
    static let timeout = DispatchTimeInterval.seconds(10)

    /// The program that an option names; nil if the option is not given, an error if it cannot be run.
    init?(option name: String, _ arguments: Arguments) throws {
        guard let path = arguments.optional(name) else { return nil }
        guard access(path, X_OK) == 0 else {
            throw CommandError.configuration("--\(name): \(path) is no program that can be run")
        }
        self.path = path
    }

    /// Runs the program to its end, while another thread of `queue` waits for it: nil if it succeeded, otherwise the
    /// reason.
    func run(_ words: [String], on queue: DispatchQueue) -> String? {
        let path = ChildProcess.path(ofFile: path)
        guard let process = try? ChildProcess(path, words, leadsGroup: true) else {
            return "not-started"
        }
        guard let status = process.status(within: Self.timeout, on: queue) else {
            return "took-too-long"
        }
        return status == 0 ? nil : "failed"
    }
}
