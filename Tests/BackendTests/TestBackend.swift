import BackendAPI
import BackendService
import Cryptography
import HTTPServer
import Metrics
import ReservationStore
import Reservations
import SQLite
import SQLiteStore
import Synchronization
import TestSupport

/// A server that the tests' machines call.
protocol TestServer: Sendable {
    var address: ListenAddress { get }
    var time: TestBackend.Clock { get }
    var store: QueueStore { get }
}

/// A whole backend on a free port with a database file of its own, and a clock that the test moves.
final class TestBackend: TestServer {
    static let shop = ShopID("shop-1")
    /// 2026-11-20, a Friday, at 10:00 in Rome.
    static let morning = Moment(milliseconds: 1_795_165_200_000)

    let directory: TemporaryFolder
    let time: Clock
    /// What the service has logged, and the doors that it has opened.
    let lines = Locked<[String]>([])
    let doors = Locked<[DoorEvent]>([])
    /// The key of the backend's answers that machines pin.
    let answers: AnswerVerifier
    private let parts: Mutex<Parts?>
    private let options: BackendService.Options

    private struct Parts {
        let store: QueueStore
        let service: BackendService
        let server: HTTPServer
        let phones: HTTPServer?
    }

    final class Clock: Sendable {
        private let times: Mutex<(wall: Moment, uptime: ContinuousClock.Instant)>
        init(_ start: Moment) { times = Mutex((start, .now)) }
        var now: Moment { times.withLock { $0.wall } }
        /// The monotonic clock, which cannot be set.
        var uptime: ContinuousClock.Instant { times.withLock { $0.uptime } }
        /// Lets time pass.
        func advance(by duration: Duration) {
            times.withLock { $0 = ($0.wall + duration, $0.uptime + duration) }
        }
        /// Sets the wall clock, while no time passes.
        func jump(by duration: Duration) { times.withLock { $0.wall = $0.wall + duration } }

        /// Starts a service in the second before the present one: `serve` refuses requests until that second is over.
        func aSecondAgo<Value>(_ begin: () -> Value) -> Value {
            jump(by: .seconds(-1))
            defer { jump(by: .seconds(1)) }
            return begin()
        }
    }

    /// The limits of the server, but connections without a request and sockets that answer no ping stay open: those of
    /// most tests read only when they want to know something.
    static let unhurried: HTTPLimits = {
        var limits = HTTPLimits()
        limits.ping = .seconds(600)
        limits.keepAlive = .seconds(600)
        return limits
    }()

    private let limits: HTTPLimits
    private let isStepped: Bool

