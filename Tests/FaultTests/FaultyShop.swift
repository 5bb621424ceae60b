import BackendClient
import Cryptography
import Glibc
import KioskFlow
import KioskRuntime
import MachineClock
import Reservations
import TestSupport
import Testing

/// The clients of some machines, the fault proxy, and a real backend behind it.
struct FaultyShop {
    let backend: ServingBackend
    let proxy: FaultProxy
    let keys: [SigningKey]

    /// The databases that the shop can use.
    enum Engine: String, CaseIterable, Sendable {
        case sqlite, postgresql
    }

    static func with<Value>(
        machines count: Int = 2, on engine: Engine = .sqlite,
        body: (FaultyShop) async throws -> Value
    ) async throws -> Value {
        try Cryptography.start()
        let keys = try (0..<count).map { _ in try SigningKey.generate() }
        let database = engine == .sqlite ? nil : try PostgresServer.shared().database()
        return try await ServingBackend.with(
            machines: keys.map(\.publicKey.text), database: database
        ) { backend in
            try await FaultProxy.with(to: backend.address) { proxy in
                try await body(FaultyShop(backend: backend, proxy: proxy, keys: keys))
            }
        }
    }

    /// A machine's client as the kiosk has it, on a connection of its own.
    func client(machine: Int = 0, time clock: MachineClock = .system) throws -> BackendClient {
        let signer = RequestSigner(key: keys[machine])
        return BackendClient(
            servers: try BackendServers(proxy.address), time: clock
        ) { request in
            signer.sign(request, created: Int64(time(nil)), nonce: RequestSigner.makeNonce())
        }
    }

    /// Like `client`, for a machine that knows the backend by its key and whose clock may be wrong.
    func pinned(ahead seconds: Int64 = 0) async throws -> BackendClient {
        let signer = RequestSigner(key: keys[0])
        let key = try #require(PublicKey(text: try await backend.publicKey()))
        let verifier = AnswerVerifier(key: key)
        let clock = BackendClock(time: { Int64(time(nil)) + seconds })
        return BackendClient(
            servers: try BackendServers(proxy.address), clock: clock,
            verify: { verifier.verified($0, to: $1) }
        ) { request in
            signer.sign(request, created: clock.now, nonce: RequestSigner.makeNonce())
        }
    }

    /// A machine that talks to the backend through a proxy with TLS, and knows it by its key.
    ///
    /// - Parameter authorities: the certificates that it trusts; the system's if nil.
    func client(
        through proxy: ReverseProxy, trusting authorities: String?, at host: String = "localhost",
        observe: @escaping @Sendable (CallReport) -> Void = { _ in }
    ) async throws -> BackendClient {
        let signer = RequestSigner(key: keys[0])
        let key = try #require(PublicKey(text: try await backend.publicKey()))
        let verifier = AnswerVerifier(key: key)
        return BackendClient(
            servers: try BackendServers("https://\(host):\(proxy.port)"), authorities: authorities,
            verify: { verifier.verified($0, to: $1) }, observe: observe
        ) { request in
            signer.sign(request, created: Int64(time(nil)), nonce: RequestSigner.makeNonce())
        }
    }

    /// Holds a place; the network must be without faults meanwhile.
    func hold() async throws -> ReservationID {
        try await client().takePlace(.ticket, .fresh()).get().id
    }

    /// Confirms a place.
    func reservation() async throws -> Reservation {
        try await client().confirm(hold(), .fresh()).get()
    }

    /// Reservations with a number, by state.
    func numbered() async throws -> [Checker.Row] {
        try await backend.rows().filter { $0.number != nil }
    }

    /// Checks everything that went through the proxy.
    func judge(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let violations = Checker(proxy.log, rows: try await backend.rows()).violations()
        #expect(violations.isEmpty, "\(violations)", sourceLocation: sourceLocation)
    }
}

extension AttemptKey {
    static func fresh() -> AttemptKey {
        AttemptKey("t-" + String(UInt64.random(in: .min ... .max), radix: 36))
    }
}

extension Result {
    var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

/// The result of a body, and the time that passed meanwhile by a machine's clock that does not run by itself. It is moved
/// from one end of a wait to the next one.
///
/// - Parameter move: moves it, while nothing but the body's waits happens.
func timed<Value: Sendable>(
    by time: MachineClock,
    move: (MachineClock) -> Void = { $0.moveToNextEnd(evenAwaiting: false) },
    _ body: @escaping @Sendable () async -> Value
) async -> (value: Value, time: Duration) {
    let begin = time.now
    let isOver = Flag()
    async let value = {
        defer { isOver.set() }
        return await body()
    }()
    _ = await eventually(within: .seconds(120)) {
        move(time)
        return isOver.isSet
    }
    return (await value, begin.duration(to: time.now))
}

/// As `timed(by:)`, while a backend that receives its requests gives no answers; and how long the longest try was.
///
/// - Parameter tries: how many requests the backend has received; each is given up at the end of its time.
func timed<Value: Sendable>(
    by time: MachineClock, tries: () -> Int, _ body: @escaping @Sendable () async -> Value
) async -> (value: Value, time: Duration, longestTry: Duration) {
    var givenUp = 0
    var longest: Duration = .zero
    let (value, passed) = await timed(
        by: time,
        move: { time in
            guard tries() > givenUp else { return time.moveToNextEnd(evenAwaiting: false) }
            // The clock has stood still since the try began.
            let begin = time.now
            time.moveToNextEnd()
            longest = max(longest, begin.duration(to: time.now))
            givenUp += 1
        }, body)
    return (value, passed, longest)
}

/// The result of a body, and its duration.
func timed<Value>(
    _ body: () async throws -> Value
) async rethrows -> (value: Value, time: Duration) {
    let begin = ContinuousClock.now
    let value = try await body()
    return (value, ContinuousClock.now - begin)
}
