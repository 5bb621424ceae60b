internal import CPostgres
internal import Glibc
public import ReservationStore
internal import Reservations
internal import Synchronization

/// LISTEN and NOTIFY, on a connection and a thread of their own.
///
/// Sent after the commit and not in the transaction: there every NOTIFY would make the commits of all shops wait
/// for one another (async.c of PostgreSQL). Lost with the server that sent it, it is made up for by the next look;
/// so it is not worth a flush of the log either, which its own transaction would cost.
public final class PostgresSignal: ChangeSignal {
    private static let channel = "clup_change"
    /// What this connection calls itself, so that servers are counted.
    private static let name = "clup-backend server"
    /// Shops that wait to be told of at once; with more, everything may have changed.
    private static let maxPendingNotices = 4_096
    /// Messages that wait to be sent, as when the database is away; further ones are lost.
    private static let maxMessagesPerRound = 1_024
    /// How often servers are counted.
    private static let countInterval = Duration.seconds(2)
    /// How long the thread waits before it connects again.
    private static let reconnectDelayMs: Int32 = 500
    /// What changes within this time after a message is told with the next one: a busy server tells a
    /// hundred times a second, and a display sees a change no later for it than it can be drawn.
    private static let batchDelay = Duration.milliseconds(10)

    private struct Content {
        var waiting: [ShopID: Int64] = [:]
        /// Whether shops or keys have changed.
        var isWide = false
        var messages: [(shop: ShopID, text: String)] = []
        var servers = 1
        var isStopped = false

        var isEmpty: Bool { waiting.isEmpty && !isWide && messages.isEmpty }
    }

    private let address: PostgresAddress
    /// Tells this server's messages from those of others.
    private let sender = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    private let content = Mutex(Content())
    /// Both ends of a pipe that wakes the thread; -1 where there is none.
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
        let work = Unmanaged.passRetained(Work { [self] in run(heard) })
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, threadMain, work.toOpaque())
        if code == 0 { pthread_detach(thread) } else { work.release() }
    }

    public func tell(_ notice: ChangeNotice) {
        let isFirst = content.withLock { content in
            let isFirst = content.isEmpty
            switch notice {
            case .queue(let shop, let sequence) where content.waiting.count < Self.maxPendingNotices:
                content.waiting[shop] = max(sequence, content.waiting[shop] ?? 0)
            case .message(let shop, let text):
                if content.messages.count < Self.maxMessagesPerRound {
                    content.messages.append((shop, text))
                }
            case .queue, .everything: content.isWide = true
            }
            return isFirst
        }
        // Else the thread is awake, or about to be.
        if isFirst { ring() }
    }

    public var servers: Int { content.withLock { $0.servers } }

    /// The thread comes to its end by itself.
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
                // Whatever was told while nobody listened.
                heard(.everything)
                try listen(connection, heard)
            } catch {
                rest()
            }
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

    /// What a message says; nil for one of this server's own to its sockets.
    private func notice(_ message: String) -> ChangeNotice? {
        let words = message.split(separator: " ", maxSplits: 3).map { String($0) }
        if words.count == 4, words[0] == Self.toSockets {
            return words[1] == sender ? nil : .message(ShopID(words[2]), words[3])
        }
        guard words.count == 2, let sequence = Int64(words[1]) else { return .everything }
        return .queue(ShopID(words[0]), sequence)
    }

    /// Begins a message to sockets: sender, shop and text follow.
    private static let toSockets = "sockets"
    private static let notify = Query(
        "SELECT pg_notify($channel, $message)", "channel", "message")
    private static let countServers = Query(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = $name
        """,
        "name")

    /// Tells what waits; false where nothing does.
    private func send(_ connection: PostgresConnection) throws(StoreError) -> Bool {
        let (waiting, isWide, messages) = content.withLock { content in
            defer {
                content.waiting = [:]
                content.isWide = false
                content.messages = []
            }
            return (content.waiting, content.isWide, content.messages)
        }
        var texts = waiting.map { "\($0) \($1)" }
        if isWide { texts.append("all") }
        texts += messages.map { "\(Self.toSockets) \(sender) \($0.shop) \($0.text)" }
        guard !texts.isEmpty else { return false }
        for text in texts {
            try connection.send(Self.notify, [.text(Self.channel), .text(text)])
        }
        try connection.finish()
        return true
    }

    /// At least one, so that nobody waits in a circle.
    private func milliseconds(until moment: ContinuousClock.Instant) -> Int32 {
        max(1, Int32((moment - .now) / .milliseconds(1)) + 1)
    }

    private func count(_ connection: PostgresConnection) throws(StoreError) {
        try connection.send(Self.countServers, [.text(Self.name)], isAnswered: true)
        let found = try connection.finish().first.map { Int($0.integer(0)) } ?? 1
        content.withLock { $0.servers = max(1, found) }
    }

    /// Waits until the connection has something, or somebody rings.
    private func wait(_ descriptor: Int32, _ milliseconds: Int32) {
        var polled = [wake.out, descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        _ = poll(&polled, nfds_t(polled.count), milliseconds)
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(wake.out, &bytes, bytes.count) > 0 {}
    }

    /// Before the next try; what rings meanwhile waits.
    private func rest() { _ = poll(nil, 0, Self.reconnectDelayMs) }
}

/// What a thread does, as an object that C can carry.
private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private let threadMain: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    work in
    if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
    return nil
}
