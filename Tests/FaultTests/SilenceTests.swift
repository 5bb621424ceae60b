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

    /// The ways to be silent; a drip is ended by the total time, not by an idle time.
    enum Silence: CaseIterable {
        case neverAnswers, dripsAByteASecond

        var fault: Fault {
            switch self {
            case .neverAnswers: .neverAnswer
            case .dripsAByteASecond: .drip(.seconds(1))
            }
        }
    }

    @Test(
        "Every call ends within its time, every try within 2.5 s, with one key [faults 13, 14]",
        arguments: Silence.allCases)
    func silent(silence: Silence) async throws {
        try await FaultyShop.with { shop in
            let holds = [try await shop.reservation().id, try await shop.reservation().id]
            let deleted = try await shop.reservation()
            // The last place is the machine's open hold.
            let hold = try await shop.hold()
            let before = shop.proxy.log.count
            shop.proxy.inject(silence.fault)

            let place = AttemptKey.fresh()
            let confirm = AttemptKey.fresh()
            let other = (0..<3).map { _ in AttemptKey.fresh() }
            // A machine's new place ends its older one, so the first call is another machine's.
            let clocks = (0..<6).map { _ in MachineClock(isRunning: false) }
            let clients = try clocks.indices.map {
                try shop.client(machine: $0 == 0 ? 1 : 0, time: clocks[$0])
            }
            @Sendable func ended(
                _ index: Int, _ key: AttemptKey?,
                _ call: @escaping @Sendable (BackendClient) async -> BackendFailure?
            ) async -> (value: BackendFailure?, time: Duration) {
                let (value, time, longestTry) = await timed(
                    by: clocks[index],
                    tries: {
                        shop.proxy.log.dropFirst(before).count { $0.key == key?.rawValue }
                    }, { await call(clients[index]) })
                #expect(longestTry <= .milliseconds(2_500))
                return (value, time)
            }
            async let asked = ended(0, place) { await $0.takePlace(.ticket, place).failure }
            async let confirmed = ended(1, confirm) { await $0.confirm(hold, confirm).failure }
            async let extended = ended(2, other[0]) {
                await $0.extend(holds[0], other[0]).failure
            }
            async let released = ended(3, other[1]) {
                await $0.release(holds[1], other[1]).failure
            }
            async let gone = ended(4, other[2]) {
                await $0.delete(deleted.id, .entry(deleted.code), other[2]).failure
            }
            async let polled = ended(5, nil) { await $0.queue().failure }
            for (failure, time) in await [asked, confirmed] {
                #expect(failure == .unanswered)
                #expect(time <= .seconds(9))
            }
            for (failure, time) in await [extended, released, gone] {
                #expect(failure == .unanswered)
                #expect(time <= .milliseconds(4_500))
            }
            let (failure, time) = await polled
            #expect(failure == .unanswered)
            #expect(time <= .milliseconds(2_500))

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
            let resumed = try await clients[1].confirm(hold, confirm).get()
            #expect(try await shop.numbered().filter { $0.id == hold.rawValue }.count == 1)
            #expect(resumed.id == hold)
            try await shop.judge()
        }
    }

    @Test("A customer who gives up and asks again waits no longer than 9 s [fault 13]")
    func secondCustomer() async throws {
        try await FaultyShop.with { shop in
            shop.proxy.inject(.neverAnswer)
            let clock = MachineClock(isRunning: false)
            let client = try shop.client(time: clock)
            let tries = { shop.proxy.asked("POST", "/holds").count }
            let first = Task { await client.takePlace(.ticket, .fresh()).failure }
            #expect(await eventually { tries() == 1 })
            let (second, _, _) = await timed(by: clock, tries: tries) {
                let begin = clock.now
                let failure = await client.takePlace(.ticket, .fresh()).failure
                return (failure: failure, time: begin.duration(to: clock.now))
            }
            #expect(second.failure == .unanswered)
            #expect(second.time <= .seconds(9))
            #expect(await first.value == .unanswered)
        }
    }
}
