import CommandSyntax
import Glibc
import HTTPServer

/// The descriptors that this process may have, divided before the first connection is accepted.
///
/// A program without a free descriptor cannot continue: Dispatch reads the state of its threads from /proc every
/// second and ends the process if that cannot be opened.
enum OpenFiles {
    /// Descriptors for the database's connections and files, the log, timers and files that are open for a moment.
    private static let reservedDescriptors = 24
    /// Descriptors of the server for phones itself.
    private static let reservedForPhones = 8
    /// A server with fewer connections than this is of no use.
    private static let minConnections = 16

    /// The limits of the server, so that its connections leave enough descriptors for all other files, and those of the
    /// server for phones, which gets what is left, and at most half if there is little.
    ///
    /// - Parameters:
    ///   - others: how many connections the database, the push services and the gateway of SMS may use.
    ///   - hasPhones: whether there is a server for phones.
    static func limits(
        others: Int, hasPhones: Bool
    ) throws -> (machines: HTTPLimits, phones: HTTPLimits) {
        var limits = HTTPLimits()
        let allowed = raised()
        let reserved = reservedDescriptors + others + (hasPhones ? reservedForPhones : 0)
        let left = allowed - reserved
        let fewest = minConnections * (hasPhones ? 2 : 1)
        guard left >= fewest else {
            throw CommandError.failure(
                "this process may open \(allowed) files only; let it have "
                    + "\(reserved + fewest) at least (ulimit -n, or LimitNOFILE= of its unit)"
            )
        }
        limits.connections = min(limits.connections, UInt32(hasPhones ? left / 2 : left))
        // Two of three connections, the same share as without such a limit.
        limits.sockets = min(limits.sockets, Int(limits.connections) * 2 / 3)
        return (limits, phones(left - Int(limits.connections)))
    }

    /// Five thousand pages may be open, and each needs little: a message of a few hundred bytes every ten seconds.
    private static func phones(_ connections: Int) -> HTTPLimits {
        var limits = HTTPLimits()
        limits.connections = UInt32(min(connections, 6_000))
        limits.sockets = Int(limits.connections) * 9 / 10
        limits.body = 4_096
        limits.head = 4_096
        limits.memory = 16_384
        limits.keepAlive = .seconds(20)
        limits.socketBacklog = 16_384
        limits.socketBuffer = 16_384
        limits.socketQueue = 64
        limits.socketMessage = 256
        return limits
    }

    /// Raises the limit as far as the system allows, and answers it (getrlimit(2)).
    private static func raised() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        if limit.rlim_cur < limit.rlim_max {
            var wanted = rlimit(rlim_cur: min(limit.rlim_max, 16_384), rlim_max: limit.rlim_max)
            wanted.rlim_cur = max(wanted.rlim_cur, limit.rlim_cur)
            if setrlimit(resource, &wanted) == 0 { limit = wanted }
        }
        return Int(min(limit.rlim_cur, 1 << 20))
    }
}
