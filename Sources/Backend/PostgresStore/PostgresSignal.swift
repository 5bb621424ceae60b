internal import CPostgres
internal import Glibc
public import ReservationStore
public import Reservations
internal import Synchronization

/// LISTEN and NOTIFY, on a connection and a thread of their own.
///
/// Sent after the commit and not in the transaction: there every NOTIFY would make the commits of all shops wait
/// for one another (async.c of PostgreSQL). Lost with the server that sent it, it is made up for by the next look;
/// so it is not worth a flush of the log either, which its own transaction would cost.
public final class PostgresSignal: ChangeSignal {
    private static let channel = "clup_change"
    /// Shops that wait to be told of at once; with more, everything may have changed.
    private static let mostWaiting = 4_096
    /// How long the thread waits before it connects again.
    private static let pause: Int32 = 500
    /// What changes within this time after a message is told with the next one: a busy server tells a
    /// hundred times a second, and a display sees a change no later for it than it can be drawn.
    private static let gathering = Duration.milliseconds(10)

    private struct Content {
        var waiting: [ShopID: Int64] = [:]
        /// Whether shops or keys have changed.
        var isWide = false
        var isStopped = false

        var isEmpty: Bool { waiting.isEmpty && !isWide }
    }

    private let address: PostgresAddress
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

    public func start(_ heard: @escaping @Sendable (ShopID?, Int64) -> Void) {
        let work = Unmanaged.passRetained(Work { [self] in run(heard) })
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, threadMain, work.toOpaque())
        if code == 0 { pthread_detach(thread) } else { work.release() }
    }

    public func tell(_ shop: ShopID?, _ sequence: Int64) {
        let isFirst = content.withLock { content in
            defer {
                if let shop, content.waiting.count < Self.mostWaiting {
                    content.waiting[shop] = max(sequence, content.waiting[shop] ?? 0)
                } else {
                    content.isWide = true
                }
            }
            return content.isEmpty
        }
        // Else the thread is awake, or about to be.
        if isFirst { ring() }
    }

    /// The thread comes to its end by itself.
    public func stop() {
        content.withLock { $0.isStopped = true }
        ring()
    }

    private func ring() { _ = write(wake.in, [1], 1) }

    private var isStopped: Bool { content.withLock { $0.isStopped } }

    private func run(_ heard: (ShopID?, Int64) -> Void) {
        while !isStopped {
            do throws(StoreError) {
                let connection = try PostgresConnection(address)
                try connection.script(
                    "SET synchronous_commit = off; LISTEN \(Self.channel)")
                // Whatever was told while nobody listened.
                heard(nil, 0)
                try listen(connection, heard)
            } catch {
                rest()
            }
        }
    }

    private func listen(
        _ connection: PostgresConnection, _ heard: (ShopID?, Int64) -> Void
    ) throws(StoreError) {
        var next = ContinuousClock.now
        while !isStopped {
            let present = ContinuousClock.now
            if next <= present, try send(connection) { next = present + Self.gathering }
            guard let messages = connection.messages() else {
                throw StoreError(.lost, operation: "listen", "the connection was lost")
            }
            for message in messages {
                let words = message.split(separator: " ")
                if words.count == 2, let sequence = Int64(words[1]) {
                    heard(ShopID(String(words[0])), sequence)
                } else {
                    heard(nil, 0)
                }
            }
            guard messages.isEmpty else { continue }
            let isHeldBack = content.withLock { !$0.isEmpty }
            wait(connection.descriptor, isHeldBack ? milliseconds(until: next) : -1)
        }
    }

    private static let notify = Query(
        "SELECT pg_notify($channel, $message)", "channel", "message")

    /// Tells what waits; false where nothing does.
    private func send(_ connection: PostgresConnection) throws(StoreError) -> Bool {
        let (waiting, isWide) = content.withLock { content in
            defer {
                content.waiting = [:]
                content.isWide = false
            }
            return (content.waiting, content.isWide)
        }
        guard isWide || !waiting.isEmpty else { return false }
        for (shop, sequence) in waiting {
            try connection.send(
                Self.notify, [.text(Self.channel), .text("\(shop) \(sequence)")])
        }
        if isWide { try connection.send(Self.notify, [.text(Self.channel), .text("all")]) }
        try connection.finish()
        return true
    }

    /// At least one, so that nobody waits in a circle.
    private func milliseconds(until moment: ContinuousClock.Instant) -> Int32 {
        max(1, Int32((moment - .now) / .milliseconds(1)) + 1)
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
    private func rest() { _ = poll(nil, 0, Self.pause) }
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
