internal import Glibc

/// How a program ends, as sysexits.h numbers it.
public enum ExitStatus: Int32, Sendable {
    case success = 0
    /// The command line is right, but the command could not be carried out.
    case failure = 1
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// The same command may succeed later (EX_TEMPFAIL).
    case temporary = 75
    /// A setting, or a file that the program needs, is wrong or missing (EX_CONFIG).
    case configuration = 78
}

/// An error that determines the program's exit status; every other error ends the program with `failure`.
public protocol CommandFailure: Error, CustomStringConvertible { var status: ExitStatus { get } }

/// A sentence for the person who typed the command, and the exit status that goes with it.
public struct CommandError: CommandFailure, Equatable {
    /// Empty if the command has already printed the error.
    public let description: String
    public let status: ExitStatus

    private init(_ description: String, _ status: ExitStatus) {
        self.description = description
        self.status = status
    }

    /// The command line is wrong.
    public static func usage(_ sentence: String) -> CommandError { CommandError(sentence, .usage) }

    /// A setting, or a file that the program needs, is wrong or missing.
    public static func configuration(_ sentence: String) -> CommandError {
        CommandError(sentence, .configuration)
    }

    /// The same command may succeed later.
    public static func temporary(_ sentence: String) -> CommandError {
        CommandError(sentence, .temporary)
    }

    /// The command line is right, but the command could not be carried out.
    public static func failure(_ sentence: String) -> CommandError {
        CommandError(sentence, .failure)
    }

    /// The system refused an operation on a setting or an operand: temporary if it lacks room or resources now.
    ///
    /// - Parameters:
    ///   - code: the system's error (errno(3)).
    ///   - status: the status for every other reason.
    public static func system(
        _ code: Int32, _ status: ExitStatus = .configuration,
        _ sentence: (_ reason: String) -> String
    ) -> CommandError {
        let isTemporary = [ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM, EAGAIN, EBUSY].contains(code)
        return CommandError(
            sentence(String(cString: strerror(code))), isTemporary ? .temporary : status)
    }

    /// The command has already printed the error.
    public static func reported(_ status: ExitStatus = .failure) -> CommandError {
        CommandError("", status)
    }

    /// The same sentence with another status.
    public func with(_ status: ExitStatus) -> CommandError { CommandError(description, status) }
}

/// Writes one line to the standard error; a line that cannot be written is lost.
@Sendable public func printError(_ line: String) {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return }
        rest = rest.dropFirst(max(0, count))
    }
}
