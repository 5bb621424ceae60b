import BackendAPI
import Cryptography
import Foundation
import Glibc
import PostgresStore
import ReservationStore
import Reservations
import SQLiteStore
import TestSupport
import Testing

/// Shops of one database with their machines and doors, and the servers on it.
final class LoadChain: Sendable {
    struct Plan: Sendable {
        var servers = 1
        var shops = 1
        var machines = 8
        /// The capacity of each shop; a shop for load never fills (rules: load-shops).
        var capacity = 1_000_000
        var stayMinutes = 10
        /// The displays of each shop with doors; one key has only a few sockets.
        var displays = 1
        /// Whether each shop has an entrance, a turnstile and displays.
        var hasDoors = false
        /// The pages of each shop that show calls for help; they need `hasDoors`.
        var staffPages = 0
        /// Whether the servers answer customers' phones.
        var hasPhones = false
        /// Whether the database has a clock that can be moved.
        var isDemonstration = false
        var timeZone = ServingBackend.byDay
        /// Further options of `shop add`.
        var settings: [String] = []
        /// The program of the servers also makes the database; one of the past knows one shop and its machines only.
        var surroundings = ServerProcess.Surroundings()
        /// The path of an SQLite file, or a database of PostgreSQL; a new one if nil.
        var database: String?
    }

    let engine: Engine
    let plan: Plan
    let folder: TemporaryFolder
    let database: String
    let servers: [ServerProcess]
    let postgres: PostgresServer?
    let ledger = Ledger()
    /// Where the servers answer phones.
    private let phonePorts: [ReservedPort]
    private let shopNames: [String]
    private let keys: [SigningKey]
    private let doorKeys: [[SigningKey]]

    private init(_ engine: Engine, _ plan: Plan, _ postgres: PostgresServer?) async throws {
        try Cryptography.start()
        let folder = try TemporaryFolder()
        self.engine = engine
        self.plan = plan
        self.folder = folder
        self.postgres = postgres
        switch engine {
        case .sqlite: database = plan.database ?? folder.file("backend.sqlite")
        case .postgresql:
            database = try plan.database ?? (postgres ?? PostgresServer.shared()).database()
        }
        let state = engine == .sqlite ? [] : ["--state", folder.path]
        let program = plan.surroundings.program
        let printed = try await Tool.succeed(
            program,
            [
                "shop", "add", "--database", database, "--name", "Shop", "--tag", "SH00",
                "--time-zone", plan.timeZone, "--hours", "Mon-Sun 00:00-24:00", "--capacity",
                "\(plan.capacity)", "--stay", "\(plan.stayMinutes)", "--languages", "en",
            ] + plan.settings + (plan.isDemonstration ? ["--demo"] : []))
        keys = try (0..<plan.machines).map { _ in try SigningKey.generate() }
        doorKeys = try (0..<(plan.hasDoors ? plan.shops : 0)).map { _ in
            try (0..<(2 + plan.displays + plan.staffPages)).map { _ in try SigningKey.generate() }
        }
        if program == ServerProcess.program {
            shopNames = try Self.fill(engine, database, plan, keys, doorKeys)
        } else {
            // Today's code would bring the database to today's schema.
            struct Line: Decodable { let shop: String }
            let shop = try JSONDecoder().decode(Line.self, from: Data(printed.utf8)).shop
            for (index, key) in keys.enumerated() {
                try await Tool.succeed(
                    program,
                    [
                        "machine", "add", "--database", database, "--shop", shop, "--name",
                        "machine-\(index)", "--key=\(key.publicKey.text)",
                    ])
            }
            shopNames = [shop]
        }
        var servers: [ServerProcess] = []
        var phonePorts: [ReservedPort] = []
        for _ in 0..<plan.servers {
            var phones: [String] = []
            if plan.hasPhones {
                let port = try ReservedPort()
                phonePorts.append(port)
                phones = [
                    "--phones", port.address, "--assets",
                    Tool.repository.appending(path: "Assets").path,
                ]
            }
            servers.append(
                try await ServerProcess(
                    ["--database", database] + state + phones, in: folder, plan.surroundings))
        }
        self.servers = servers
        self.phonePorts = phonePorts
    }

