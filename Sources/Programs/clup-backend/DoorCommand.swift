import BackendService
import Dispatch
import Foundation
import Synchronization

/// Runs a program of the administrator's where somebody may pass a door: `PATH ROLE DEVICE NUMBER`.
///
/// A door's controller that hangs must not fill the machine: few at once, none for long.
final class DoorCommand: Sendable {
    /// Programs at once; a further passage opens no door, and the log says so.
    private static let most = 8
    /// How long one may take.
    private static let patience = DispatchTimeInterval.seconds(10)

    private let path: String
    private let log: ServiceLog
    private let running = Mutex(0)
    private let queue = DispatchQueue(label: "clup.door", attributes: .concurrent)

    init(path: String, log: ServiceLog) {
        self.path = path
        self.log = log
    }

    /// Starts the program and returns.
    func open(_ event: DoorEvent) {
        let mayRun = running.withLock { running in
            guard running < Self.most else { return false }
            running += 1
            return true
        }
        guard mayRun else { return log.note("door-command", ["reason": "too-many"]) }
        queue.async { [self] in
            run([event.role.rawValue, event.device.rawValue, event.number.text])
            running.withLock { $0 -= 1 }
        }
    }

    private func run(_ words: [String]) {
        let process = Process()
        let ended = DispatchSemaphore(value: 0)
        process.executableURL = URL(filePath: path)
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { _ in ended.signal() }
        do {
            try process.run()
        } catch {
            return log.note("door-command", ["reason": "not-started"])
        }
        if ended.wait(timeout: .now() + Self.patience) == .timedOut {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
            return log.note("door-command", ["reason": "took-too-long"])
        }
        if process.terminationStatus != 0 { log.note("door-command", ["reason": "failed"]) }
    }
}
