internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import TestSupport
internal import Testing

@Suite("Faults", .stopsStores)
struct FaultTests {
    /// More operations than one ticket has; the loop ends when the fault does not happen any more.
    static let limit = 200

    @Test(
        "A failure at any operation of a ticket leaves all or nothing of it, and a retry finishes it"
    )
    func everyOperation() async throws {
        let site = try Site(.sqlite)
        let (store, plan) = try site.faulty()
        var tickets = 0
        for operation in 0..<Self.limit {
            let machine = "door-\(operation)"
            plan.arm(after: operation)
            let hold = AuthenticatedRequest.make(.hold(.ticket), machine: machine)
            var held = await store.ask(hold)
            if case .unavailable = held {
                let open = "SELECT count(*) FROM reservation WHERE machine = '\(machine)'"
                #expect(try site.count(open) == 0)
                held = await store.ask(hold)
            }
            let id = ReservationID(try store.words(of: held)[1])
            let planned = "SELECT count(*) FROM reservation WHERE id = '\(id)' AND state = 'called'"
            let confirm = AuthenticatedRequest.make(.confirm(id), machine: machine)
            var confirmed = await store.ask(confirm)
            if case .unavailable = confirmed {
                #expect(try site.count(planned) == 0)
                confirmed = await store.ask(confirm)
            }
            tickets += 1
            #expect(try store.words(of: confirmed)[1] == "\(tickets)")
            #expect(try site.count(planned) == 1)
            if plan.disarm() { break }
        }
        #expect((10..<Self.limit).contains(tickets))
        #expect(try site.count("SELECT count(*) FROM reservation") == tickets)
        #expect(try site.count("SELECT count(*) FROM reservation_event") == 3 * tickets)
        #expect(store.trouble() == nil)
    }

    @Test("A failed look at the database is forgotten at the next one, even without a request")
    func look() async throws {
        let site = try Site(.sqlite)
        let (store, plan) = try site.faulty()
        defer { store.stop() }
        plan.arm(after: 0)
        // The look itself happens without a request. What it found may be forgotten by now.
        #expect(await eventually { !plan.isArmed })
        #expect(await eventually { store.trouble() == nil })
    }

    @Test("A process that ends at any operation of a confirmation leaves all or nothing of it")
    func ends() async throws {
        for operation in 0..<Self.limit {
            let site = try Site(.sqlite)
            let plan = FaultPlan()
            var request: AuthenticatedRequest?
            do {
                let store = try site.store { FaultyDatabase($0, plan: plan) }
                let id = try await store.hold()
                plan.arm(after: operation)
                request = .make(.confirm(id))
                if let request { _ = await store.ask(request) }
            }
            // The store is not stopped: the next connection acts as another process's connection to the same file.
            let planned = try site.count("SELECT count(*) FROM reservation WHERE number = 1")
            let counter = try site.count("SELECT coalesce(sum(last_number), 0) FROM day_counter")
            let answers = try site.count("SELECT count(*) FROM idempotency") - 1
            let events = try site.count("SELECT count(*) FROM reservation_event") - 1
            // The confirmation and the call that follows at once are two events.
            #expect([2 * planned, 2 * counter, 2 * answers, events].allSatisfy { $0 == events })
            let store = try site.store(on: try site.open(for: .administer))
            request?.nonce?.value = fresh("nonce")
            if let request { #expect(try await store.words(request)[1] == "1") }
            store.stop()
            if plan.disarm() { return }
        }
        Issue.record("a confirmation has more operations than expected")
    }

    @Test("If one command's row is refused, the other commands of its batch are kept")
    func oneInBatch() async throws {
        let site = try Site(.sqlite)
        let (store, plan) = try site.faulty()
        for operation in 0..<60 {
            let machines = (0..<4).map { "m\(operation)-\($0)" }
            plan.arm(after: operation, code: .constraint)
            let results = try await atOnce(machines) {
                await store.ask(.make(.hold(.ticket), machine: $0))
            }
            let refused = results.count { $0.error != nil }
            // Begin, savepoint and prune belong to the whole batch.
            let held = try site.count(
                "SELECT count(*) FROM reservation WHERE machine LIKE 'm\(operation)-%'")
            #expect(held == 4 - refused)
            _ = plan.disarm()
        }
        for number in 1...3 { #expect(try await store.ticket().number == number) }
    }

    @Test("On a full disk nothing is acknowledged; when it has room the store recovers by itself")
    func diskFull() async throws {
        let site = try Site(.sqlite)
        let plan = FaultPlan()
        // Only the tickets write: a test row of the store might fit, and the store would seem well again.
        let store = try site.store(
            on: FaultyDatabase(try site.open(for: .serve), plan: plan), isStepped: true)
        try await store.ticket()
        let pages = try site.count("PRAGMA page_count")
        plan.run("PRAGMA max_page_count = \(pages + 2)")
        var confirmed = 1
        var refusal: StoreError?
        for _ in 0..<2_000 where refusal == nil {
            do {
                try await store.ticket()
                confirmed += 1
            } catch let error as StoreError {
                refusal = error
            }
        }
        #expect(refusal?.code == .full)
        #expect(store.trouble()?.code == .full)
        #expect(
            try site.count("SELECT count(*) FROM reservation WHERE state='called'") == confirmed)
        plan.run("PRAGMA max_page_count = 1000000")
        #expect(try await store.ticket().number == confirmed + 1)
        #expect(store.trouble() == nil)
    }

    @Test(
        "A hold that another program ended in the database is not confirmed, and the store notices",
        arguments: engines)
    func changedElsewhere(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        let id = try await store.hold()
        try site.run(
            "UPDATE reservation SET state = 'deleted', cause = 'cancelled' WHERE state = 'pending'")
        #expect(try await store.words(.make(.confirm(id))) == ["refused", "hold-lapsed"])
        #expect(try await store.ticket().number == 1)
    }

    @Test("A database locked by another process is waited for, and nothing is lost")
    func locked() async throws {
        let (site, store) = try Site.serving(.sqlite)
        let administration = try site.open(for: .administer)
        try administration.beginWrite()
        async let ticket = store.ticket()
        // The writer is at the lock or will be; in both cases it must get its turn.
        administration.rollback()
        #expect(try await ticket.number == 1)
    }
}
