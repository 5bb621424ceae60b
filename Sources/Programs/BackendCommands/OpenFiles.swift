import CommandSyntax
import Glibc
import HTTPServer

/// The descriptors this process may have, shared out before the first connection is taken.
///
/// A program without a descriptor left cannot go on: Dispatch reads its threads' state from /proc every second and
/// ends the process where that cannot be opened.
enum OpenFiles {
    /// For the database's connections and files, the log, timers and what is opened for a moment.
    private static let reservedDescriptors = 24
    /// Fewer connections than this are no server.
    private static let minConnections = 16

    /// The server's limits, so that its connections leave descriptors for everything else.
    ///
    /// - Parameter database: connections that the database may take.
    static func limits(database: Int) throws(CommandError) -> HTTPLimits {
        var limits = HTTPLimits()
        let allowed = raised()
        let left = allowed - reservedDescriptors - database
        guard left >= minConnections else {
            throw .failure(
                "this process may open \(allowed) files only; let it have "
                    + "\(reservedDescriptors + database + minConnections) at least (ulimit -n, or LimitNOFILE= of its unit)"
            )
        }
        limits.connections = min(limits.connections, UInt32(left))
        // Two of three, as where there is no such limit.
        limits.sockets = min(limits.sockets, Int(limits.connections) * 2 / 3)
        return limits
    }

    /// As many as the system lets it have (getrlimit(2)).
    private static func raised() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        if limit.rlim_cur < limit.rlim_max {
            var wanted = rlimit(rlim_cur: min(limit.rlim_max, 8_192), rlim_max: limit.rlim_max)
            wanted.rlim_cur = max(wanted.rlim_cur, limit.rlim_cur)
            if setrlimit(resource, &wanted) == 0 { limit = wanted }
        }
        return Int(min(limit.rlim_cur, 1 << 20))
    }
}