    /// - Parameters:
    ///   - rates: The limits of the service, which has no others.
    ///   - isStepped: Whether the store's time passes only with its `tick()`: no forecast is made beside calls.
    init(
        _ rates: [LimitedAction: RateLimit] = [:], hours: String = "Mon-Sun 08:00-20:00",
        names: Set<String>? = nil, maxSocketsPerShop: Int = 200,
        limits: HTTPLimits = TestBackend.unhurried, phones: PhonePages? = nil,
        pushes: NoticePushes? = nil, sms: SMSSending? = nil, isStepped: Bool = false,
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws {
        try Cryptography.start()
        directory = try TemporaryFolder()
        time = Clock(Self.morning)
        var options = BackendService.Options()
        options.limits = rates
        options.phones = phones
        options.pushes = pushes
        options.sms = sms
        options.names = names
        options.maxSocketsPerShop = maxSocketsPerShop
        let key = try SigningKey.generate()
        answers = AnswerVerifier(key: key.publicKey)
        options.answerSigner = AnswerSigner(key: key)
        options.openDoor = { [doors] door in doors.change { $0.append(door) } }
        self.options = options
        self.limits = limits
        self.isStepped = isStepped
        let path = directory.path + "/database"
        let administration = Administration(
            database: try SQLiteDatabase.open(path: path, for: .administer), now: { Self.morning })
        try administration.addShop(try Self.shop(Self.shop, "ROM1", "Città", hours, decide))
        parts = Mutex(try Self.start(path, time, lines, options, limits, isStepped))
    }

    /// A shop in Rome for four people.
    static func shop(
        _ id: ShopID, _ tag: String, _ name: String, _ hours: String = "Mon-Sun 08:00-20:00",
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws -> Shop {
        var policy = ShopPolicy(capacity: 4, usualStayMinutes: 30)
        decide(&policy)
        return Shop(
            id: id, tag: ShopTag(rawValue: tag)!, name: name, timeZone: "Europe/Rome",
            hours: try OpeningHours(week: hours), policy: policy, languages: ["it", "en"])
    }

    deinit { stop() }

    var address: ListenAddress { running.server.address }
    var store: QueueStore { running.store }
    /// Where phones are answered, if they are.
    var phones: ListenAddress? { running.phones?.address }

    var service: BackendService { running.service }

    /// The metrics of the service, as a collector reads them.
    var metrics: String {
        var text = MetricText()
        running.service.write(to: &text)
        return text.text
    }

    private var running: Parts {
        guard let parts = parts.withLock({ $0 }) else { fatalError("the backend is stopped") }
        return parts
    }

    func stop() {
        let parts = parts.withLock { parts in
            defer { parts = nil }
            return parts
        }
        parts?.phones?.stop()
        parts?.server.stop()
        parts?.service.stopNotices()
        parts?.store.stop()
    }

    /// Starts another process on the same file, as after a crash or an update.
    func restart() throws {
        stop()
        let isStarted = try blocks {
            do {
                let parts = try Self.start(
                    directory.path + "/database", time, lines, options, limits, isStepped)
                self.parts.withLock { $0 = parts }
                return true
            } catch let error as StoreError where error.code == .served {
                // Another thread may be the last one to release the old store, and with it the lock.
                return false
            }
        }
        guard isStarted else { throw RawClient.Failure(operation: "the file is still served") }
    }

    private static func start(
        _ path: String, _ time: Clock, _ lines: Locked<[String]>, _ options: BackendService.Options,
        _ limits: HTTPLimits, _ isStepped: Bool
    ) throws -> Parts {
        let calendar = ShopCalendar()
        let store = try QueueStore(
            database: try SQLiteDatabase.open(path: path, for: .serve), isStepped: isStepped,
            now: { time.now },
            uptime: { time.uptime },
            openings: { calendar.openings(of: $0, from: $1) },
            local: { calendar.local($0, in: $1) }, randomBytes: RandomBytes.make)
        let service = time.aSecondAgo {
            BackendService(
                store: store, calendar: calendar,
                log: ServiceLog { line in lines.change { $0.append(line) } },
                options: options, clock: { time.now }, uptime: { time.uptime })
        }
        let server = try HTTPServer(
            listen: .tcp(address: "127.0.0.1", port: 0), limits: limits,
            sockets: { service.admitSocket($0, decide: $1) },
            handler: { service.handle($0, respond: $1) })
        let phones = try options.phones.map { _ in
            try HTTPServer(
                listen: .tcp(address: "127.0.0.1", port: 0),
                sockets: { service.admitPhone($0, decide: $1) },
                handler: { service.handlePhone($0, respond: $1) })
        }
        return Parts(store: store, service: service, server: server, phones: phones)
    }

    /// Lets time pass, and the store look at what has become due.
    func pass(_ duration: Duration) {
        time.advance(by: duration)
        store.tick()
    }

    func addShop(_ id: ShopID, _ tag: String, _ name: String) throws {
        try administration.addShop(Self.shop(id, tag, name))
    }

    /// Puts the shop into Milan, and others on its meridian, so many thousandths of a degree north of it: 111 m each.
    ///
    /// - Parameter change: What is different in one of them, by its index in `places`, or in the first shop (nil).
    func surround(
        by places: [Int], _ change: (Int?, inout Shop) throws -> Void = { _, _ in }
    ) throws {
        func position(_ thousandths: Int) -> ShopAddress.Position? {
            ShopAddress.Position(latitude: 45_470_000 + thousandths * 1_000, longitude: 9_200_000)
        }
        var policy = ShopPolicy(capacity: 4, usualStayMinutes: 30)
        try changeShop {
            policy = $0.policy
            $0.address.position = position(0)
            try change(nil, &$0)
        }
        for (number, thousandths) in places.enumerated() {
            var shop = try Self.shop(ShopID("near-\(number)"), "MIL\(number)", "Milano \(number)")
            shop.policy = policy
            shop.address.position = position(thousandths)
            try change(number, &shop)
            try administration.addShop(shop)
        }
        try restart()
    }

    /// Changes the settings of the shop, as an administrator does.
    func changeShop(_ change: (inout Shop) throws -> Void) throws {
        let administration = try administration
        guard var shop = try administration.shops().first(where: { $0.id == Self.shop }) else {
            throw RawClient.Failure(operation: "no shop")
        }
        try change(&shop)
        try administration.updateShop(shop)
    }

    /// The rows of the audit whose action begins so.
    func audit(_ action: String = "") throws -> [String] {
        var rows: [String] = []
        try administration.audit(of: Self.shop) {
            if $0.action.hasPrefix(action) {
                rows.append("\($0.actor): \($0.action) \($0.detail)")
            }
        }
        return rows
    }

    /// Takes a machine off the allow list.
    func revoke(_ machine: TestMachine) throws {
        try administration.revokeMachineKeys(of: Self.shop) {
            $0.keyID == machine.key.publicKey.keyID
        }
    }

    /// A call of a phone's page.
    func post(
        _ call: PublicCall, _ body: String, key: String? = nil, from address: String? = nil
    ) throws -> WireResponse {
        var request = try TestPhone.request(call, body, key: key, to: self)
        if let address { request.fields["x-real-ip"] = address }
        return try TestPhone.send(request, to: self)
    }

    /// Changes the database without the server's knowledge.
    func run(_ sql: String) throws {
        try Connection(path: directory.path + "/database", opening: .existing).run(sql)
    }

    /// The number of rows of a table, with an optional condition after its name.
    func count(_ rows: String) throws -> Int {
        try Connection(path: directory.path + "/database", opening: .existing)
            .rows("SELECT count(*) FROM \(rows)") { Int($0.integer(0)) }.first ?? 0
    }

    var administration: Administration {
        get throws {
            Administration(
                database: try SQLiteDatabase.open(
                    path: directory.path + "/database", for: .administer),
                now: { [time] in time.now })
        }
    }

    /// Enrols a machine with a fresh key that the running server knows.
    func enrol(
        _ name: String = "north", role: KeyRole = .ticketMachine, of shop: ShopID = shop
    ) throws -> TestMachine {
        let machine = try add(name, role: role, of: shop)
        try machine.waitUntil { $0.status == 200 }
        return machine
    }

    /// Like `enrol`, without a call by the machine.
    func add(
        _ name: String, role: KeyRole = .ticketMachine, of shop: ShopID = shop
    ) throws -> TestMachine {
        let key = try SigningKey.generate()
        try admit(key.publicKey, as: name, role: role, of: shop)
        return TestMachine(backend: self, key: key)
    }

    /// Puts a public key on the allow list; the running server knows it then.
    func admit(
        _ key: PublicKey, as name: String, role: KeyRole, of shop: ShopID = shop
    ) throws {
        try administration.admit(key, as: name, role: role, of: shop)
        // The server looks at the database now, and not when its next look is due.
        store.tick()
        guard blocks(until: { store.machineKeys().contains { $0.keyID == key.keyID } }) else {
            throw RawClient.Failure(operation: "the key was not seen")
        }
    }
}

extension Administration {
    /// Puts a public key on the allow list.
    func admit(_ key: PublicKey, as name: String, role: KeyRole, of shop: ShopID) throws {
        try addMachineKey(
            MachineKeyRecord(
                shop: shop, machine: MachineID(name), keyID: key.keyID, publicKey: key.bytes,
                role: role, created: TestBackend.morning))
    }
}
