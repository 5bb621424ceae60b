internal import CPostgres
internal import Dispatch
internal import Glibc
public import ReservationStore
internal import RowColumns
internal import Reservations
internal import Synchronization

/// LISTEN and NOTIFY, on a connection and a thread of their own.
///
/// A notice is sent after the commit and not in the transaction: there every NOTIFY would make the commits of all shops
/// wait for one another (async.c of PostgreSQL). If it is lost with the server that sent it, the next look at the
/// database makes up for it; so it is not worth a flush of the log either, which its own transaction would cost.
public final class PostgresSignal: ChangeSignal {
    private static let channel = "clup_change"
    /// The application name of this connection, by which servers are counted.
    private static let name = "clup-backend server"
    /// The highest number of shops with a pending notice; with more, a notice says that everything may have changed.
    private static let maxPendingNotices = 4_096
    /// The highest number of messages that wait to be sent, as during an outage of the database; further ones are lost.
    private static let maxMessagesPerRound = 1_024
    private static let countInterval = Duration.seconds(2)
    private static let reconnectDelayMs: Int32 = 500
    /// Changes within this time after a message are sent with the next one: a busy server sends a hundred messages a
    /// second, and a display shows a change no later for it than it can be drawn.
    private static let batchDelay = Duration.milliseconds(10)

    private struct Content {
        var waiting: [ShopID: Int64] = [:]
        /// Whether shops or keys have changed.
        var isWide = false
        /// Shops whose calls for help, or whose orders of customers who are here, have changed.
        var desks: Set<ShopID> = []
        var messages: [(shop: ShopID, text: String)] = []
        var servers = 1
        var isStopped = false

        var isEmpty: Bool { waiting.isEmpty && !isWide && desks.isEmpty && messages.isEmpty }
    }

    private let address: PostgresAddress
    /// Distinguishes this server's messages from those of others.
    private let sender = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    private let content = Mutex(Content())
    /// Both ends of a pipe that wakes the thread; -1 if there is none.
    private let wake: (out: Int32, in: Int32)

    public init(_ address: PostgresAddress) {
        self.address = address
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wake = (ends[0], ends[1])
    }

    deinit {
        close(wake.out)
        close(wake.in)
    }

    public func start(_ heard: @escaping @Sendable (ChangeNotice) -> Void) {
        // A queue without a target has a thread of its own as long as its task runs.
        DispatchQueue(label: "clup.store.signal").async { [self] in run(heard) }
    }

    public func notify(_ notice: ChangeNotice) {
        let isFirst = content.withLock { content in
            let isFirst = content.isEmpty
            switch notice {
            case .queue(let shop, let sequence) where content.waiting.count < Self.maxPendingNotices:
                content.waiting[shop] = max(sequence, content.waiting[shop] ?? 0)
            case .message(let shop, let text):
                if content.messages.count < Self.maxMessagesPerRound {
                    content.messages.append((shop, text))
                }
            case .desks(let shop) where content.desks.count < Self.maxPendingNotices:
                content.desks.insert(shop)
            case .queue, .desks, .everything: content.isWide = true
            }
            return isFirst
        }
        // Otherwise the thread is awake, or about to be.
        if isFirst { ring() }
    }

    public var servers: Int { content.withLock { $0.servers } }

    /// Asks the thread to stop; it ends by itself.
    public func stop() {
        content.withLock { $0.isStopped = true }
        ring()
    }

    private func ring() { _ = write(wake.in, [1], 1) }

    private var isStopped: Bool { content.withLock { $0.isStopped } }

    private func run(_ heard: (ChangeNotice) -> Void) {
        while !isStopped {
            do throws(StoreError) {
                let connection = try PostgresConnection(address)
                try connection.script(
                    """
                    SET application_name = '\(Self.name)'; SET synchronous_commit = off;
                    LISTEN \(Self.channel)
                    """)
                // Notices that were sent while this server did not listen are lost, so everything may have changed.
                heard(.everything)
                try listen(connection, heard)
            } catch { rest() }
        }
    }

