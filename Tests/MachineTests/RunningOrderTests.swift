import KioskFlow
import Reservations
import TestSupport
import Testing

@testable import KioskRuntime

@Suite("The running machine prints the ticket of an order again", .timeLimit(.minutes(10)))
@MainActor
struct RunningOrderTests {
    private let machine: FakeMachine
    private let asked = Locked(false)

    init() throws { machine = try FakeMachine() }

    /// A running machine at Home of a shop with a desk.
    private func kiosk(finding found: PickupOrder) async -> Kiosk {
        var backend = FakeBackend.openShop()
        backend.onShop = { .success(BackendFacts.profile(hasDesk: true)) }
        backend.onOrder = { .success(found) }
        backend.onArrive = { [asked] _ in
            asked.change { $0 = true }
            return .failure(.unanswered)
        }
        return await machine.atHome(backend)
    }

    private func paper(number: Int) -> IssuedPaper {
        IssuedPaper(
            key: AttemptKey("old-1"), number: .pickup(PickupNumber(rawValue: number)!),
            issued: BackendFacts.now.moment, outcome: .unknown,
            code: .order(BackendFacts.pickup.code),
            typedCode: BackendFacts.pickup.typedCode)
    }

    @Test("The staff print the ticket again while its customer is here, marked as a copy")
    func reprint() async {
        let kiosk = await kiosk(finding: BackendFacts.order(.fetching))
        kiosk.reprint(paper(number: 17), attempt: AttemptKey("copy-1"))
        #expect(await eventually { !machine.printed.isEmpty })
        #expect(machine.printed.first?.mark == "COPY" && machine.printed.first?.number == "C-017")
        #expect(machine.printed.first?.typedCode == "7419 384 512")
    }

    @Test(
        "A ticket is not printed again once its order was handed over, or has another number",
        arguments: [(OrderState.handedOver, 17), (.fetching, 18)])
    func noReprint(_ state: OrderState, _ number: Int) async {
        let kiosk = await kiosk(finding: BackendFacts.order(state, number: number))
        kiosk.reprint(paper(number: 17), attempt: AttemptKey("copy-1"))
        // A paper that may be missing is not needed any more then.
        #expect(await eventually { machine.records.contains(.resolved(AttemptKey("old-1"))) })
        #expect(machine.printed.isEmpty)
    }

    @Test("Nothing is asked of the backend about an order whose customer has gone")
    func resolver() async {
        let kiosk = await kiosk(finding: BackendFacts.order(.arrived))
        let key = AttemptKey("old-2")
        kiosk.resolver?.resolve(
            OpenRequest(
                key: key, what: .arrival(OrderID("order-1"), .entry(BackendFacts.pickup.code)),
                deleteWhenKnown: true))
        #expect(await eventually { machine.records.contains(.resolved(key)) })
        #expect(!asked.value)
    }
}
