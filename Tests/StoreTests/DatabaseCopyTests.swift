internal import Cryptography
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import SQLiteStore
internal import Testing

internal import func TestSupport.requireCase

@Suite("A database moved from SQLite to PostgreSQL", .stopsStores)
struct DatabaseCopyTests {
    /// A database whose shop has a past day, a key, a remote command, a paired machine and a signed audit.
    private func livedIn() async throws -> Site {
        let site = try Site(.sqlite)
        let administration = try site.administration()
        try administration.addMachineKey(.sample())
        _ = try administration.order(.restart, for: MachineID("door-1"), of: Site.shopID)
        try administration.keepBackendKey([UInt8](repeating: 9, count: 32), keyID: "backend")
        var shop = site.shop
        shop.hours.exceptions[Site.day.advanced(by: 3)] = []
        try administration.updateShop(shop)
        try Cryptography.start()
        try administration.sealAudits(AuditSealer(signer: AnswerSigner(key: .generate())))
        try await site.live()
        return site
    }

    /// Requests with the key "kept" and the nonce "spent": the answer, and the last number that was given.
    private func oneMore(_ site: Site) async throws -> (StoredAnswer, number: Int) {
        try await site.serve { store in
            let request = AuthenticatedRequest.make(
                .hold(.ticket), key: "kept", nonce: "spent", at: site.clock.now)
            let answer = try #require(await store.ask(request).answer)
            return (answer, try await store.ticket("door-4").number)
        }
    }

    private func copy(
        _ site: Site, to target: Site, wrap: (any Database) -> any Database = { $0 }
    ) throws -> DatabaseCopy.Copied {
        let source = try site.afterServers {
            try SQLiteDatabase.open(path: site.path, for: .serve)
        }
        return try DatabaseCopy.copy(
            source.tables(), from: source, to: wrap(try target.open(for: .administer)))
    }

    private func isEmpty(_ target: Site, _ tables: [TableShape]) throws -> Bool {
        try tables.allSatisfy { try target.count("SELECT count(*) FROM \($0.name)") == 0 }
    }

    @Test(
        "Every row is there, and the store continues: keys, nonces, numbers and the audit's chain")
    func everything() async throws {
        let site = try await livedIn()
        let (answer, last) = try await oneMore(site)
        let target = try Site(movedTo: .postgresql, of: site)
        let copied = try copy(site, to: target)
        for table in copied.tables {
            let count = "SELECT count(*) FROM \(table.name)"
            #expect(try target.count(count) == table.content.rows, "\(table.name)")
            #expect(try site.count(count) == table.content.rows, "\(table.name)")
        }
        let filled = copied.tables.filter { $0.content.rows > 0 }.map(\.name)
        #expect(
            Set(filled).isSuperset(of: [
                "shop", "opening_exception", "machine_key", "reservation", "reservation_event",
                "day_counter", "idempotency", "nonce", "audit", "audit_head", "audit_seal",
                "backend_key",
                "machine_order", "machine_status", "machine_event", "shop_floor",
                "change_sequence",
            ]), "\(filled)")
        let head = try requireCase(
            AuditFinding.whole, of: target.administration().verifyAudit(of: Site.shopID))
        #expect(copied.audits == [Site.shopID: .whole(head)] && head.sequence > 2)

        let store = try target.store()
        let again = AuthenticatedRequest.make(.hold(.ticket), key: "kept", at: site.clock.now)
        #expect(await store.ask(again) == .answered(answer, replayed: true))
        let replayed = AuthenticatedRequest.make(.hold(.ticket), nonce: "spent", at: site.clock.now)
        #expect(await store.ask(replayed) == .nonceSeen)
        #expect(try await store.ticket("door-5").number == last + 1)
        store.stop()
        try target.administration().revokeMachineKeys(of: Site.shopID) { $0.keyID == "door-1" }
        let kept = try target.administration().verifyAudit(of: Site.shopID, kept: head)
        let next = try requireCase(AuditFinding.whole, of: kept)
        #expect(next.sequence == head.sequence + 1)
        #expect(try target.findings() == [])
    }

    @Test("The copy contains every table and column that PostgreSQL has")
    func schema() throws {
        let site = try Site(.sqlite)
        let tables = try SQLiteDatabase.open(path: site.path, for: .administer).tables()
        let target = try Site(movedTo: .postgresql, of: site)
        _ = try target.open(for: .administer)
        let columns = try target.texts(
            """
            SELECT table_name || '.' || column_name || ' ' || data_type
            FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name <> 'schema_version'
            """)
        let types: [TableShape.Kind: String] = [.integer: "bigint", .text: "text", .blob: "bytea"]
        let known = tables.flatMap { table in
            table.columns.map { "\(table.name).\($0.name) \(types[$0.kind] ?? "")" }
        }
        #expect(known.sorted() == columns.sorted())
    }

    @Test("A target with rows is refused; nothing changes")
    func refusals() async throws {
        let site = try await livedIn()
        let taken = try Site(.postgresql)
        #expect(refusal { _ = try copy(site, to: taken) }?.code == .refused)
        #expect(try taken.count("SELECT count(*) FROM reservation") == 0)
    }

    @Test("A failure on the way leaves the target empty, and the next try copies all")
    func failures() async throws {
        let site = try await livedIn()
        let target = try Site(movedTo: .postgresql, of: site)
        let tables = try SQLiteDatabase.open(path: site.path, for: .administer).tables()
        let plan = FaultPlan()
        var operations = 0
        while true {
            plan.arm(after: operations)
            let failed = refusal {
                _ = try copy(site, to: target) { FaultyDatabase($0, plan: plan) }
            }
            if plan.disarm() { break }
            #expect(failed?.code == .inputOutput)
            #expect(try isEmpty(target, tables), "after \(operations) operations")
            // Every operation resembles one of its neighbours, so a sample is enough.
            operations += 13
        }
        #expect(operations > 100)
        #expect(try !isEmpty(target, tables))
    }

    @Test("A row that was changed on the way is found, and nothing is kept")
    func altered() async throws {
        let site = try await livedIn()
        let target = try Site(movedTo: .postgresql, of: site)
        let database = try target.open(for: .administer)
        try database.run(
            script: """
                CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN NEW.cause := 'confirmed'; RETURN NEW; END $$;
                CREATE TRIGGER spoiled BEFORE INSERT ON reservation FOR EACH ROW
                    EXECUTE FUNCTION spoil();
                """)
        let error = refusal { _ = try copy(site, to: target) }
        #expect(error?.code == .corrupt && error?.description.contains("reservation") == true)
        #expect(try target.count("SELECT count(*) FROM shop") == 0)
        try database.run(script: "DROP TRIGGER spoiled ON reservation")
        // SQLite accepts a text in a column of numbers.
        try site.run(
            "UPDATE reservation SET people_ahead = 'many' WHERE number = 1")
        let strange = refusal { _ = try copy(site, to: target) }
        #expect(strange?.code == .corrupt && strange?.description.contains("reservation") == true)
    }
}
