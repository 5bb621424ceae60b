import ChildProcess
import Dispatch

/// A program of the administrator that is run to its end.
struct DoorProgram {
    let path: String
    /// The longest time that the program may take.
    let patience: DispatchTimeInterval
    /// The queue on which the end of the program is awaited.
    let queue: DispatchQueue

    /// Nil if the program succeeded; otherwise the reason.
    func run(_ words: [String]) -> String? {
        // A name without a slash is a file of this folder, and is not searched for elsewhere.
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
            // The program's own children end too: a shell often waits for another program.
            process.kill()
            ended.wait()
        }
        let status = process.reap()
        return isLate ? "took-too-long" : status == 0 ? nil : "failed"
    }
}
