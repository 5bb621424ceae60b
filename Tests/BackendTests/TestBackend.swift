import BackendAPI
import BackendService
import Cryptography
import Foundation
import HTTPServer
import Metrics
import ReservationStore
import Reservations
import SQLite
import SQLiteStore
import TestSupport
import Synchronization

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

    let directory: TemporaryDirectory
    let time: Clock
    let lines = Lines()
    let doors = Doors()
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

    final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        func append(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    /// The doors that the service has opened.
    final class Doors: Sendable {
        private let events = Mutex<[DoorEvent]>([])
        func append(_ event: DoorEvent) { events.withLock { $0.append(event) } }
        var opened: [DoorEvent] { events.withLock { $0 } }
    }

    private let limits: HTTPLimits
    private let isStepped: Bool

    /// - Parameter isStepped: Whether the store's time passes only with its `tick()`: no forecast is made beside calls.
    init(
        hours: String = "Mon-Sun 08:00-20:00", at start: Moment = morning,
        rateLimit: RateLimit? = nil, codeLimit: RateLimit? = nil,
        reservationLimit: RateLimit? = nil, pairingLimit: RateLimit? = nil,
        statusLimit: RateLimit? = nil, writeLimit: RateLimit? = nil, holdLimit: RateLimit? = nil,
        keyLimit: RateLimit? = nil, staffLimit: RateLimit? = nil,
        helpLimit: RateLimit? = nil, names: Set<String>? = nil,
        sessionLimit: RateLimit? = nil, maxSocketsPerShop: Int = 200,
        limits: HTTPLimits = HTTPLimits(), phones: PhonePages? = nil,
        phoneLimits: [LimitedAction: RateLimit] = [:], pushes: NoticePushes? = nil,
        sms: SMSSending? = nil, isStepped: Bool = false,
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws {
        try Cryptography.start()
        directory = try TemporaryDirectory()
        time = Clock(start)
        var options = BackendService.Options()
        let rates: [LimitedAction: RateLimit?] = [
            .requests: rateLimit, .codes: codeLimit, .reservations: reservationLimit,
            .pairings: pairingLimit, .statuses: statusLimit, .sessions: sessionLimit,
            .writes: writeLimit, .holds: holdLimit, .keys: keyLimit, .staff: staffLimit,
            .help: helpLimit,
        ]
        options.limits = rates.compactMapValues(\.self).merging(phoneLimits) { $1 }
        options.phones = phones
        options.pushes = pushes
        options.sms = sms
        options.names = names
        options.maxSocketsPerShop = maxSocketsPerShop
        let key = try SigningKey.generate()
        answers = AnswerVerifier(key: key.publicKey)
        options.answerSigner = AnswerSigner(key: key)
        options.openDoor = { [doors] in doors.append($0) }
        self.options = options
        self.limits = limits
        self.isStepped = isStepped
        var policy = ShopPolicy(capacity: 4, usualStayMinutes: 30)
        decide(&policy)
        let shop = Shop(
            id: Self.shop, tag: ShopTag(rawValue: "ROM1")!, name: "Città", timeZone: "Europe/Rome",
            hours: try OpeningHours(week: hours),
            policy: policy, languages: ["it", "en"])
        let path = directory.path + "/database"
        let administration = Administration(
            database: try SQLiteDatabase.open(path: path, for: .administer), now: { Self.morning })
        try administration.addShop(shop)
        parts = Mutex(try Self.start(path, time, lines, options, limits, isStepped))
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
        _ path: String, _ time: Clock, _ lines: Lines, _ options: BackendService.Options,
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
                store: store, calendar: calendar, log: ServiceLog { lines.append($0) },
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
        try administration.addMachineKey(
            MachineKeyRecord(
                shop: shop, machine: MachineID(name), keyID: key.keyID, publicKey: key.bytes,
                role: role, created: Self.morning))
        // The server looks at the database now, and not when its next look is due.
        store.tick()
        guard blocks(until: { store.machineKeys().contains { $0.keyID == key.keyID } }) else {
            throw RawClient.Failure(operation: "the key was not seen")
        }
    }
}

/// A machine that signs requests as the kiosk does.
struct TestMachine: Sendable {
    let backend: any TestServer
    let key: SigningKey

    func request(
        _ route: Route, _ body: String = "", key idempotencyKey: String? = nil
    ) -> WireRequest {
        var address = "\(backend.address)"
        address.removeFirst("http://".count)
        var request = WireRequest(
            method: route.endpoint.method.rawValue, authority: address, path: route.path,
            body: Array(body.utf8))
        if route.endpoint.carriesKey {
            request.fields["idempotency-key"] = idempotencyKey ?? RequestSigner.makeNonce()
        }
        if !body.isEmpty { request.fields["content-type"] = "application/json" }
        return request
    }

    func sign(_ request: WireRequest, offset: Int64 = 0) -> WireRequest {
        RequestSigner(key: key).sign(
            request, created: backend.time.now.milliseconds / 1_000 + offset,
            nonce: RequestSigner.makeNonce())
    }

    func send(_ request: WireRequest) throws -> WireResponse {
        guard let response = try RawClient(backend.address).call(request) else {
            throw RawClient.Failure(operation: "no answer")
        }
        return response
    }

    func call(
        _ route: Route, _ body: String = "", key: String? = nil
    ) throws -> WireResponse {
        try send(sign(request(route, body, key: key)))
    }

    func hold(key: String? = nil) throws -> WireResponse {
        try call(.holds, "{\"kind\":\"ticket\"}", key: key)
    }

    func holdVisit() throws -> WireResponse { try call(.holds, "{\"kind\":\"visit\"}") }

    func lookUp(_ code: String) throws -> WireResponse {
        try call(.lookup, "{\"code\":\"\(code)\"}")
    }

    func delete(_ id: ReservationID, _ code: String) throws -> WireResponse {
        try call(.reservation(id), "{\"code\":\"\(code)\"}")
    }

    func reservation() throws -> Reservation {
        let hold = try hold().decoded(HeldPlace.self)
        return try call(.holdConfirmation(hold.id)).decoded(Reservation.self)
    }

    func enter(_ code: String, key: String? = nil) throws -> WireResponse {
        try call(.entries, "{\"code\":\"\(code)\"}", key: key)
    }

    func leave(_ code: String, key: String? = nil) throws -> WireResponse {
        try call(.exits, "{\"code\":\"\(code)\"}", key: key)
    }

    /// A ticket that opens one socket once.
    func ticket() throws -> String { try call(.sessions).decoded(SessionReply.self).ticket }

    /// Asks until the server has read an administrator's change; rules 27 give it a second.
    func waitUntil(_ isTrue: (WireResponse) -> Bool) throws {
        // The server looks at the database now, and not when its next look is due.
        backend.store.tick()
        guard try blocks(until: { isTrue(try call(.machine)) }) else {
            throw RawClient.Failure(operation: "the change was not seen")
        }
    }
}

extension WireResponse {
    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }

    /// The problem's type; nil if the answer is no problem or not in the form of RFC 9457.
    var problem: Refusal? {
        guard fields["content-type"] == Problem.contentType,
            let problem = try? decoded(Problem.self), problem.status == status
        else { return nil }
        return problem.refusal
    }
}
