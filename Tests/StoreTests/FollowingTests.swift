internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

internal import class TestSupport.PostgresServer
internal import func TestSupport.eventually

@Suite("How a server follows the changes of another one", .stopsStores)
struct FollowingTests {
    @Test("A server reads another one's changes, and everything only if the changes are not listed")
    func follows() async throws {
        let site = try Site(.postgresql, capacity: 3)
        let first = try site.store(isStepped: true)
        let (second, plan) = try site.faulty(isStepped: true)
        var readsEverything: Bool {
            plan.statements.contains { $0.contains("state = 'planned' OR") }
        }
        #expect(readsEverything)
        plan.forgetStatements()
        for round in 0..<3 {
            var tickets: [TakenPlace] = []
            for number in 0..<4 {
                tickets.append(
                    try await (number.isMultiple(of: 2) ? first : second).ticket("m\(number)"))
            }
            _ = try await first.hold("m8")
            try await first.giveBack(tickets[3])
            try await first.pass(tickets[0], .entrance)
            if round == 1 { _ = try await first.words(.make(.staff(.occupancy(people: 2)))) }
            try await first.pass(tickets[0], .exit(.checkout))
            _ = try await second.hold("m9")
            #expect(try isLikeNew(second, of: site))
        }
        #expect(plan.statements.contains { $0.contains("FROM queue_change") } && !readsEverything)
        _ = try await first.ticket()
        // Deleted in one transaction, as an administrator might: the changes of the ticket may have been read before.
        try site.run(
            "DELETE FROM queue_change; UPDATE change_sequence SET queue = queue + 1")
        _ = try await second.hold("m9")
        #expect(try isLikeNew(second, of: site) && readsEverything)
    }

    @Test(
        "After a failover to a standby without the last commits, every server forgets those"
    )
    func lostCommits() async throws {
        let server = try PostgresServer()
        let site = try Site(.postgresql, server: server)
        let name = try site.texts("SELECT current_database()")[0]
        let before = try site.store()
        try await before.ticket()
        before.stop()
        // A database can be copied only while it has no connections.
        try await server.administer(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'")
        try await server.administer("CREATE DATABASE standby TEMPLATE \(name)")
        // These stores look at the database only when the test steps them.
        let (first, second) = (try site.store(isStepped: true), try site.store(isStepped: true))
        for machine in 0..<3 { try await first.ticket("m\(machine)") }
        second.tick()
        #expect(second.turns(of: Site.shopID)?.called.count == 4)
        let count = try site.count("SELECT queue FROM change_sequence")
        try await server.administer("DROP DATABASE \(name) WITH (FORCE)")
        try await server.administer("ALTER DATABASE standby RENAME TO \(name)")
        // Makes as many changes as there were, so that the count is the known one.
        let third = try site.store(isStepped: true)
        for _ in 0..<2 { try await third.ticket("other") }
        for _ in 0..<2 { _ = try await third.hold("other") }
        #expect(try site.count("SELECT queue FROM change_sequence") == count)
        for store in [first, second] {
            // The first look finds that the connection is gone.
            let isLike = try await eventually {
                store.tick()
                return try isLikeNew(store, of: site)
            }
            #expect(isLike)
            #expect(try await store.ticket().number == (store === first ? 4 : 5))
        }
    }

    /// Whether the store shows the same as a store that has just started.
    private func isLikeNew(_ store: QueueStore, of site: Site) throws -> Bool {
        let new = try site.store(isStepped: true)
        defer { new.stop() }
        return store.turns(of: Site.shopID) == new.turns(of: Site.shopID)
            && store.status(of: Site.shopID) == new.status(of: Site.shopID)
            && store.staffQueue(of: Site.shopID) == new.staffQueue(of: Site.shopID)
    }
}
