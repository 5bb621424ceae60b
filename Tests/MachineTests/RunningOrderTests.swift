import KioskFlow
import Reservations
import TestSupport
import Testing

@testable import KioskRuntime

@Suite("The running machine hands out the number of an order (rules 41)", .timeLimit(.minutes(10)))
@MainActor
struct RunningOrderTests {
    private let machine: FakeMachine
    /// The keys with which the backend was asked, each with the records that the disk had by then.
    private let asked = Locked<[(key: AttemptKey, records: [JournalRecord])]>([])

    init() throws { machine = try FakeMachine() }

    /// A running machine at Home of a shop with a desk.
    private func kiosk(
        finding found: PickupOrder,
        _ arrival: @escaping @Sendable () -> BackendAnswer<PickupOrder> = { .failure(.unanswered) }
    ) async -> Kiosk {
        var backend = FakeBackend.openShop()
        backend.onShop = { .success(BackendFacts.profile(hasDesk: true)) }
        backend.onOrder = { .success(found) }
        backend.onArrive = { [asked, machine] key in
            let records = await machine.records
            asked.change { $0.append((key, records)) }
            return arrival()
        }
        return await machine.atHome(backend)
    }

    @Test("A code at Home shows the order; *I am here* is on disk, then sent, shown and printed")
    func arrives() async throws {
        let kiosk = await kiosk(finding: BackendFacts.order(.onShelf)) {
            .success(BackendFacts.order(.arrived, ticket: BackendFacts.pickup))
        }
        kiosk.codeRead(BackendFacts.pickup.code.rawValue)
        #expect(await eventually { machine.terminal.shown.contains("Order 4711, 2 parcels") })
        let isPrinted = await eventually {
            // The focus is on *I am here*; another touch would end the screen behind it.
            if asked.value.isEmpty { machine.press(.choose, on: kiosk) }
            return !machine.printed.isEmpty
        }
        #expect(isPrinted)
        #expect(
            machine.printed.first?.number == "C-017" && machine.printed.first?.kind == "Order 4711")
        #expect(asked.value.count == 1)
        let first = try #require(asked.value.first)
        let what = Requested.arrival(OrderID("order-1"), .entry(BackendFacts.pickup.code))
        #expect(first.records == [.intended(first.key, what)])
        #expect(await eventually { machine.terminal.shown.contains("7419 384 512") })
        #expect(machine.records.contains(.printing(first.key)))
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
        #expect(asked.value.isEmpty)
    }
}
