internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Synchronization
internal import Testing

internal import func TestSupport.eventually

@Suite("Calls for help in the store, on both engines (rules: help)", .stopsStores)
struct HelpStoreTests {
    /// Raises a call as a machine; the identifier of the call.
    private func raise(
        _ store: QueueStore, _ machine: String = "door-1", key: String = fresh("key")
    ) async throws -> HelpCall {
        _ = try await store.words(
            .make(.help(.raise(machine: MachineID(machine))), machine: machine, key: key))
        return try #require(
            store.helpCalls(of: Site.shopID)?.calls.last { $0.machine.rawValue == machine })
    }

    private func calls(_ store: QueueStore) -> [HelpCall] {
        store.helpCalls(of: Site.shopID)?.calls ?? []
    }

    @Test(
        "A call is in memory as soon as it is answered, and still there after a restart",
        arguments: engines)
    func restart(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let (call, going) = try await site.serve { store in
            let call = try await raise(store, key: "k")
            #expect(try await raise(store, key: "k") == call, "the same key")
            #expect(try await raise(store) == call, "the machine's open call")
            _ = try await store.words(.make(.help(.acknowledge(call.id, by: "Giulia"))))
            return (call, calls(store))
        }
        #expect(going.first?.going != nil && going.count == 1)
        let store = try site.store()
        #expect(calls(store) == going)
        _ = try await store.words(.make(.help(.end(call.id, .helped, by: .staff))))
        #expect(calls(store).map(\.end) == [.helped])
        #expect(
            try site.texts("SELECT going_by || ' ' || ending FROM help_call") == ["Giulia helped"])
        site.clock.pass(.minutes(2))
        #expect(calls(store).isEmpty)
    }

    @Test(
        "A closed shop refuses a call; time alone ends one to which a staff member went",
        arguments: engines)
    func time(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        site.clock.set(Site.at("19:59"))
        let call = try await raise(store)
        _ = try await store.words(
            .make(.help(.acknowledge(call.id, by: nil)), at: site.clock.now))
        site.clock.set(Site.at("20:10"))
        let refused = try await store.words(
            .make(
                .help(.raise(machine: MachineID("door-2"))), machine: "door-2", at: site.clock.now))
        #expect(refused == ["refused", "shop-closed"])
        #expect(calls(store).map(\.isOpen) == [true])
        site.clock.set(Site.at("20:29"))
        // The store looks at its queues by itself, twice a second.
        #expect(await eventually { calls(store).map(\.end) == [.expired] })
        #expect(try site.count("SELECT count(*) FROM help_call WHERE ending = 'expired'") == 1)
    }

    @Test(
        "The help program starts once each minute, by one of two servers, until a staff member goes"
    )
    func program() async throws {
        let site = try Site(.postgresql)
        let first = try site.store()
        let second = try site.store()
        let started = Mutex<[String]>([])
        for (name, store) in [("first", first), ("second", second)] {
            store.startHelpProgram { shop, call, times in
                started.withLock {
                    $0.append("\(name) \(shop.tag.rawValue) \(call.machine) \(times)")
                }
            }
        }
        let call = try await raise(first)
        for minute in 1...3 {
            site.clock.pass(.seconds(61))
            #expect(await eventually { started.withLock { $0.count } == minute })
            let last = try #require(started.withLock { $0.last })
            #expect(last.hasSuffix(" DEMO door-1 \(minute)"))
        }
        _ = try await second.words(
            .make(.help(.acknowledge(call.id, by: nil)), at: site.clock.now))
        site.clock.pass(.seconds(120))
        // Both servers look twice a second; a start that must not come would have come by then.
        #expect(await eventually { calls(first).first?.going != nil })
        for store in [first, second] { store.tick() }
        #expect(started.withLock { $0.count } == 3)
        #expect(try site.count("SELECT program_runs FROM help_call") == 3)
    }

    @Test("A call reaches the other server even if the notice of it is lost")
    func lostNotice() async throws {
        let site = try Site(.postgresql)
        let first = try site.store()
        // Without a signal, as if every notice were lost.
        let second = try QueueStore(
            database: try site.open(for: .serve), now: { [clock = site.clock] in clock.now },
            openings: { _, _ in [] },
            local: { moment, _ in LocalMoment(moment, offsetMinutes: 60) },
            randomBytes: { Array(repeating: 7, count: $0) })
        let seen = Mutex(0)
        second.observeHelp { _ in seen.withLock { $0 += 1 } }
        let call = try await raise(first)
        #expect(await eventually { calls(second).map(\.id) == [call.id] })
        #expect(seen.withLock { $0 } == 1)
    }

    @Test(
        "Whatever operation fails, no call is acknowledged that is not stored, and the key makes one",
        arguments: engines)
    func everyOperation(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let (store, plan) = try site.faulty(isStepped: true)
        var failures = 0
        for operation in 0..<100 {
            let machine = "door-\(operation)"
            func request() -> AuthenticatedRequest {
                .make(
                    .help(.raise(machine: MachineID(machine))), machine: machine,
                    key: "k\(operation)")
            }
            func stored() throws -> Int {
                try site.count("SELECT count(*) FROM help_call WHERE machine = '\(machine)'")
            }
            plan.arm(after: operation)
            let result = await store.ask(request())
            if !plan.disarm() { failures += 1 }
            if result.answer != nil { #expect(try stored() == 1, "operation \(operation)") }
            // The store may have to connect again.
            #expect(
                await eventually { await store.ask(request()).answer != nil },
                "operation \(operation)")
            #expect(try stored() == 1, "operation \(operation)")
            #expect(
                await eventually {
                    store.tick()
                    return calls(store).contains { $0.machine.rawValue == machine }
                })
            if failures < operation + 1 { break }
        }
        #expect(failures > 5)
    }

    @Test("Two open calls of one machine are found by the check; old ones are pruned")
    func rows() async throws {
        let (site, store) = try Site.serving(.sqlite)
        _ = try await raise(store)
        store.stop()
        #expect(try site.findings().isEmpty)
        try site.run(
            """
            INSERT INTO help_call (shop_id, id, machine, raised_ms) VALUES ('s1', 'zz', 'door-1', 0)
            """)
        #expect(try site.findings() == ["machine door-1 has 2 open calls for help"])
        for (day, left) in [(Site.day, 2), (Site.day.advanced(by: 1), 1)] {
            try site.prune(before: day)
            #expect(try site.count("SELECT count(*) FROM help_call") == left)
        }
    }
}
