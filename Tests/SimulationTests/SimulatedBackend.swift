internal import BackendAPI
internal import BackendService
internal import Cryptography
internal import Dispatch
internal import Glibc
internal import ReservationStore
internal import Reservations
internal import SQLite
internal import SQLiteStore
internal import TestSupport

/// Engine, store and service on a file in memory, whose process may end and start again.
final class SimulatedBackend {
    static let shopID = ShopID("s1")

    let clock: Locked<Moment>
    let failures = Failures()
    let shop: Shop
    private let directory: String
    /// Random bytes that repeat with the seed, for codes and identifiers.
    private let bytes: Locked<SplitMix>
    private var running: (store: QueueStore, service: BackendService)?
    private let reader: Connection
    private(set) var starts = 0

    /// - Parameter machines: names with the keys that may call, and their roles.
    init(
        seed: UInt64, capacity: Int, start: Moment,
        machines: [(name: String, key: PublicKey, role: KeyRole)]
    ) throws {
        // A file system in memory: a flush takes no time, so thousands of seeds take minutes.
        var template = Array("/dev/shm/clup-simulation-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw TestSupportError("no directory") }
        directory = String(cString: made)
        clock = Locked(start)
        bytes = Locked(SplitMix(seed: seed))
        shop = Shop(
            id: Self.shopID, tag: ShopTag(rawValue: "SIMU")!, name: "Simulated",
            timeZone: "Europe/Rome", hours: try OpeningHours(week: "Mon-Sun 08:00-20:00"),
            policy: ShopPolicy(capacity: capacity, usualStayMinutes: 20), languages: ["it"])
        let path = directory + "/database"
        do {
            let administration = Administration(
                database: try SQLiteDatabase.open(path: path, for: .administer)
            ) { start }
            try administration.addShop(shop)
            for machine in machines {
                try administration.addMachineKey(
                    MachineKeyRecord(
                        shop: Self.shopID, machine: MachineID(machine.name),
                        keyID: machine.key.keyID, publicKey: machine.key.bytes,
                        role: machine.role, created: start))
            }
        }
        reader = try Connection(path: path, opening: .existing)
        try begin()
    }

    deinit {
        running?.store.stop()
        running = nil
        for suffix in ["", "-wal", "-shm", ".serve"] { unlink("\(directory)/database\(suffix)") }
        rmdir(directory)
    }

    /// Starts a process that opens the file and serves it.
    private func begin() throws {
        starts += 1
        let calendar = ShopCalendar()
        let store = try QueueStore(
            database: FailingDatabase(try open(), failures), isStepped: true,
            now: { [clock] in clock.value },
            openings: { calendar.openings(of: $0, from: $1) },
            local: { calendar.local($0, in: $1) },
            randomBytes: { [bytes] count in
                var made: [UInt8] = []
                bytes.change { random in
                    made = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 40) }
                }
                return made
            })
        var options = BackendService.Options()
        let unlimited: [LimitedAction] = [
            .requests, .codes, .reservations, .writes, .holds, .keys, .staff,
        ]
        for action in unlimited { options.limits[action] = nil }
        let service = BackendService(
            store: store, calendar: calendar, log: ServiceLog { _ in }, options: options,
            clock: { [clock] in clock.value })
        running = (store, service)
    }

    private func open() throws -> sending SQLiteDatabase {
        let path = directory + "/database"
        while true {
            let found = Result { () throws(StoreError) in
                try SQLiteDatabase.open(path: path, for: .serve)
            }
            // The lock is released with the last user of the old store, on another thread.
            guard case .failure(let error) = found, error.code == .served else {
                return try found.get()
            }
            usleep(200)
        }
    }

    /// Ends the process and starts another one.
    func restart() throws {
        running?.store.stop()
        running = nil
        failures.disarm()
        _ = failures.hasDied()
        try begin()
    }

    /// Lets time pass for the store, so that holds expire.
    func tick() { running?.store.tick() }

    /// Sends a request and waits for the answer.
    func answer(_ request: WireRequest) -> WireResponse { answers([request])[0] }

    /// Sends all requests together: the first is a batch of its own, the others are the next batch.
    func answers(_ requests: [WireRequest]) -> [WireResponse] {
        guard let service = running?.service else { return [] }
        let answers = Locked<[WireResponse?]>(Array(repeating: nil, count: requests.count))
        let came = DispatchSemaphore(value: 0)
        if requests.count > 1 { failures.closeGate() }
        for (index, request) in requests.enumerated() {
            service.handle(request) { answer in
                answers.change { $0[index] = answer }
                came.signal()
            }
            // Requests that are refused before the writer open no transaction; the first one that reaches it
            // is alone, however slow this thread is.
            if requests.count > 1 {
                while answers.value[index] == nil, !failures.isWaiting { sched_yield() }
            }
        }
        if requests.count > 1 { failures.openGate() }
        for _ in requests { came.wait() }
        return answers.value.compactMap(\.self)
    }

    // MARK: The data on the disk

    var rows: [Checker.Row] {
        get throws {
            try reader.rows("SELECT shop_id, id, day, state, number, code FROM reservation") {
                Checker.Row(
                    shop: $0.text(0), id: $0.text(1), day: $0.text(2), state: $0.text(3),
                    number: $0.isNull(4) ? nil : Int($0.integer(4)),
                    code: $0.isNull(5) ? nil : $0.text(5))
            }
        }
    }

    /// The places of people inside and called, who count as inside.
    var taken: Int {
        get throws {
            try reader.rows(
                "SELECT count(*) FROM reservation WHERE state IN ('called', 'active')"
            ) { Int($0.integer(0)) }.first ?? 0
        }
    }
}
