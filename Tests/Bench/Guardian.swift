import FoundationEssentials
import Glibc
import TestSupport

/// Ends what a bench has started if the bench could not do so because a signal, even SIGKILL, ended it.
///
/// A process in its own session reads a pipe whose other end only the bench holds. The bench writes to it a line for
/// each printer and folder that it makes and removes itself; at the end of the pipe the process removes what is left,
/// and ends every process that the bench started.
enum Guardian {
    /// The command by which this program is started as the guardian.
    static let command = "guardian"

    /// The kinds of things to end, in the order in which they are ended.
    enum Kind: String, CaseIterable {
        /// Kiosk/demo-printer and the folder it was started in, with a tab between them.
        case printer
        case folder
    }

    private static let markName = "CLUP_BENCH"

    /// A mark in the environment of all that this bench starts, by which these processes are found.
    private static let mark = "\(getpid()).\(Clock.monotonic)"

    /// The bench's end of the pipe; -1 in a program without measurements.
    nonisolated(unsafe) private static var pipeEnd: Int32 = -1

    /// Starts the guardian, before any other process is started and while there is one thread.
    static func start() throws {
        setenv(markName, mark, 1)
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchError.system("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = try Tool.start(Workspace.executable, [command], streams: .input(ends[0]))
        close(ends[0])
        pipeEnd = ends[1]
    }

    static func begins(_ kind: Kind, _ what: String) { report("+", kind, what) }
    static func ended(_ kind: Kind, _ what: String) { report("-", kind, what) }

    private static func report(_ sign: String, _ kind: Kind, _ what: String) {
        guard pipeEnd >= 0 else { return }
        let line = Array("\(sign)\(kind.rawValue)\t\(what)\n".utf8)
        _ = write(pipeEnd, line, line.count)
    }

    /// Clock ticks from boot to a process's start (proc(5), stat): together with its number they identify one process.
    private static func startTime(_ process: pid_t) -> String {
        let stat = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
        let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last ?? ""
        return fields.split(separator: " ").dropFirst(19).first.map(String.init) ?? ""
    }

    // MARK: In the guardian

    /// Reads until the bench has ended, and then ends what is left.
    static func run() {
        var left: [Kind: [Substring]] = [:]
        while let line = readLine() {
            let parts = line.dropFirst().split(separator: "\t", maxSplits: 1)
            guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { continue }
            if line.hasPrefix("+") {
                left[kind, default: []].append(parts[1])
            } else {
                left[kind, default: []].removeAll { $0.hasPrefix(parts[1]) }
            }
        }
        for kind in Kind.allCases {
            if kind == .folder { endMarked() }
            end(kind, left[kind] ?? [])
        }
    }

    /// Ends the processes that the bench started, repeatedly, as such a process may have started others.
    private static func endMarked() {
        guard let value = getenv(markName) else { return }
        let mark = Data("\(markName)=\(String(cString: value))".utf8)
        for _ in 0..<3 {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            let found = all.compactMap { pid_t($0) }.filter { process in
                process != getpid()
                    && FileManager.default.contents(atPath: "/proc/\(process)/environ")?
                        .split(separator: 0).contains { $0.elementsEqual(mark) } == true
            }
            end(found.map { (process: $0, start: startTime($0)) })
            usleep(50_000)
        }
    }

    private static func end(_ kind: Kind, _ left: [Substring]) {
        switch kind {
        case .printer:
            for printer in left {
                let words = printer.split(separator: "\t").map(String.init)
                guard words.count == 2 else { continue }
                _ = try? Tool.succeedBlocking(words[0], ["down", words[1]])
            }
        case .folder: for folder in left { remove(String(folder)) }
        }
    }

    /// Tries for ten seconds, since children of the ended processes may still write there until they have ended too.
    private static func remove(_ folder: String) {
        let limit = Clock.monotonic + 10_000_000_000
        while FileManager.default.fileExists(atPath: folder) {
            if (try? FileManager.default.removeItem(atPath: folder)) != nil { continue }
            guard Clock.monotonic < limit else { return }
            usleep(50_000)
        }
    }

    /// Asks the processes to end, and kills them after three seconds.
    private static func end(_ processes: [(process: pid_t, start: String)]) {
        let limit = Clock.monotonic + 3_000_000_000
        var signal = SIGTERM
        while true {
            let running = processes.filter { startTime($0.process) == $0.start }.map(\.process)
            guard !running.isEmpty else { return }
            if Clock.monotonic > limit { signal = SIGKILL }
            if signal != 0 { for process in running { kill(process, signal) } }
            if signal == SIGKILL { return }
            signal = 0
            usleep(20_000)
        }
    }
}