    /// Makes a chain, and ends its servers after the body.
    @discardableResult
    static func with<Value>(
        _ engine: Engine, _ plan: Plan, postgres: PostgresServer? = nil,
        body: (LoadChain) async throws -> Value
    ) async throws -> Value {
        try await ending(
            LoadChain(engine, plan, postgres), by: { for one in $0.servers { await one.stop() } },
            after: body)
    }

    /// Adds the other shops and all keys, as administrators do, but many at once.
    private static func fill(
        _ engine: Engine, _ database: String, _ plan: Plan, _ keys: [SigningKey],
        _ doorKeys: [[SigningKey]]
    ) throws -> [String] {
        let now = Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        let administration: Administration
        switch engine {
        case .sqlite:
            administration = Administration(
                database: try SQLiteDatabase.open(path: database, for: .administer)
            ) { now }
        case .postgresql:
            administration = Administration(
                database: try PostgresDatabase.open(PostgresAddress(database, password: nil))
            ) { now }
        }
        let first = try #require(try administration.shops().first)
        for index in 1..<max(1, plan.shops) {
            let tag = try #require(
                ShopTag(rawValue: "SH\(index < 10 ? "0" : "")\(index)"))
            try administration.addShop(
                Shop(
                    id: ShopID("\(first.id.rawValue)-\(index)"), tag: tag, name: "Shop \(index)",
                    timeZone: first.timeZone, hours: first.hours, policy: first.policy,
                    languages: ["en"]))
        }
        let shops = try administration.shops().map(\.id).sorted { $0.rawValue < $1.rawValue }
        func add(_ key: SigningKey, _ name: String, _ role: KeyRole, _ shop: ShopID) throws {
            try administration.addMachineKey(
                MachineKeyRecord(
                    shop: shop, machine: MachineID(name), keyID: key.publicKey.keyID,
                    publicKey: key.publicKey.bytes, role: role, created: now))
        }
        for (index, key) in keys.enumerated() {
            try add(key, "machine-\(index)", .ticketMachine, shops[index % shops.count])
        }
        for (shop, keys) in zip(shops, doorKeys) {
            try add(keys[0], "entrance", .entrance, shop)
            try add(keys[1], "turnstile", .turnstile, shop)
            for (index, key) in keys.dropFirst(2).enumerated() {
                let isDisplay = index < plan.displays
                try add(
                    key, isDisplay ? "display-\(index)" : "staff-\(index)",
                    isDisplay ? .display : .staff, shop)
            }
        }
        return shops.map(\.rawValue)
    }

    /// The limits that the checker applies to every shop.
    var limits: [String: QueueHistory.Limits] {
        let limits = QueueHistory.Limits(
            capacity: plan.capacity, visits: max(1, plan.capacity / 2),
            stayMinutes: plan.stayMinutes)
        return Dictionary(uniqueKeysWithValues: shopNames.map { ($0, limits) })
    }

    var ports: [UInt16] { servers.map(\.port) }

    /// A machine's client; every second one asks the second server first. It uses other ports if they are given.
    func machine(
        _ index: Int, ports other: [UInt16]? = nil, ledger: Ledger? = nil,
        oneTry: Int = Caller.oneTry
    ) -> Caller {
        Caller(
            "m\(index)", key: keys[index], ports: (other ?? ports).beginning(at: index),
            ledger: ledger ?? self.ledger, oneTry: oneTry)
    }

    func entrance(_ shop: Int = 0) -> Caller {
        Caller("entrance", key: doorKeys[shop][0], ports: ports, ledger: ledger)
    }

    func turnstile(_ shop: Int = 0) -> Caller {
        Caller("turnstile", key: doorKeys[shop][1], ports: ports, ledger: ledger)
    }

    /// A window of a phone's browser; every second one asks the second server first.
    func phone(_ index: Int) -> Caller {
        Caller(
            "phone-\(index)", ports: phonePorts.map(\.number).beginning(at: index), ledger: ledger)
    }

    /// A display of a shop, at one of the servers.
    func display(_ index: Int = 0, of shop: Int = 0, port: UInt16) -> Caller {
        Caller("display", key: doorKeys[shop][2 + index], ports: [port], ledger: ledger)
    }

    /// A page of staff members of the first shop; it is given up on after two seconds of silence, as the real page does,
    /// and every second one asks the second server first.
    func staffPage(_ index: Int) -> Caller {
        Caller(
            "staff-\(index)", key: doorKeys[0][2 + plan.displays + index],
            ports: ports.beginning(at: index), ledger: ledger, oneTry: 1_000)
    }

    /// Kills a server every two seconds, and starts it again; returns when they were killed, once enough has come in.
    @discardableResult
    func killServers(
        for length: Duration = TestLength.choose(.seconds(6), long: .seconds(120)), _ dice: Dice,
        until isEnough: () -> Bool = { true }
    ) async throws -> [Date] {
        var dice = dice
        var kills: [Date] = []
        let end = ContinuousClock.now + length
        while ContinuousClock.now < end {
            try await ContinuousClock().sleep(for: .milliseconds(1_500 + dice.index(1_000)))
            kills.append(.now)
            try await servers[dice.index(servers.count)].killAndRestart()
        }
        _ = await patiently { isEnough() }
        return kills
    }

    /// Machines take tickets during a fault, and a little longer; returns all tickets.
    ///
    /// - Parameters:
    ///   - pause: between two customers at a machine.
    ///   - isVisited: whether each customer enters and leaves through the shop's doors before the next one comes.
    @discardableResult
    func underLoad(
        pause: Duration = .milliseconds(5), ports: [[UInt16]]? = nil, isVisited: Bool = false,
        _ trouble: () async throws -> Void
    ) async throws -> [(machine: Int, ticket: Ticket)] {
        try await onThreads(plan.machines) { index, isOver in
            let machine = self.machine(index, ports: ports?[index])
            let shop = index % self.plan.shops
            let doors = isVisited ? [self.entrance(shop), self.turnstile(shop)] : []
            var given: [(machine: Int, ticket: Ticket)] = []
            while !isOver.isSet {
                if let ticket = try machine.ticket() {
                    given.append((index, ticket))
                    for (door, passage) in zip(doors, [Route.entries, .exits]) {
                        let passed = try door.insist(passage, #"{"code":"\#(ticket.code)"}"#)
                        #expect(passed.status == 200)
                    }
                }
                usleep(UInt32(pause / .microseconds(1)))
            }
            return given
        } while: {
            try await trouble()
            try await ContinuousClock().sleep(for: .milliseconds(500))
        }.flatMap(\.self)
    }

    /// Machines take tickets during a fault; then some are asked for again, and the run is judged.
    ///
    /// - Parameter heal: what is done between the fault and that.
    @discardableResult
    func judged(
        _ name: String, seed: UInt64? = nil, pause: Duration = .milliseconds(5),
        ports: [[UInt16]]? = nil, isVisited: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ trouble: () async throws -> Void, heal: () async throws -> Void = {}
    ) async throws -> Ledger.Figures {
        let given = try await underLoad(pause: pause, ports: ports, isVisited: isVisited, trouble)
        try await heal()
        try askAgain(given)
        return try await ledger.judge(name, self, seed: seed, sourceLocation: sourceLocation)
    }

    /// The statuses of all answers.
    var statuses: Set<Int> {
        Set(
            ledger.exchanges.compactMap {
                if case .answered(let status, _) = $0.outcome { status } else { nil }
            })
    }

    /// Sends some confirmations again with their keys; the answers go to the ledger, for the check of K.
    func askAgain(
        _ given: [(machine: Int, ticket: Ticket)], ports: [UInt16]? = nil, ledger: Ledger? = nil
    ) throws {
        for one in given.shuffled().prefix(100) {
            let again = try machine(one.machine, ports: ports, ledger: ledger).insist(
                .holdConfirmation(one.ticket.id), key: one.ticket.confirmationKey)
            #expect(again.status == 201)
        }
    }
}

extension [UInt16] {
    /// The same ports in turn, from the one for this client on.
    fileprivate func beginning(at index: Int) -> [UInt16] {
        let turn = index % count
        return Array(self[turn...] + self[..<turn])
    }
}
