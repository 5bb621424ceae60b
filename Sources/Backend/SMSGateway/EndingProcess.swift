internal import ChildProcess
internal import Synchronization

/// A program that is ended if it takes too long.
final class EndingProcess: Sendable {
    private struct State {
        /// Nil once its status was collected: its number may then be another process's.
        var process: ChildProcess?
        var isEnded = false
    }

    private let process: ChildProcess
    private let state: Mutex<State>

    /// - Parameter process: Leads a group.
    init(_ process: ChildProcess) {
        self.process = process
        state = Mutex(State(process: process))
    }

    /// Kills the program and its children, if it still runs.
    func end() {
        state.withLock { state in
            guard let process = state.process else { return }
            process.kill()
            state.isEnded = true
        }
    }

    /// Waits for the program's end; nil if it was killed, otherwise its exit status, or 128 and the signal that ended
    /// it.
    func status() -> Int32? {
        process.waitForEnd()
        return state.withLock { state in
            state.process = nil
            let status = process.reap()
            return state.isEnded ? nil : status
        }
    }
}
