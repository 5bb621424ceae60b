internal import Cryptography
internal import Glibc
internal import PostgresStore
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import RowColumns
internal import SQLite
internal import SQLiteStore
internal import Synchronization
internal import class TestSupport.PostgresServer
internal import class TestSupport.TemporaryFolder

/// The engines that must behave alike; each test of the suite runs on each.
enum StoreEngine: CaseIterable, Sendable {
    case sqlite, postgresql

    /// Opens a file or an address.
    func open(_ place: String, for purpose: SQLiteDatabase.Purpose) throws -> sending any Database {
        switch self {
        case .sqlite: try SQLiteDatabase.open(path: place, for: purpose)
        case .postgresql:
            try PostgresDatabase.open(try PostgresAddress(place, password: nil))
        }
    }
}

/// Both engines, on each of which a test runs.
let engines = StoreEngine.allCases

/// A clock that changes only when a test sets it.
final class StoreClock: Sendable {
    private let times: Mutex<(wall: Moment, uptime: ContinuousClock.Instant)>

    init(_ moment: Moment) { times = Mutex((moment, .now)) }

    var now: Moment { times.withLock { $0.wall } }

    /// The time since the start, which no one can set.
    var uptime: ContinuousClock.Instant { times.withLock { $0.uptime } }

    func pass(_ duration: Duration) {
        times.withLock { $0 = ($0.wall + duration, $0.uptime + duration) }
    }

    /// Sets the clock; no time passes.
    func set(_ moment: Moment) { times.withLock { $0.wall = moment } }
}

/// A database of one shop: a file in a folder of its own, removed with the value, or a database of the tests'
/// server.
final class Site: Sendable {
    static let shopID = ShopID("s1")
    /// The second shop, where there are several.
    static let other = ShopID("s2")
    static let day = CalendarDay(year: 2026, month: 11, day: 20)!
    static let tomorrow = day.advanced(by: 1)

    let engine: StoreEngine
    private let temporary: TemporaryFolder
    var folder: String { temporary.path }
    /// The file's path, or the server's address.
    let place: String
    let clock: StoreClock
    let shop: Shop

