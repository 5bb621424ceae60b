internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import TestSupport
import Testing

@Suite("The audit: append-only, each row chained to the one before", .stopsStores)
struct AuditTests {
    private static let key = MachineKeyRecord.sample()

    private func rows(_ site: Site) throws -> [String] {
        var rows: [String] = []
        try site.administration().audit(of: Site.shopID) {
            rows.append("\($0.sequence) \($0.actor): \($0.action) \($0.detail)")
        }
        return rows
    }

    /// A site with five commands of one administrator.
    private func site(_ engine: StoreEngine) throws -> Site {
        let site = try Site(engine)
        let administration = try site.administration(by: "anna")
        try administration.addMachineKey(Self.key)
        var shop = site.shop
        shop.policy.capacity = 7
        shop.hours.exceptions[Site.day.advanced(by: 3)] = []
        try administration.updateShop(shop)
        site.clock.pass(.seconds(60))
        try administration.revokeMachineKeys(of: Site.shopID) { $0.keyID == "door-1" }
        for key in ["b0", "b1"] { try administration.keepBackendKey(Array(key.utf8), keyID: key) }
        return site
    }

    @Test(
        "Every administrative command leaves a row with the actor, the command and its object",
        arguments: engines)
    func acts(_ engine: StoreEngine) throws {
        let site = try site(engine)
        #expect(
            try rows(site) == [
                "1 administrator: shop-added DEMO Market è",
                "2 anna: key-added ticket-machine door-1, key door-1",
                "3 anna: shop-changed capacity 1000 -> 7; 2026-11-23 as the week -> closed",
                "4 anna: key-revoked ticket-machine door-1, key door-1",
                "5 anna: backend-key-made key b1",
            ])
        let head = try requireCase(
            AuditFinding.whole, of: try site.administration().verifyAudit(of: Site.shopID))
        #expect(head.sequence == 5)
    }

    @Test("A refused command leaves no row, and a repeated one leaves one", arguments: engines)
    func refused(_ engine: StoreEngine) throws {
        let site = try site(engine)
        let administration = try site.administration(by: "anna")
        #expect(throws: StoreError.self) { try administration.addShop(site.shop) }
        #expect(throws: StoreError.self) { try administration.addMachineKey(Self.key) }
        try administration.revokeMachineKeys(of: Site.shopID) { $0.keyID == "door-1" }
        #expect(try rows(site).count == 5)
    }

    @Test(
        "A command of the staff leaves a row with the change, a refused one leaves none",
        arguments: engines)
    func staff(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        func act(_ people: Int, key: String) async {
            var request = AuthenticatedRequest.make(.staff(.occupancy(people: people)), key: key)
            request.audit = AuditEntry(
                actor: "machine door-1, Giulia", action: .occupancyCorrected,
                detail: "\(people) inside")
            _ = await store.ask(request)
        }
        await act(4, key: "a")
        await act(4, key: "a")
        await act(-1, key: "b")
        _ = try await store.ticket()
        #expect(
            try rows(site).dropFirst() == [
                "2 machine door-1, Giulia: occupancy-corrected 4 inside"
            ])
    }

    /// Adds a row of the audit that is like the last one.
    private static func another(at sequence: Int) -> String {
        "INSERT INTO audit SELECT shop_id, \(sequence), at_ms, actor, action, detail, hash, hash "
            + "FROM audit WHERE sequence = 5"
    }

    @Test(
        "A change to the database by hand is found, at the first row that is wrong",
        arguments: [
            ("UPDATE audit SET detail = 'x' WHERE sequence = 3", 3),
            ("UPDATE audit SET actor = 'bert' WHERE sequence = 1", 1),
            ("UPDATE audit SET at_ms = at_ms + 1 WHERE sequence = 5", 5),
            ("UPDATE audit SET action = 'let-in' WHERE sequence = 4", 4),
            ("UPDATE audit SET previous = hash WHERE sequence = 2", 2),
            ("UPDATE audit SET hash = previous WHERE sequence = 2", 2),
            // Text moves from one field to the next.
            (
                "UPDATE audit SET actor = actor || 'x', detail = substr(detail, 2) WHERE sequence = 2",
                2
            ),
            ("DELETE FROM audit WHERE sequence = 1", 1),
            ("DELETE FROM audit WHERE sequence = 3", 3),
            // The end is cut off; in some cases its head too, which is not computed again.
            ("DELETE FROM audit WHERE sequence = 5", 5),
            ("DELETE FROM audit WHERE sequence > 3", 4),
            ("DELETE FROM audit_head", 6),
            // All rows are deleted, with their head.
            ("DELETE FROM audit; DELETE FROM audit_head", 1),
            ("DELETE FROM audit; UPDATE audit_head SET sequence = 0, hash = zeroblob(32)", 1),
            // Rows are added before the first, and after the last.
            (another(at: 0), 0), (another(at: -7), -7), (another(at: 6), 6),
            ("UPDATE audit_head SET sequence = 4", 6),
            // Two rows are exchanged.
            (
                "UPDATE audit SET sequence = 9 WHERE sequence = 2; "
                    + "UPDATE audit SET sequence = 2 WHERE sequence = 3; "
                    + "UPDATE audit SET sequence = 3 WHERE sequence = 9", 2
            ),
            (
                "CREATE TEMP TABLE other AS SELECT * FROM shop; "
                    + "UPDATE other SET shop_id = 's2', tag = 'OTHR'; "
                    + "INSERT INTO shop SELECT * FROM other; UPDATE audit SET shop_id = 's2'", 1
            ),
        ] as [(String, Int64)])
    func tampered(sql: String, first: Int64) throws {
        let site = try site(.sqlite)
        try site.run(sql)
        #expect(try site.administration().verifyAudit(of: Site.shopID).brokenAt == first)
    }

    @Test(
        "A remote command to a machine leaves a row; one to a machine that does not exist leaves none",
        arguments: engines)
    func order(_ engine: StoreEngine) throws {
        let site = try Site(engine)
        let administration = try site.administration(by: "anna")
        try administration.addMachineKey(Self.key)
        _ = try administration.order(
            .outOfService, message: "Torno subito", for: Self.key.machine, of: Site.shopID)
        #expect(throws: StoreError.self) {
            _ = try administration.order(
                .restart, for: MachineID("nobody"), of: Site.shopID)
        }
        #expect(
            try rows(site).dropFirst(2) == [
                "3 anna: machine-ordered out-of-service door-1: Torno subito"
            ])
    }

    @Test(
        "All keys of a machine are revoked together or none is, at any failure on the way",
        arguments: engines)
    func revoking(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        try site.administration().addMachineKey(Self.key)
        let store = try site.store()
        _ = await store.ask(.make(.keys(.add([UInt8](repeating: 8, count: 32), id: "second"))))
        store.stop()
        func live() throws -> Int {
            try site.count("SELECT count(*) FROM machine_key WHERE revoked_ms IS NULL")
        }
        #expect(try live() == 2)
        let plan = FaultPlan()
        let faulty = try site.administration { FaultyDatabase($0, plan: plan) }
        var failures = 0
        while true {
            plan.arm(after: failures, code: .full)
            let revoked = try? faulty.revokeMachineKeys(of: Site.shopID) {
                $0.machine == Self.key.machine
            }
            _ = plan.disarm()
            if let revoked {
                #expect(revoked.count == 2 && revoked.allSatisfy { $0.revoked != nil })
                break
            }
            failures += 1
            #expect(try live() == 2, "after a failure of statement \(failures)")
            try #require(failures < 100)
        }
        #expect(failures > 6)
        #expect(try live() == 0)
        #expect(try rows(site).count { $0.contains("key-revoked") } == 2)
    }

    @Test("A name is checked when it is given; older ones stay valid", arguments: engines)
    func given(_ engine: StoreEngine) throws {
        let site = try Site(engine)
        let administration = try site.administration(by: "anna")
        var key = Self.key
        for name in ["-x", "-", "", " ", "a b", "x\u{202E}"] {
            key.machine = MachineID(name)
            let error = #expect(throws: StoreError.self) { try administration.addMachineKey(key) }
            #expect(error?.description.contains("begin with -") == true, "\(name)")
        }
        try site.run("UPDATE shop SET name = '-'")
        var shop = try #require(administration.shops().first)
        shop.policy.capacity = 3
        try administration.updateShop(shop)
        #expect(try administration.shops().first?.name == "-")
        shop.name = " "
        #expect(throws: StoreError.self) { try administration.updateShop(shop) }
    }

    @Test("A name of a live key is taken, one of a revoked key is free", arguments: engines)
    func names(_ engine: StoreEngine) throws {
        let administration = try Site(engine).administration(by: "anna")
        try administration.addMachineKey(Self.key)
        let other = MachineKeyRecord.sample(key: "other", .display, byte: 6)
        let error = #expect(throws: StoreError.self) { try administration.addMachineKey(other) }
        #expect(error?.description.contains("has a ticket-machine door-1 already") == true)
        try administration.revokeMachineKeys(of: Site.shopID) { $0.keyID == Self.key.keyID }
        try administration.addMachineKey(other)
        #expect(try administration.machineKeys().count == 2)
    }
}
