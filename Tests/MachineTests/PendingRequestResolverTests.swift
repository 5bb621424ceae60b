import KioskFlow
import MachineClock
import Reservations
import Testing

@testable import KioskRuntime

@Suite(
    "A reservation that was given up is deleted once its outcome is known (rules: unanswered-confirmation)",
    .timeLimit(.minutes(10)))
@MainActor
struct PendingRequestResolverTests {
    /// A backend whose answer to a confirmation is set by the test.
    @MainActor
    private final class World {
        var failure: BackendFailure? = .refusal(.notAuthentic)
        var confirmed: [AttemptKey] = []
        var resolved: [AttemptKey] = []
        var log: [String] = []
        var underWay = 0
        var mostAtOnce = 0
    }

    private let world = World()
    private let time = MachineClock()

    private var backend: FakeBackend {
        let world = world
        return FakeBackend(onConfirm: { key in
            await MainActor.run {
                world.confirmed.append(key)
                world.underWay += 1
                world.mostAtOnce = max(world.mostAtOnce, world.underWay)
            }
            await Task.yield()
            return await MainActor.run {
                world.underWay -= 1
                // If the place does not exist any more, that is as good as a deletion.
                return .failure(world.failure ?? .refusal(.notFound))
            }
        })
    }

    private func resolver() -> PendingRequestResolver {
        let world = world
        return PendingRequestResolver(
            backend: backend, time: time, log: { world.log.append($0) }
        ) {
            world.resolved.append($0)
        }
    }

    private func open(_ number: Int) -> OpenRequest {
        OpenRequest(
            key: AttemptKey("key-\(number)"), what: .place(ReservationID("hold-\(number)")),
            deleteWhenKnown: true)
    }

    @Test("A revoked key is tried once and logged once; open requests wait for its return")
    func revoked() async {
        let resolver = resolver()
        for number in 1...50 { resolver.resolve(open(number)) }
        #expect(await comes { !world.log.isEmpty })
        await pass(.seconds(599), of: time)
        #expect(world.confirmed.count == 1)
        #expect(world.log.count == 1)
        #expect(world.resolved.isEmpty)
        world.failure = nil
        resolver.retryNow()
        #expect(await comes { world.resolved.count == 50 })
        #expect(world.resolved == (1...50).map { AttemptKey("key-\($0)") })
        #expect(world.mostAtOnce == 1)
        #expect(world.log.count == 1)
    }

    @Test("A backend that is away is asked about one request, not about each")
    func away() async {
        world.failure = .unanswered
        let resolver = resolver()
        for number in 1...50 { resolver.resolve(open(number)) }
        #expect(await comes { !world.confirmed.isEmpty })
        // Again after two seconds, and after five more.
        await pass(.seconds(12), of: time)
        #expect(world.confirmed.count == 3 && Set(world.confirmed).count == 1)
        #expect(world.log.isEmpty)
        world.failure = nil
        resolver.retryNow()
        #expect(await comes { world.resolved.count == 50 })
    }

    @Test("A request that cannot be resolved does not block the others")
    func oneIsRefused() async {
        world.failure = .refusal(.malformed)
        let resolver = resolver()
        resolver.resolve(open(1))
        #expect(await comes { world.confirmed.count == 1 && world.underWay == 0 })
        world.failure = nil
        resolver.resolve(open(2))
        #expect(await comes { world.resolved.count == 2 })
    }
}