    /// - Parameter server: the PostgreSQL server for the database; the tests' shared one by default.
    init(
        _ engine: StoreEngine, capacity: Int = 1_000, server: PostgresServer? = nil,
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws {
        self.engine = engine
        temporary = try TemporaryFolder()
        place = try Self.place(engine, in: temporary, server)
        var policy = ShopPolicy(capacity: capacity, usualStayMinutes: 20)
        decide(&policy)
        shop = Shop(
            id: Self.shopID, tag: ShopTag(rawValue: "DEMO")!, name: "Market è",
            timeZone: "Europe/Rome", hours: try OpeningHours(week: "Mon-Sun 08:00-20:00"),
            policy: policy, languages: ["it", "en"])
        clock = StoreClock(Site.at("10:00"))
        try administration().addShop(shop)
    }

    /// A database with a running server.
    static func serving(
        _ engine: StoreEngine, capacity: Int = 1_000, isStepped: Bool = false
    ) throws -> (site: Site, store: QueueStore) {
        try Site(engine, capacity: capacity).serving(isStepped: isStepped)
    }

    func serving(isStepped: Bool = false) throws -> (site: Site, store: QueueStore) {
        (self, try store(isStepped: isStepped))
    }

    /// An empty database to which another one is to be moved; with its shop and its clock.
    init(movedTo engine: StoreEngine, of other: Site) throws {
        self.engine = engine
        temporary = try TemporaryFolder()
        place = try Self.place(engine, in: temporary, nil)
        (shop, clock) = (other.shop, other.clock)
    }

    private static func place(
        _ engine: StoreEngine, in folder: TemporaryFolder, _ server: PostgresServer?
    ) throws -> String {
        switch engine {
        case .sqlite: folder.file("clup.sqlite")
        case .postgresql: try (server ?? .shared()).database()
        }
    }

    /// The file; of SQLite only.
    var path: String { place }

    static func at(_ time: String, day: CalendarDay = day) -> Moment {
        LocalMoment("\(day)T\(time):00+01:00")!.moment
    }

    static func opening(
        _ opens: String, _ closes: String, day: CalendarDay, until last: CalendarDay? = nil
    ) -> OpenInterval {
        OpenInterval(
            opens: LocalMoment(at(opens, day: day), offsetMinutes: 60),
            closes: LocalMoment(at(closes, day: last ?? day), offsetMinutes: 60))
    }

    func open(for purpose: SQLiteDatabase.Purpose) throws -> sending any Database {
        try engine.open(place, for: purpose)
    }

    /// A store on the database, as `serve` makes it; `wrap` adds a fault to each of its connections.
    func store(
        isStepped: Bool = false, isAlwaysOpen: Bool = false,
        wrap: @escaping @Sendable (sending any Database) -> sending any Database = { $0 }
    ) throws -> QueueStore {
        try afterServers {
            try store(
                on: wrap(try open(for: .serve)), isStepped: isStepped, isAlwaysOpen: isAlwaysOpen,
                wrap: wrap)
        }
    }

    /// A store beside one that has just been stopped, whose lock it does not wait for.
    func restarted() throws -> QueueStore {
        try store(on: FaultyDatabase(try open(for: .administer), plan: FaultPlan()))
    }

    /// What a body does with a server that has ended when this returns: a file has one at a time.
    func serve<Value>(
        isStepped: Bool = false, isAlwaysOpen: Bool = false,
        _ body: (QueueStore) async throws -> Value
    ) async throws -> Value {
        let store = try store(isStepped: isStepped, isAlwaysOpen: isAlwaysOpen)
        defer { store.stop() }
        return try await body(store)
    }

    /// A store whose database fails as its plan says.
    func faulty(isStepped: Bool = false) throws -> (store: QueueStore, plan: FaultPlan) {
        let plan = FaultPlan()
        return (try store(isStepped: isStepped) { FaultyDatabase($0, plan: plan) }, plan)
    }

    /// Tries again while the lock of a stopped store is still there: it is released with its last user, on
    /// another thread.
    func afterServers<Result>(_ body: () throws -> sending Result) throws -> sending Result {
        let end = ContinuousClock.now + .seconds(50)
        while true {
            do {
                return try body()
            } catch let error as StoreError where error.code == .served {
                guard ContinuousClock.now < end else { throw error }
                usleep(1_000)
            }
        }
    }

    func store(
        on database: sending any Database, isStepped: Bool = false, isAlwaysOpen: Bool = false,
        sealer: AuditSealer? = nil,
        randomBytes: @escaping @Sendable (Int) -> [UInt8] = { RandomBytes.make($0) },
        wrap: @escaping @Sendable (sending any Database) -> sending any Database = { $0 }
    ) throws -> QueueStore {
        var more: [@Sendable () -> sending any Database] = []
        var signal: PostgresSignal?
        if engine == .postgresql {
            let address = try PostgresAddress(place, password: nil)
            more = Array(repeating: { wrap(PostgresDatabase(address)) }, count: 2)
            signal = PostgresSignal(address)
        }
        let store = try QueueStore(
            database: database, isStepped: isStepped, now: { [clock] in clock.now },
            uptime: { [clock] in clock.uptime },
            openings: { _, now in
                (-1...8).map { offset in
                    let day = LocalMoment(now, offsetMinutes: 60).day.advanced(by: offset)
                    return isAlwaysOpen
                        ? Site.opening("00:00", "00:00", day: day, until: day.advanced(by: 1))
                        : Site.opening("08:00", "20:00", day: day)
                }.joined.filter { now < $0.closes.moment }
            },
            local: { moment, _ in LocalMoment(moment, offsetMinutes: 60) },
            randomBytes: randomBytes, connections: more, signal: signal, sealer: sealer)
        StopsStores.note(store, signal)
        return store
    }

    /// Reads the database as it is on the disk, through a connection of its own.
    func count(_ sql: String) throws -> Int {
        Int(try rows(sql) { $0.integer(0) }.first ?? 0)
    }

    func texts(_ sql: String) throws -> [String] { try rows(sql) { $0.text(0) } }

    private func rows<Value>(_ sql: String, read: (any Columns) -> Value) throws -> [Value] {
        switch engine {
        case .sqlite:
            return try Connection(path: path, opening: .existing).rows(sql, read: read)
        case .postgresql:
            var values: [Value] = []
            try PostgresDatabase(PostgresAddress(place, password: nil)).query(Query(sql), []) {
                values.append(read($0))
            }
            return values
        }
    }
}

enum SiteError: Error { case unexpected(String) }

/// Numbers every nonce and key of the whole run, so that none repeats by accident.
private let drawn = Atomic<Int>(0)

func fresh(_ prefix: String) -> String {
    "\(prefix)-\(drawn.add(1, ordering: .relaxed).newValue)"
}

extension AuthenticatedRequest {
    /// A request whose answer gives the decision in one line of text.
    static func make(
        _ command: MachineRequest, machine: String = "door-1", key: String = fresh("key"),
        nonce: String = fresh("nonce"), fingerprint: [UInt8] = [1, 2, 3],
        at now: Moment = Site.at("10:00"), shop: ShopID = Site.shopID, holder: String? = nil
    ) -> AuthenticatedRequest {
        AuthenticatedRequest(
            shop: shop, sender: holder.map { .phone(HolderID($0)) } ?? .machine(MachineID(machine)),
            nonce: holder == nil
                ? SignatureNonce(keyID: machine, value: nonce, expires: now + .seconds(120)) : nil,
            idempotencyKey: key, fingerprint: fingerprint, command: command
        ) { result, _ in
            let text: String
            switch result {
            case .success(.held(let hold)), .success(.extended(let hold)):
                text = "held \(hold.id) \(hold.wait.expected)"
            case .success(.confirmed(let reservation, _)):
                text = """
                    confirmed \(reservation.number.rawValue) \(reservation.code.rawValue) \
                    \(reservation.typedCode.rawValue)
                    """
            case .success(.changed(let found)):
                text = "changed \(found.number.rawValue) \(found.status.rawValue)"
            case .success(.order(let order, let isNew)):
                text =
                    "\(isNew ? "came" : "known") \(order.state.rawValue) \(order.number?.text ?? "-")"
                    + " \(order.ticket?.code.rawValue ?? "-")"
            case .success(.deskOrder(let order, let isNew)):
                text =
                    "\(isNew ? "done" : "known") \(order.state.rawValue) \(order.desk.map(String.init) ?? "-")"
            case .success(let other): text = "\(other)"
            case .failure(let refused):
                let place = refused.place.map { " \($0.shop) \($0.number?.rawValue ?? 0)" } ?? ""
                text = "refused \(refused.refusal.rawValue)\(place)"
            }
            return StoredAnswer(status: 200, contentType: "text/plain", body: Array(text.utf8))
        }
    }
}

extension QueueStore {
    func ask(_ request: AuthenticatedRequest) async -> RequestResult {
        await answer { perform(request, completion: $0) }
    }

    /// The answer's words; throws if there is no answer.
    func words(_ request: AuthenticatedRequest) async throws -> [String] {
        try words(of: await ask(request))
    }

    func words(of result: RequestResult) throws -> [String] {
        switch result {
        case .answered(let answer, _):
            let text = String(decoding: answer.body, as: UTF8.self)
            return text.split(separator: " ").map(String.init)
        case .unavailable(let error): throw error
        default: throw SiteError.unexpected("\(result)")
        }
    }

    /// The stored reservation, as pages on phones find it.
    func record(_ id: ReservationID) async throws -> ReservationRecord? {
        try await done { record(of: .id(id), in: Site.shopID, completion: $0) }
    }
}
