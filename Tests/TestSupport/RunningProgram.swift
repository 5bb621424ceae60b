import Foundation
public import Glibc
import Synchronization

/// A program that was started.
public final class RunningProgram: Sendable {
    public let pid: pid_t
    private let status = Mutex<Int32?>(nil)

    init(pid: pid_t) { self.pid = pid }

    /// Its exit status, or 128 and the signal that ended it; nil while it runs.
    public var endStatus: Int32? {
        status.withLock { status in
            if let status { return status }
            var raw: Int32 = 0
            guard waitpid(pid, &raw, WNOHANG) == pid else { return nil }
            // The macros WIFEXITED, WEXITSTATUS and WTERMSIG of waitpid(2).
            status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
            return status
        }
    }

    public var isRunning: Bool { endStatus == nil }

    /// Whether a process that this one did not start runs. A zombie, for which its parent has not waited, does not
    /// (proc(5)).
    public static func isRunning(_ pid: pid_t) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        return status.map { !$0.contains(") Z ") } ?? false
    }

    /// Sends a signal while it runs.
    public func signal(_ number: Int32) {
        if isRunning { kill(pid, number) }
    }

    /// Waits for its end and returns its status.
    @discardableResult
    public func end() async -> Int32 {
        while true {
            if let status = endStatus { return status }
            try? await ContinuousClock().sleep(for: .milliseconds(3))
        }
    }

    /// As `end`, but the calling thread waits.
    @discardableResult
    public func waitBlocking() -> Int32 {
        while true {
            if let status = endStatus { return status }
            // Leaves the status to `endStatus` (waitid(2)).
            var information = siginfo_t()
            waitid(P_PID, id_t(pid), &information, Int32(WEXITED | WNOWAIT))
        }
    }

    /// Sends a signal while it runs; the calling thread waits for the end.
    public func stopBlocking(_ number: Int32 = SIGTERM) {
        signal(number)
        waitBlocking()
    }

    /// Asks it to end (SIGTERM) and waits; kills it after the limit.
    public func stop(within limit: Duration = .seconds(20)) async {
        signal(SIGTERM)
        if await !eventually(within: limit, { !self.isRunning }) { signal(SIGKILL) }
        await end()
    }

    /// Waits until it is ready for those who use it; stops it and fails with what it has written into a file if it ends
    /// before that, or is not ready in time.
    public func waits(
        _ name: String, log: String, within limit: Duration = longTimeout,
        untilReady condition: () async throws -> Bool
    ) async throws {
        var isReady = false
        _ = try await eventually(within: limit) {
            isReady = try await condition()
            return isReady || !isRunning
        }
        guard isReady, isRunning else {
            await stop()
            let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw TestSupportError("\(name) did not start: \(said)")
        }
    }

    /// The display that an X server has chosen, whose number it writes into a file (Xserver(1), -displayfd).
    func display(writtenTo file: String, log: String) async throws -> String {
        var text = ""
        try await waits("the X server", log: log) {
            text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            return text.hasSuffix("\n")
        }
        return ":" + text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: The system's figures

    /// CPU time of all its threads so far, in nanoseconds (clock_getcpuclockid(3)).
    public var cpuNanoseconds: Int64 {
        var clock: clockid_t = 0
        guard clock_getcpuclockid(pid, &clock) == 0 else { return 0 }
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// How often its present threads gave up their processor, or lost it, so far: the two counts of proc(5).
    public var contextSwitches: Int {
        let folder = "/proc/\(pid)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.reduce(0) { sum, thread in
            // A thread may end meanwhile.
            let text = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8))
            let lines = text?.split(separator: "\n").filter { $0.contains("ctxt_switches:") } ?? []
            return sum
                + lines.reduce(0) { $0 + (Int($1.split(separator: "\t").last ?? "") ?? 0) }
        }
    }

    /// Peak resident memory so far in KiB: VmHWM of proc(5).
    public var peakKilobytes: Int { kilobytes("VmHWM:") }

    /// Resident memory now in KiB: VmRSS of proc(5).
    public var residentKilobytes: Int { kilobytes("VmRSS:") }

    private func kilobytes(_ name: String) -> Int {
        let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first
            .flatMap { Int($0) } ?? 0
    }
}
