import BackendService
import Dispatch
import Synchronization

/// Runs a program of the administrator when a customer may pass a door, and again when the door should close:
/// `PATH open ROLE DEVICE NUMBER` and `PATH close ROLE DEVICE`.
///
/// A door's controller that hangs must not fill the computer with processes: only a few run at once, and none for
/// long. A door that does not close is tried again until it does. Each server that is notified of an opening also
/// closes the door, a little later, as the server that opened it may have ended by then; so a door may get two
/// commands to close.
final class DoorCommand: Sendable {
    /// The most programs at once; a further passage opens no door, and the log says so.
    private static let maxRunningPrograms = 8
    /// The seconds from one attempt to close a door to the next.
    private static let again = 10
    /// How many seconds later the other servers close a door than the server that opened it.
    private static let later = 3

    private struct Content {
        /// The number of programs that open a door now, and of those that close one.
        var opening = 0
        var closing = 0
        /// Doors that will be closed, each with the number of its latest opening and the time.
        var due: [Door: (opening: Int, at: ContinuousClock.Instant)] = [:]
        var opened = 0
        var isStopping = false
    }

    private let program: AdministratorProgram
    private let log: ServiceLog
    private let content = Mutex(Content())
    private let queue: DispatchQueue
    /// Openings in progress, whose doors are not in `due` yet.
    private let openings = DispatchGroup()
    private let ended: @Sendable (Door, Bool) -> Void

    /// - Parameter ended: called with the result, whether a door could be closed.
    init(
        _ program: AdministratorProgram, log: ServiceLog,
        ended: @escaping @Sendable (Door, Bool) -> Void
    ) {
        queue = DispatchQueue(label: "clup.door", attributes: .concurrent)
        self.program = program
        self.log = log
        self.ended = ended
    }

    func open(_ event: DoorEvent) {
        guard mayRun(\.opening) else { return log.note("door-command", ["reason": "too-many"]) }
        let door = event.door
        queue.async(group: openings) { [self] in
            let words = ["open", door.role.rawValue, door.device.rawValue, event.number]
            if let reason = program.run(words, on: queue) {
                log.note("door-command", ["reason": reason, "device": door.device.rawValue])
            }
            content.withLock { $0.opening -= 1 }
            // The door is closed even if opening failed: the program may have opened it before it failed.
            close(door, after: event.seconds)
        }
    }

    /// Counts one more running program, unless there are too many.
    private func mayRun(_ count: WritableKeyPath<Content, Int>) -> Bool {
        content.withLock { content in
            guard content[keyPath: count] < Self.maxRunningPrograms else { return false }
            content[keyPath: count] += 1
            return true
        }
    }

    func heard(_ door: Door, seconds: Int) {
        let at = ContinuousClock.now + .seconds(seconds - 1)
        // The notification of this server's own opening changes nothing, as that door closes in time already.
        let isOwn = content.withLock { $0.due[door].map { at <= $0.at } ?? false }
        if !isOwn { close(door, after: seconds + Self.later) }
    }

    /// Closes a door, unless it is opened again in the meantime.
    func close(_ door: Door, after seconds: Int) {
        let opening = content.withLock { content in
            content.opened += 1
            content.due[door] = (content.opened, .now + .seconds(seconds))
            return content.opened
        }
        closeLater(door, opening, after: seconds)
    }

    private func closeLater(_ door: Door, _ opening: Int, after seconds: Int) {
        queue.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
            self?.closeWhenFree(door, opening)
        }
    }

    /// Never drops a closing: if too many programs run, it waits for its turn.
    private func closeWhenFree(_ door: Door, _ opening: Int) {
        guard mayRun(\.closing) else { return closeLater(door, opening, after: 1) }
        closeNow(door, opening)
        content.withLock { $0.closing -= 1 }
    }

    private func closeNow(_ door: Door, _ opening: Int) {
        guard content.withLock({ $0.due[door]?.opening == opening }) else { return }
        let words = ["close", door.role.rawValue, door.device.rawValue]
        let reason = program.run(words, on: queue)
        if let reason {
            log.note(
                "door-not-closed", ["reason": reason, "device": door.device.rawValue],
                level: .error)
        }
        ended(door, reason == nil)
        let isAgain = content.withLock { content in
            guard content.due[door]?.opening == opening else { return false }
            if reason == nil || content.isStopping { content.due[door] = nil }
            return reason != nil && !content.isStopping
        }
        if isAgain { close(door, after: Self.again) }
    }

    /// Closes the open doors before the server ends; returns when each was tried once.
    func stop() {
        openings.wait()
        let due = content.withLock { content in
            content.isStopping = true
            return Array(content.due)
        }
        DispatchQueue.concurrentPerform(iterations: due.count) { index in
            closeNow(due[index].key, due[index].value.opening)
        }
    }
}