    private func listen(
        _ connection: PostgresConnection, _ heard: (ChangeNotice) -> Void
    ) throws(StoreError) {
        var next = ContinuousClock.now
        var counted: ContinuousClock.Instant?
        while !isStopped {
            let present = ContinuousClock.now
            if next <= present, try send(connection) { next = present + Self.batchDelay }
            if counted.map({ $0 + Self.countInterval <= present }) ?? true {
                try count(connection)
                counted = present
            }
            guard let messages = connection.messages() else {
                throw StoreError(.lost, operation: "listen", "the connection was lost")
            }
            for message in messages { if let notice = notice(message) { heard(notice) } }
            guard messages.isEmpty else { continue }
            let isHeldBack = content.withLock { !$0.isEmpty }
            wait(
                connection.descriptor,
                isHeldBack
                    ? milliseconds(until: next) : Int32(Self.countInterval.wholeMilliseconds))
        }
    }

    /// The content of a message; nil for one that this server itself sent to its sockets.
    private func notice(_ message: String) -> ChangeNotice? {
        let words = message.split(separator: " ", maxSplits: 3).map { String($0) }
        if words.count == 4, words[0] == Self.toSockets {
            return words[1] == sender ? nil : .message(ShopID(words[2]), words[3])
        }
        if words.count == 2, words[0] == Self.ofDesks { return .desks(ShopID(words[1])) }
        guard words.count == 2, let sequence = Int64(words[1]) else { return .everything }
        return .queue(ShopID(words[0]), sequence)
    }

    /// The word that begins a message to sockets: sender, shop and text follow.
    private static let toSockets = "sockets"
    /// The word that begins a notice of changed calls for help or orders; an older server takes it for a change of everything.
    private static let ofDesks = "desks"
    private static let notify = Query(
        "SELECT pg_notify($channel, $message)", isCombinable: true)
    private static let countServers = Query(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = $name
        """)

    /// Sends what waits; returns false if nothing does.
    private func send(_ connection: PostgresConnection) throws(StoreError) -> Bool {
        let sent = content.withLock { content in
            let sent = content
            content.waiting = [:]
            content.isWide = false
            content.desks = []
            content.messages = []
            return sent
        }
        var texts = sent.desks.map { "\(Self.ofDesks) \($0)" }
        texts += sent.waiting.map { "\($0) \($1)" }
        if sent.isWide { texts.append("all") }
        texts += sent.messages.map { "\(Self.toSockets) \(sender) \($0.shop) \($0.text)" }
        guard !texts.isEmpty else { return false }
        let uses = texts.map { [DatabaseValue.text(Self.channel), .text($0)] }
        try connection.send(Self.notify, uses: uses, isChange: false)
        try connection.finish()
        return true
    }

    /// The result is at least one, so that the thread does not poll in a busy loop.
    private func milliseconds(until moment: ContinuousClock.Instant) -> Int32 {
        max(1, Int32((moment - .now) / .milliseconds(1)) + 1)
    }

    private func count(_ connection: PostgresConnection) throws(StoreError) {
        try connection.send(Self.countServers, [.text(Self.name)], isAnswered: true)
        let found = try connection.finish().first.map { Int($0.integer(0)) } ?? 1
        content.withLock { $0.servers = max(1, found) }
    }

    /// Waits until the connection has data, or another thread rings.
    private func wait(_ descriptor: Int32, _ milliseconds: Int32) {
        var polled = [wake.out, descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        _ = poll(&polled, nfds_t(polled.count), milliseconds)
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(wake.out, &bytes, bytes.count) > 0 {}
    }

    /// Waits before the next attempt; calls of `ring` during this time take effect afterwards.
    private func rest() { _ = poll(nil, 0, Self.reconnectDelayMs) }
}
