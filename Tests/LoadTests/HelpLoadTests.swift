import BackendAPI
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("Calls for help while servers fail")
struct HelpLoadTests {
    /// What happens to the servers meanwhile; one of them always works.
    enum Trouble: String, CaseIterable {
        case nothing, killed, hung, databaseKilled

        /// The time without a fault is measured by clup-bench too.
        static let tested = TestLength.choose([killed, hung, databaseKilled], long: allCases)
    }

    /// When each call was first seen at a page.
    private typealias Seen = Locked<[HelpCallID: ContinuousClock.Instant]>

    /// A page that gives up a silent socket after two seconds and tries the other server, until the flag is set.
    private static func watch(_ chain: LoadChain, page index: Int, _ seen: Seen, until isOver: Flag)
    {
        let page = chain.staffPage(index)
        var turn = index
        while !isOver.isSet {
            let port = chain.ports[turn % chain.ports.count]
            turn += 1
            guard var feed = try? Feed(page, port: port, silence: 2_000) else {
                usleep(100_000)
                continue
            }
            while !isOver.isSet, let message = feed.next(HelpMessage.self) {
                let now = ContinuousClock.now
                seen.change { seen in
                    for call in message.calls { seen[call.id] = seen[call.id] ?? now }
                }
            }
            feed.end()
        }
    }

    /// A customer at a machine calls for help, and says a moment later that it was a mistake; the time until a page
    /// shows the call.
    private static func call(_ machine: Caller, _ seen: Seen) throws -> Duration {
        let start = ContinuousClock.now
        let raised = try machine.insist(.help)
        #expect(raised.status == 201)
        let call = try raised.decoded(HelpCall.self)
        while seen.value[call.id] == nil {
            guard ContinuousClock.now - start < .seconds(60) else {
                throw TestSupportError("the call \(call.id) is shown at no page")
            }
            usleep(1_000)
        }
        let ended = try machine.insist(.helpCall(call.id), #"{"end":"mistake"}"#)
        #expect(ended.status == 200)
        return (seen.value[call.id] ?? start) - start
    }

    @Test(
        "Every call reaches a page, is there once, and none is lost [fault 61]",
        arguments: Trouble.tested)
    func calls(trouble: Trouble) async throws {
        var dice = Dice("help-\(trouble.rawValue)")
        let postgres = trouble == .databaseKilled ? try PostgresServer() : nil
        let plan = LoadChain.Plan(servers: 2, machines: 4, hasDoors: true, staffPages: 2)
        try await LoadChain.with(.postgresql, plan, postgres: postgres) { chain in
            let seen = Seen([:])
            let pages = Flag()
            async let watching: [Void] = onThreads(plan.staffPages) { index in
                Self.watch(chain, page: index, seen, until: pages)
            }
            let times = try await onThreads(plan.machines) { index, isOver in
                let machine = chain.machine(index, oneTry: 1_000)
                var times: [Duration] = []
                while !isOver.isSet {
                    times.append(try Self.call(machine, seen))
                    usleep(200_000)
                }
                return times
            } while: {
                try await bring(trouble, to: chain, postgres, &dice)
                _ = await patiently { seen.value.count > plan.machines }
            }.flatMap(\.self)
            pages.set()
            _ = try await watching
            print(
                "load: help, \(trouble.rawValue) [61]: \(times.count) calls; at the first page \(times.spread)"
            )
            fflush(nil)
            try await chain.ledger.judge("help, \(trouble.rawValue) [61]", chain, seed: dice.seed)
            #expect(times.count > plan.machines)
            let rows = try await Checker.helpRows(database: chain.database)
            #expect(rows.count == times.count, "no call is there twice")
        }
    }

    private func bring(
        _ trouble: Trouble, to chain: LoadChain, _ postgres: PostgresServer?, _ dice: inout Dice
    ) async throws {
        let rounds = TestLength.choose(2, long: 30)
        for round in 0..<rounds {
            try await ContinuousClock().sleep(for: .milliseconds(1_500 + dice.index(1_000)))
            let server = chain.servers[round % 2]
            switch trouble {
            case .nothing: break
            case .killed: try await server.killAndRestart()
            case .hung:
                server.signal(SIGSTOP)
                try await ContinuousClock().sleep(for: .seconds(4))
                server.signal(SIGCONT)
            case .databaseKilled: try postgres?.killServer()
            }
        }
        try await ContinuousClock().sleep(for: .seconds(1))
    }
}
