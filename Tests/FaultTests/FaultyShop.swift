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

        /// The address of an empty database; nil for a file.
        func database() throws -> String? {
            self == .sqlite ? nil : try PostgresServer.shared().database()
        }
    }

    static func with<Value>(
        on engine: Engine = .sqlite, body: (FaultyShop) async throws -> Value
    ) async throws -> Value {
        try await ServingBackend.withMachines(2, database: try engine.database()) {
            backend, keys in
            try await FaultProxy.with(to: backend.address) { proxy in
                try await body(FaultyShop(backend: backend, proxy: proxy, keys: keys))
            }
        }
    }

    /// A shop whose machines may also come through a proxy with TLS.
    static func behindProxy(
        body: (FaultyShop, ReverseProxy) async throws -> Void
    ) async throws {
        try await with { shop in
            try await ReverseProxy.with(to: shop.backend.address) { try await body(shop, $0) }
        }
    }

    /// A machine's client as the kiosk has it, on a connection of its own.
    func client(
        machine: Int = 0, time clock: MachineClock = .unhurried(),
        observe: @escaping @Sendable (CallReport) -> Void = { _ in }
    ) throws -> BackendClient {
        try .of(keys[machine], at: [proxy.address], time: clock, observe: observe)
    }

    /// Like `client`, for a machine that knows the backend by its key and whose clock may be wrong.
    func pinned(ahead seconds: Int64 = 0) async throws -> BackendClient {
        let clock = BackendClock(time: { Int64(time(nil)) + seconds })
        return try .of(
            keys[0], at: [proxy.address], knowing: try await backend.publicKey(), clock: clock)
    }

    /// A machine that talks to the backend through a proxy with TLS, and knows it by its key.
    ///
    /// - Parameter authorities: the certificates that it trusts; the system's if nil.
    func client(
        through proxy: ReverseProxy, trusting authorities: String?,
        at hosts: [String] = ["localhost"],
        observe: @escaping @Sendable (CallReport) -> Void = { _ in }
    ) async throws -> BackendClient {
        try .of(
            keys[0], at: hosts.map { "https://\($0):\(proxy.port)" },
            knowing: try await backend.publicKey(), trusting: authorities, observe: observe)
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

extension ServingBackend {
    /// Starts a backend that knows machines by new keys, and ends it after the body.
    static func withMachines<Value>(
        _ count: Int, database: String? = nil, capacity: Int = 5_000, shop: [String] = [],
        options: [String] = [], body: (ServingBackend, [SigningKey]) async throws -> Value
    ) async throws -> Value {
        try Cryptography.start()
        let keys = try (0..<count).map { _ in try SigningKey.generate() }
        return try await with(
            machines: keys.map(\.publicKey.text), database: database, capacity: capacity,
            shop: shop, options: options
        ) { try await body($0, keys) }
    }

    /// As `withMachines`, with one machine and the options by which phones are answered.
    static func withPhones<Value>(
        at address: String = "127.0.0.1:0", database: String? = nil, capacity: Int = 5_000,
        shop: [String] = [], options: [String] = [],
        body: (ServingBackend, ServedMachine) async throws -> Value
    ) async throws -> Value {
        let assets = Tool.repository.appending(path: "Assets").path
        return try await withMachines(
            1, database: database, capacity: capacity, shop: shop,
            options: ["--assets", assets, "--phones", address] + options
        ) { try await body($0, ServedMachine($1[0])) }
    }

    /// The calls that reach the disk, a client or PostgreSQL.
    static let lastingCalls = SteppedProcess.disk + ["sendto", "sendmsg"]
    /// No request makes more of them than this.
    static let maxLastingCalls = 150

    /// Makes a request, and kills the server once it has made this many lasting calls, unless the request was served before.
    /// Then it is started again.
    ///
    /// - Parameter check: looks at what the killed server has left; its argument says where it was killed.
    func killed<Value: Sendable>(
        afterCall call: Int, during request: @escaping @Sendable () async throws -> Value,
        check: (String) async throws -> Void
    ) async throws -> (Value, isKilled: Bool) {
        let isServed = Flag()
        let pid = pid
        let (isKilled, caller) = try await SteppedProcess.with(pid, calls: Self.lastingCalls) {
            process in
            let caller = Task {
                defer { isServed.set() }
                return try await request()
            }
            let stands = try await process.stands(afterCall: call) { isServed.isSet }
            if stands {
                kill(pid, SIGKILL)
                try await check("killed after call \(call): \(process.trace.last ?? "")")
            }
            return (stands, caller)
        }
        if isKilled { try await killAndRestart() }
        return (try await caller.value, isKilled)
    }

    /// Makes requests, and kills the server a little later in each, until one is served before.
    ///
    /// - Parameters:
    ///   - least: a request makes more calls than this.
    ///   - isKilled: makes the request of a number, from 1 on, killed after so many calls.
    static func killedEverLater(
        in engine: FaultyShop.Engine, least: (sqlite: Int, postgresql: Int),
        _ isKilled: (_ number: Int, _ call: Int) async throws -> Bool
    ) async throws {
        var (number, call) = (1, 1)
        while try await isKilled(number, call) {
            number += 1
            call += TestLength.choose(5, long: 1)
            try #require(call < maxLastingCalls)
        }
        #expect(call > (engine == .sqlite ? least.sqlite : least.postgresql))
    }
}

extension BackendClient {
    /// The client of a machine with this key, of servers at these addresses in this order.
    ///
    /// - Parameters:
    ///   - backend: the key by which it knows the backend; nil if it knows none.
    ///   - authorities: the certificates that it trusts; the system's if nil.
    ///   - backendClock: the clock for its signatures; the computer's if nil.
    static func of(
        _ key: SigningKey, at addresses: [String], knowing backend: String? = nil,
        trusting authorities: String? = nil, clock backendClock: BackendClock? = nil,
        time clock: MachineClock = .unhurried(),
        observe: @escaping @Sendable (CallReport) -> Void = { _ in }
    ) throws -> BackendClient {
        let signer = RequestSigner(key: key)
        var verify: Verifier?
        if let backend {
            let verifier = AnswerVerifier(key: try #require(PublicKey(text: backend)))
            verify = { verifier.verified($0, to: $1) }
        }
        return BackendClient(
            servers: try BackendServers(addresses.joined(separator: ", ")),
            authorities: authorities, clock: backendClock ?? BackendClock(), time: clock,
            verify: verify, observe: observe
        ) {
            signer.sign(
                $0, created: backendClock?.now ?? Int64(time(nil)),
                nonce: RequestSigner.makeNonce())
        }
    }
}

extension AttemptKey {
    static func fresh() -> AttemptKey {
        AttemptKey("t-" + String(UInt64.random(in: .min ... .max), radix: 36))
    }
}

/// A reservation that a machine was given, and the key of its confirmation.
struct GivenTicket: Sendable {
    let machine: BackendClient
    let key: AttemptKey
    let reservation: Reservation
}

/// Takes tickets with machines at once until a fault is over.
///
/// - Parameters:
///   - mayFail: whether a call that fails is made again with its key.
///   - pause: of each machine after a ticket.
func takeTickets(
    with machines: [BackendClient], mayFail: Bool = true, pause: Duration = .milliseconds(20),
    during fault: () async throws -> Void
) async throws -> [GivenTicket] {
    let isOver = Flag()
    return try await withThrowingTaskGroup(of: [GivenTicket].self) { group in
        for machine in machines {
            group.addTask {
                var given: [GivenTicket] = []
                while !isOver.isSet {
                    let (take, key) = (AttemptKey.fresh(), AttemptKey.fresh())
                    let tries = mayFail ? Int.max : 1
                    let place = try await insist(atMost: tries) {
                        await machine.takePlace(.ticket, take)
                    }
                    let ticket = try await insist(atMost: tries) {
                        await machine.confirm(place.id, key)
                    }
                    given.append(GivenTicket(machine: machine, key: key, reservation: ticket))
                    try await ContinuousClock().sleep(for: pause)
                }
                return given
            }
        }
        try await fault()
        isOver.set()
        return try await group.reduce(into: []) { $0 += $1 }
    }
}

/// Repeats a call with its key until it is answered; a key without a final answer within a minute fails.
func insist<Value>(
    atMost tries: Int = .max, _ call: () async -> Result<Value, BackendFailure>
) async throws -> Value {
    var answer = await call()
    var made = 1
    _ = await eventually(within: .seconds(60)) {
        if answer.failure != nil, made < tries {
            made += 1
            answer = await call()
        }
        return answer.failure == nil || made == tries
    }
    return try answer.get()
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
    move: (MachineClock) -> Void = { _ = $0.moveToNextEnd(evenAwaiting: false) },
    _ body: @escaping @Sendable () async -> Value
) async -> (value: Value, time: Duration) {
    let begin = time.now
    let isOver = Flag()
    async let ended = {
        defer { isOver.set() }
        return (await body(), time.now)
    }()
    _ = await eventually(within: .seconds(120)) {
        move(time)
        return isOver.isSet
    }
    // A body that was expected to end long before is ended, so that the test can say what is wrong.
    _ = await eventually {
        if !isOver.isSet { time.moveToNextEnd() }
        return isOver.isSet
    }
    let (value, end) = await ended
    return (value, begin.duration(to: end))
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
            guard tries() > givenUp else {
                time.moveToNextEnd(evenAwaiting: false)
                return
            }
            // The clock has stood still since the try began.
            let begin = time.now
            time.moveToNextEnd()
            longest = max(longest, begin.duration(to: time.now))
            givenUp += 1
        }, body)
    return (value, passed, longest)
}

/// As `timed(by:)`, while no server is reached.
///
/// - Parameters:
///   - tries: how many tries have ended.
///   - limit: the longest time that a try may take to connect, and a pause.
func timed<Value: Sendable>(
    by time: MachineClock, unreached tries: Locked<Int>, atMost limit: Duration,
    _ body: @escaping @Sendable () async -> Value
) async -> (value: Value, time: Duration) {
    var ended = 0
    return await timed(
        by: time,
        move: { time in
            // Until it is noticed that the last try has ended, nothing else may end.
            let before = tries.value
            guard before >= ended else { return }
            // A pause, unless a try has begun.
            if time.moveToNextEnd(evenAwaiting: false, atMost: limit) { return }
            let isTrying = !time.move(by: .zero, evenAwaiting: false)
            if isTrying, time.moveToNextEnd(atMost: limit) { ended = before + 1 }
        }, body)
}

/// The result of a body, and its duration.
func timed<Value>(
    _ body: () async throws -> Value
) async rethrows -> (value: Value, time: Duration) {
    let begin = ContinuousClock.now
    let value = try await body()
    return (value, ContinuousClock.now - begin)
}
