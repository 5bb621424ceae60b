import BackendClient
import KioskFlow
import KioskRuntime
import MachineClock
import Reservations
import TestSupport
import Testing

@Suite("The backend is away or silent [faults 12-14]")
struct SilenceTests {
    @Test("Refused connections are noticed at once, and a later call is served [fault 12]")
    func refused() async throws {
        try await FaultyShop.with { shop in
            let clock = MachineClock(isRunning: false)
            let client = try shop.client(time: clock)
            try shop.proxy.refuse()
            let (failed, time) = await timed(by: clock) {
                await client.takePlace(.ticket, .fresh())
            }
            #expect(failed.failure == .unanswered)
            #expect(time < .seconds(3))
            let (poll, pollTime) = await timed(by: clock) { await client.queue() }
            #expect(poll.failure == .unanswered)
            // An attempt that waited for an answer would take this long.
            #expect(pollTime < .milliseconds(2_500))
            #expect(shop.proxy.log.isEmpty)
            try shop.proxy.accept()
            #expect(await client.takePlace(.ticket, .fresh()).failure == nil)
        }
    }

    @Test("A missing way to the backend is noticed within 3 s: no name, and no route [fault 12]")
    func unreachable() async throws {
        // Packets get no reply: a listener whose queue is full drops them (listen(2)).
        let full = try FullListener()
        for address in ["https://backend.invalid", "https://240.0.0.1", full.address] {
            let clock = MachineClock(isRunning: false)
            let tries = Locked(0)
            let client = BackendClient(
                servers: try BackendServers(address), time: clock,
                observe: { _ in tries.change { $0 += 1 } }
            ) { $0 }
            let (failed, time) = await timed(
                by: clock, unreached: tries, atMost: .milliseconds(1_500)
            ) {
                await client.takePlace(.ticket, .fresh())
            }
            #expect(failed.failure == .unanswered, "\(address)")
            #expect(time < .seconds(3), "\(address)")
            let (poll, pollTime) = await timed(
                by: clock, unreached: tries, atMost: .milliseconds(1_500)
            ) {
                await client.queue()
            }
            #expect(poll.failure == .unanswered, "\(address)")
            #expect(pollTime < .milliseconds(2_500), "\(address)")
        }
    }

    @Test("A backend that is back before the last try serves the waiting customer [fault 12]")
    func backInTime() async throws {
        try await FaultyShop.with { shop in
            let clock = MachineClock(isRunning: false)
            let isTried = Flag()
            let client = try shop.client(time: clock, observe: { _ in isTried.set() })
            try shop.proxy.refuse()
            let answer = Task { await client.takePlace(.ticket, .fresh()) }
            #expect(await eventually { isTried.isSet })
            try shop.proxy.accept()
            // The pause before the next try passes.
            #expect(await timed(by: clock) { await answer.value }.value.failure == nil)
        }
    }

    @Test(
        "Every call ends within its time, every try within 2.5 s, with one key [faults 13, 14]",
        arguments: [
            .neverAnswer,
            // A drip is ended by the total time, not by an idle time.
            .drip(.seconds(1)),
        ] as [Fault])
    func silent(fault: Fault) async throws {
        try await FaultyShop.with { shop in
            let holds = [try await shop.reservation().id, try await shop.reservation().id]
            let deleted = try await shop.reservation()
            // The last place is the machine's open hold.
            let hold = try await shop.hold()
            let before = shop.proxy.log.count
            shop.proxy.inject(fault)

            let place = AttemptKey.fresh()
            let confirm = AttemptKey.fresh()
            let other = (0..<3).map { _ in AttemptKey.fresh() }
            typealias Call = @Sendable (BackendClient) async -> BackendFailure?
            let calls: [(key: AttemptKey?, limit: Duration, make: Call)] = [
                (place, .seconds(9), { await $0.takePlace(.ticket, place).failure }),
                (confirm, .seconds(9), { await $0.confirm(hold, confirm).failure }),
                (other[0], .seconds(4.5), { await $0.extend(holds[0], other[0]).failure }),
                (other[1], .seconds(4.5), { await $0.release(holds[1], other[1]).failure }),
                (
                    other[2], .seconds(4.5),
                    { await $0.delete(deleted.id, .entry(deleted.code), other[2]).failure }
                ),
                (nil, .seconds(2.5), { await $0.queue().failure }),
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, call) in calls.enumerated() {
                    let clock = MachineClock(isRunning: false)
                    // A machine's new place ends its older one, so the first call is another machine's.
                    let client = try shop.client(machine: index == 0 ? 1 : 0, time: clock)
                    group.addTask {
                        let (failure, time, longestTry) = await timed(
                            by: clock,
                            tries: {
                                shop.proxy.log.dropFirst(before)
                                    .count { $0.key == call.key?.rawValue }
                            }, { await call.make(client) })
                        #expect(failure == .unanswered && time <= call.limit, "\(index)")
                        #expect(longestTry <= .milliseconds(2_500), "\(index)")
                    }
                }
                try await group.waitForAll()
            }

            let tries = shop.proxy.log.dropFirst(before)
            for key in [place, confirm] + other {
                let own = tries.filter { $0.key == key.rawValue }
                #expect((2...4).contains(own.count))
                // Each key belongs to one request only.
                #expect(Set(own.map { $0.method + $0.path }).count == 1)
            }
            #expect(tries.allSatisfy { $0.method == "GET" || $0.key != nil })
            #expect(Set(tries.compactMap(\.key)).count == 5)
            shop.proxy.pass()
            #expect(await eventually { shop.proxy.log.allSatisfy { $0.ended != nil } })

            // The same key goes on after the last try: one row, whatever the tries achieved.
            let resumed = try await shop.client().confirm(hold, confirm).get()
            #expect(try await shop.numbered().filter { $0.id == hold.rawValue }.count == 1)
            #expect(resumed.id == hold)
            try await shop.judge()
        }
    }
}
