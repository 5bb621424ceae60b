import Foundation
import TestSupport
import Testing

@Suite("Notices to phones while servers are killed and push services fail")
struct NoticeLoadTests {
    /// The time during which a server is killed every two seconds.
    private static let length = TestLength.choose(Duration.seconds(6), long: .seconds(120))
    /// The time after that in which calls go on: until a push service that broke off is asked again.
    private static let calm = Duration.seconds(7)
    /// How long a push service is down, once.
    private static let outage = TestLength.choose(Duration.seconds(2), long: .seconds(10))
    /// Longer than the lease of a server, and than the longest pause before a notice is tried again.
    private static let lease = Duration.seconds(65)

    /// Kills servers while the shaky push service is stopped once; returns when that was.
    private static func trouble(
        _ chain: LoadChain, _ services: PushServicePair, _ dice: Dice
    ) async throws -> (kills: [Date], outages: [Date]) {
        async let outages = stop(services.shaky, of: chain)
        let kills = try await chain.killServers(for: length, dice.other("kills"))
        return (kills, try await outages)
    }

    private static func stop(
        _ service: FakePushService, of chain: LoadChain
    ) async throws -> [Date] {
        try await ContinuousClock().sleep(for: length / 3)
        var outages = [Date.now]
        service.stop()
        // So often the outage is noted: each second of it may keep a notice. It lasts until customers have come meanwhile.
        let before = chain.ledger.answered(200, "/v1/entries")
        repeat {
            try await ContinuousClock().sleep(for: .seconds(1))
            outages.append(.now)
        } while outages.count <= Int(outage / .seconds(1))
            || chain.ledger.answered(200, "/v1/entries") < before + 40 && outages.count < 60
        try service.start()
        return outages
    }

    /// Waits until every notice that is of use is sent. In a short run the servers start again with a later clock, so that
    /// the leases of killed ones have ended.
    private static func drain(_ chain: LoadChain, _ services: PushServicePair) async throws {
        services.enter(.over)
        try await WallClock.with(offset: lease) { clock in
            let restarted = TestLength.isLong ? [] : chain.servers
            for server in restarted { await server.stop() }
            for server in restarted {
                try await server.start(.init(environment: clock.environment))
            }
            let isEmpty = try await eventually(
                within: lease * 3, maxPause: .milliseconds(200)
            ) {
                try await chain.count(of: "notice") == 0
            }
            #expect(isEmpty, "every notice has ended")
        }
    }

    @Test(
        "No notice of a call is lost, and none is sent for what was undone; delays and withdrawals are carried out once, and calls follow the order [fault 65]",
        arguments: Engine.allCases)
    func killed(engine: Engine) async throws {
        let dice = Dice("notices")
        let services = try PushServicePair(dice)
        let keys = try await PushBrowser()
        let known = Locked<[String: NoticedBrowser]>([:])
        var plan = LoadChain.Plan(
            servers: engine.servers, machines: 8, capacity: 40, stayMinutes: 1,
            hasDoors: true)
        plan.settings = ["--delays", "yes"]
        plan.hasPhones = true
        plan.surroundings.options = ["--push-services", services.list]
        try await LoadChain.with(engine, plan) { [plan] chain in
            var trouble: (kills: [Date], outages: [Date]) = ([], [])
            let changes = ["/delay", "/withdrawal"]
            _ = try await onThreads(plan.machines) { index, isOver in
                let customers = NoticedCustomers(
                    index, of: chain, services, keys, known, dice.other("machine \(index)"))
                while !isOver.isSet {
                    try customers.step()
                    usleep(15_000)
                }
            } while: {
                trouble = try await Self.trouble(chain, services, dice)
                services.enter(.calm)
                try await ContinuousClock().sleep(for: Self.calm)
                _ = await patiently { changes.allSatisfy { chain.ledger.answered(204, $0) > 0 } }
            }
            let start = ContinuousClock.now
            try await Self.drain(chain, services)
            let drained = start.duration(to: .now)
            try await chain.ledger.judge("notices [65]", chain, seed: dice.seed)
            let browsers = known.value
            let figures = try await NoticeJudge(
                chain, services, keys, browsers, kills: trouble.kills, outages: trouble.outages
            ).judged()
            print(
                "load: notices sent [65], \(engine.rawValue), seed \(dice.seed): \(trouble.kills.count) kills, "
                    + "\(browsers.count) browsers, \(figures.posts) pushes, \(figures.refused) of them "
                    + "refused; taken \(figures.summary); outbox empty within "
                    + "\(Int(drained / .milliseconds(1))) ms; "
                    + (figures.violations.isEmpty
                        ? "none lost, none wrong" : "\(figures.violations.count) broken"))
            fflush(nil)
            #expect(
                figures.violations.isEmpty,
                "seed \(dice.seed): \(figures.violations.prefix(8).joined(separator: "\n"))")
            #expect(figures.lasting > 5, "customers still wait to enter")
            #expect(figures.overtaken > 0, "customers came before their notice")
            for change in changes {
                #expect(chain.ledger.answered(204, change) > 0, "\(change)")
            }
        }
    }
}
