import BackendService
import Dispatch
import Reservations
import Synchronization

/// Runs a program of the administrator for a call for help to which no staff member has gone, as one that sends a
/// message to a telephone: `PATH TAG MACHINE SINCE TIMES` (rules: help-staff).
final class HelpProgram: Sendable {
    /// The most programs at once; further ones are not started, and the log says so: their calls have theirs again a
    /// minute later.
    private static let maxRunningPrograms = 8

    private let program: AdministratorProgram
    private let log: ServiceLog
    private let running = Mutex(0)
    private let queue = DispatchQueue(label: "clup.help", attributes: .concurrent)

    init(_ program: AdministratorProgram, log: ServiceLog) {
        self.program = program
        self.log = log
    }

    /// - Parameter times: how often the program is started for this call, this time included.
    func start(for call: HelpCall, of shop: Shop, times: Int) {
        @Sendable func failed(_ reason: String) {
            log.note(
                "help-command", ["reason": reason, "machine": call.machine.rawValue], level: .error)
        }
        let mayRun = running.withLock { running in
            guard running < Self.maxRunningPrograms else { return false }
            running += 1
            return true
        }
        guard mayRun else { return failed("too-many") }
        log.note(
            "help-unanswered", ["machine": call.machine.rawValue, "times": "\(times)"],
            level: .warning)
        let words = [
            shop.tag.rawValue, call.machine.rawValue, call.since.description, "\(times)",
        ]
        queue.async { [self] in
            if let reason = program.run(words, on: queue) { failed(reason) }
            running.withLock { $0 -= 1 }
        }
    }
}
