import ChildProcess
import Dispatch

/// A program of the administrator's that is run to its end.
struct DoorProgram {
    let path: String
    /// How long one may take.
    let patience: DispatchTimeInterval
    /// Where threads are waited with.
    let queue: DispatchQueue

    /// Nil if it did what it was to do; otherwise why not.
    func run(_ words: [String]) -> String? {
        // A name without a slash is a file of this folder, and not looked for elsewhere.
        let program = path.contains("/") ? path : "./\(path)"
        guard let process = try? ChildProcess(program, words, leadsGroup: true) else {
            return "not-started"
        }
        let ended = DispatchSemaphore(value: 0)
        queue.async {
            process.waitForEnd()
            ended.signal()
        }
        let isLate = ended.wait(timeout: .now() + patience) == .timedOut
        if isLate {
            // With all that it started: a shell is often waiting for another program.
            process.kill()
            ended.wait()
        }
        let status = process.reap()
        return isLate ? "took-too-long" : status == 0 ? nil : "failed"
    }
}
