internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import SQLiteStore
internal import Testing

/// What administrators do with a database.
extension Site {
    /// - Parameter wrap: adds a fault to its connection.
    func administration(
        by actor: String = "administrator",
        wrap: (sending any Database) -> sending any Database = { $0 }
    ) throws -> Administration {
        Administration(database: wrap(try open(for: .administer)), actor: actor) { [clock] in
            clock.now
        }
    }

    /// Changes the first shop's policy.
    func decide(_ change: (inout ShopPolicy) -> Void) throws {
        let administration = try administration()
        for var shop in try administration.shops() where shop.id == Self.shopID {
            change(&shop.policy)
            try administration.updateShop(shop)
        }
    }

    /// Adds a shop that is like the first one but for its name.
    func add(_ id: ShopID, tag: String, name: String = "Second") throws {
        try administration().addShop(
            Shop(
                id: id, tag: try #require(ShopTag(rawValue: tag)), name: name,
                timeZone: shop.timeZone, hours: shop.hours, policy: shop.policy,
                languages: shop.languages))
    }

    @discardableResult
    func prune(
        _ shop: ShopID = shopID, before day: CalendarDay = day, pause: () -> Void = {}
    ) throws -> Pruning.Pruned {
        try Pruning(database: open(for: .administer))
            .prune(shop, before: day, at: clock.now, pause: pause)
    }

    /// A copy of the whole file in a new database of PostgreSQL.
    func moved() throws -> Site {
        let target = try Site(movedTo: .postgresql, of: self)
        let source = try SQLiteDatabase.open(path: path, for: .administer)
        _ = try DatabaseCopy.copy(
            try source.tables(), from: source, to: target.open(for: .administer))
        return target
    }

    /// Runs statements as an administrator might by hand.
    func run(_ script: String) throws { try open(for: .administer).run(script: script) }

    /// What the check of a database finds in the first shop.
    ///
    /// - Parameter first: The first day whose customers may be in the queue; nil for that of the newest event.
    func findings(since first: CalendarDay? = nil) throws -> [String] {
        try DatabaseCheck.findings(
            of: Self.shopID, firstDay: { first ?? LocalMoment($0, offsetMinutes: 60).day },
            in: open(for: .administer))
    }
}

extension MachineKeyRecord {
    /// A machine's key, made of one byte.
    static func sample(
        _ machine: String = "door-1", key: String? = nil, _ role: KeyRole = .ticketMachine,
        byte: UInt8 = 5
    ) -> MachineKeyRecord {
        MachineKeyRecord(
            shop: Site.shopID, machine: MachineID(machine), keyID: key ?? machine,
            publicKey: [UInt8](repeating: byte, count: 32), role: role, created: Site.at("10:00"))
    }
}

/// The error with which a body is refused; nil if it is not.
func refusal(_ body: () throws -> Void) -> StoreError? {
    do {
        try body()
        return nil
    } catch { return error as? StoreError }
}

extension AuditFinding {
    /// The first row at which the chain is broken; nil if it is whole.
    var brokenAt: Int64? { if case .broken(let sequence, _) = self { sequence } else { nil } }
}
