import FoundationEssentials
import Glibc
import TestSupport

extension PostgresServer {
    /// The number of flushes of the log to the disk, and its bytes.
    struct Flushes {
        var count: Double
        var bytes: Double
    }

    /// The flushes so far (pg_stat_wal); processes report theirs with a delay of a second.
    func flushes(in database: String) throws -> Flushes {
        usleep(1_100_000)
        let words = try BenchDatabase.rows(
            "SELECT wal_sync || ' ' || wal_bytes FROM pg_stat_wal", in: database
        ).flatMap { $0.split(separator: " ") }
        return Flushes(
            count: words.first.flatMap { Double($0) } ?? 0,
            bytes: words.last.flatMap { Double($0) } ?? 0)
    }

    /// CPU time of the server's processes so far, including those that have ended, in nanoseconds (proc(5), stat).
    var cpu: Int64 {
        guard
            let file = FileManager.default.contents(atPath: "\(folder)/data/postmaster.pid"),
            let first = String(decoding: file, as: UTF8.self).split(separator: "\n").first,
            let main = Int(first)
        else { return 0 }
        var ticks: Int64 = 0
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let process = Int(name),
                let stat = FileManager.default.contents(atPath: "/proc/\(name)/stat")
            else { continue }
            // The fields after the name in parentheses are state, parent, ...; 11 and 12 are the process's own time, 13
            // and 14 that of the children it has waited for.
            let fields = (String(decoding: stat, as: UTF8.self).split(separator: ")").last ?? "")
                .split(separator: " ")
            guard fields.count > 14, process == main || Int(fields[1]) == main else { continue }
            for place in process == main ? 11...14 : 11...12 { ticks += Int64(fields[place]) ?? 0 }
        }
        return ticks * 1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK)))
    }
}
