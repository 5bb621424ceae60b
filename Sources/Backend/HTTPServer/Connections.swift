internal import BackendAPI
private import Glibc
private import Synchronization

/// The phase of each open connection and its deadline, which MHD does not have.
///
/// MHD only knows idle time, so that a client that sends a byte a second could keep a request open for ever.
final class Connections: Sendable {
    enum Phase {
        /// MHD has got the connection, and its thread has not yet taken it.
        case adopted
        /// The connection was made, or a head is being read.
        case reading
        case readingBody
        /// The request is complete; the phase ends with its answer.
        case handling
        /// Between two requests.
        case idle
    }

    private struct Table {
        /// The entries by socket.
        var entries: [Int32: (phase: Phase, since: ContinuousClock.Instant)] = [:]
        var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
    }

    private let table = Mutex(Table())
    private let limits: HTTPLimits

    init(limits: HTTPLimits) { self.limits = limits }

    func enter(_ phase: Phase, _ socket: Int32) {
        let now = ContinuousClock.now
        table.withLock { $0.entries[socket] = (phase, now) }
    }

    func closed(_ socket: Int32) { table.withLock { $0.entries[socket] = nil } }

    func began(_ exchange: HTTPExchange, _ socket: Int32) {
        let now = ContinuousClock.now
        table.withLock {
            $0.entries[socket] = (.reading, now)
            $0.exchanges[ObjectIdentifier(exchange)] = exchange
        }
    }

    /// The head is complete; the body has the rest of the time that both share.
    func readHead(_ socket: Int32) { table.withLock { $0.entries[socket]?.phase = .readingBody } }

    func ended(_ exchange: HTTPExchange, _ socket: Int32) {
        let now = ContinuousClock.now
        table.withLock {
            $0.entries[socket] = (.idle, now)
            $0.exchanges[ObjectIdentifier(exchange)] = nil
        }
    }

    /// The request became a WebSocket, whose end no deadline limits here.
    func upgraded(_ exchange: HTTPExchange) {
        table.withLock { $0.exchanges[ObjectIdentifier(exchange)] = nil }
    }

    /// Requests that have begun and whose answers are not sent yet.
    var exchanges: [HTTPExchange] { table.withLock { Array($0.exchanges.values) } }

    var count: Int { table.withLock { $0.entries.count } }

    /// Whether an answer is being sent, a byte came within `limits.quiet`, or MHD has not yet looked at a connection.
    var isBusy: Bool {
        let recently = ContinuousClock.now - limits.quiet
        return table.withLock { table in
            !table.exchanges.isEmpty
                || table.entries.values.contains {
                    $0.phase == .adopted || recently < $0.since
                }
        }
    }

    /// Cuts the connections that took too long; MHD sees their end and frees them.
    func sweep() {
        let now = ContinuousClock.now
        table.withLock { table in
            for (socket, entry) in table.entries {
                let timeout: Duration =
                    switch entry.phase {
                    case .adopted, .reading, .readingBody: limits.requestTime
                    case .idle: limits.keepAlive
                    case .handling: .seconds(Int64.max)
                    }
                // This happens under the lock: `closed` is called before the number can name another connection.
                if entry.phase != .handling, now - entry.since > timeout {
                    // MHD sends nothing while it reads, and takes no answer before the end of a body.
                    if entry.phase == .readingBody {
                        Self.tooLate.sendNow(to: socket)
                    }
                    shutdown(socket, Int32(SHUT_RDWR))
                }
            }
        }
    }

    /// The refusal of a request whose body takes too long.
    private static let tooLate = LastAnswer(.requestTimeout)
}
