internal import ChildProcess
internal import Dispatch
internal import Glibc

/// A program of the administrator that passes SMS on to a gateway of another kind.
///
/// It is run for each message, without arguments, which other users could see. Its standard input has the number in
/// the first line, as "+393331234567", and the text in the rest, in UTF-8 and without a line end after it.
///
/// Exit status 0 means that the message is accepted, 75 (EX_TEMPFAIL of sysexits.h(3head)) that it must be sent again
/// later, and 78 (EX_CONFIG), 126 and 127 (exit status of sh(1)) that the program is not set up; it is `broken` too if
/// it cannot be started. A program that takes more than 10 s is killed with its own children. The outcome is
/// `uncertain` then, and after the end by any other signal. Any other status means that the message is refused.
public final class CommandGateway: MessageGateway {
    /// EX_TEMPFAIL.
    private static let temporaryFailure: Int32 = 75
    /// EX_CONFIG, and the statuses of a shell whose command cannot be executed or is not found.
    private static let configurationFailures: Set<Int32> = [78, 126, 127]
    /// 128 and the number of a signal: it ended the program, or the last command of a script.
    private static let signals: ClosedRange<Int32> = 129...192

    private let lanes: SendingLanes

    /// - Parameter program: A path. A name without a slash is a file of the present folder.
    public convenience init(program: String) {
        self.init(program: program, timeout: .seconds(10), turnTimeout: .seconds(15))
    }

    init(program: String, timeout: DispatchTimeInterval, turnTimeout: DispatchTimeInterval) {
        let path = ChildProcess.path(ofFile: program)
        let queue = DispatchQueue(
            label: "clup.sms.command", qos: .utility, attributes: .concurrent)
        lanes = SendingLanes(turnTimeout: turnTimeout) {
            { Self.run(path, $0, within: timeout, on: queue) }
        }
    }

    public func send(_ message: SMSMessage) async -> SMSOutcome { await lanes.send(message) }

    public func stop() { lanes.stop() }

    /// Runs the program to its end.
    private static func run(
        _ program: String, _ message: SMSMessage, within timeout: DispatchTimeInterval,
        on queue: DispatchQueue
    ) -> SMSOutcome {
        let input = Array("\(message.to.rawValue)\n\(message.text)".utf8)
        let process: ChildProcess
        do {
            process = try ChildProcess(program, [], input: .bytes(input), leadsGroup: true)
        } catch {
            // The computer has no process, descriptor or memory left.
            let isPassing = [EAGAIN, ENOMEM, EMFILE, ENFILE, ETXTBSY].contains(error.code)
            return isPassing ? .busy : .broken("not-started")
        }
        guard let status = process.status(within: timeout, on: queue) else { return .uncertain }
        let reason = "exit-status-\(status)"
        return switch status {
        case 0: .accepted
        case temporaryFailure: .busy
        case _ where configurationFailures.contains(status): .broken(reason)
        case signals: .uncertain
        default: .refused(reason)
        }
    }
}
