import KioskFlow
import KioskScreens
import Reservations
import StaffStore
import TerminalSurface
import TestSupport
import Testing

@testable import KioskRuntime

@Suite("The running machine hands out the number of an order (rules 41)", .timeLimit(.minutes(10)))
@MainActor
struct RunningOrderTests {
    private nonisolated static let now = LocalMoment(
        Moment(milliseconds: 1_795_179_600_000), offsetMinutes: 60)
    private nonisolated static let ticket = PickupTicket(
        code: PickupCode(tag: ShopTag(rawValue: "CITT")!, random: Array(16..<32)),
        typedCode: TypedCode(rawValue: "7419384512")!)

    private nonisolated static func order(
        _ state: OrderState, number: Int? = nil, ticket: PickupTicket? = nil
    ) -> PickupOrder {
        PickupOrder(
            id: OrderID("order-1"), reference: "4711", shopName: "Shop", state: state, since: now,
            now: now, parcels: 2, promised: now, isReady: state == .onShelf,
            number: number.flatMap(PickupNumber.init(rawValue:)), ticket: ticket)
    }

    @MainActor
    private final class World {
        var records: [JournalRecord] = []
        var printed: ReceiptContent?
        /// The keys with which the backend was asked, each with the records that the disk had by then.
        var asked: [(key: AttemptKey, records: [JournalRecord])] = []
    }

    private let world = World()
    private let terminal = FakeTerminal()
    private let folder: TemporaryFolder
    private let store: StaffStore

    init() throws {
        folder = try TemporaryFolder()
        store = try StaffStore(path: folder.file("staff.sqlite"))
    }

    /// A running machine at Home of a shop with a desk.
    private func kiosk(
        finding found: PickupOrder,
        _ arrival: @escaping @Sendable () -> BackendAnswer<PickupOrder> = { .failure(.unanswered) }
    ) async -> Kiosk {
        let world = world
        var backend = FakeBackend.openShop(at: Self.now)
        backend.onShop = {
            .success(
                MachineProfile(
                    machine: MachineID("door"), shop: ShopID("shop"), shopName: "Shop",
                    timeZone: "Europe/Rome", languages: ["en"], now: Self.now, hasDesk: true))
        }
        backend.onOrder = { .success(found) }
        backend.onArrive = { key in
            await MainActor.run { world.asked.append((key, world.records)) }
            return arrival()
        }
        let journal = FakeJournal { records in
            MainActor.assumeIsolated { world.records += records }
        }
        let receipts = FakeReceipts(onPage: { content in
            Task { @MainActor in world.printed = content }
        })
        let kiosk = Kiosk(
            FakeParts(
                terminal: terminal, customers: backend,
                printer: PrinterPair([FakePrinter()]) { _ in }, paper: receipts, journal: journal,
                staff: store), languages: ["en"], keyPrefix: "start")
        kiosk.begin()
        _ = await eventually { kiosk.flow.state == .home && kiosk.flow.isDeskThere }
        return kiosk
    }

    @Test(
        "A code at Home shows the order; *I am here* is on the disk, then sent, shown and printed")
    func arrives() async throws {
        let kiosk = await kiosk(finding: Self.order(.onShelf)) {
            .success(Self.order(.arrived, number: 17, ticket: Self.ticket))
        }
        kiosk.codeRead(Self.ticket.code.rawValue)
        #expect(await eventually { terminal.shown.contains("Order 4711, 2 parcels") })
        let isPrinted = await eventually {
            // The focus is on *I am here*; another touch would end the screen behind it.
            if world.asked.isEmpty {
                terminal.typed = [.key(.choose)]
                _ = kiosk.inputReady()
            }
            return world.printed != nil
        }
        #expect(isPrinted)
        #expect(world.printed?.number == "C-017" && world.printed?.kind == "Order 4711")
        #expect(world.asked.count == 1)
        let first = try #require(world.asked.first)
        let what = Requested.arrival(OrderID("order-1"), .entry(Self.ticket.code))
        #expect(first.records == [.intended(first.key, what)])
        #expect(await eventually { terminal.shown.contains("7419 384 512") })
        #expect(world.records.contains(.printing(first.key)))
    }

    private func paper(number: Int) -> IssuedPaper {
        IssuedPaper(
            key: AttemptKey("old-1"), number: .pickup(PickupNumber(rawValue: number)!),
            issued: Self.now.moment, outcome: .unknown, code: .order(Self.ticket.code),
            typedCode: Self.ticket.typedCode)
    }

    @Test("The staff print the ticket again while its customer is here, marked as a copy")
    func reprint() async {
        let kiosk = await kiosk(finding: Self.order(.fetching, number: 17))
        kiosk.reprint(paper(number: 17), attempt: AttemptKey("copy-1"))
        #expect(await eventually { world.printed != nil })
        #expect(world.printed?.mark == "COPY" && world.printed?.number == "C-017")
        #expect(world.printed?.typedCode == "7419 384 512")
    }

    @Test(
        "A ticket is not printed again once its order was handed over, or has another number",
        arguments: [(OrderState.handedOver, 17), (.fetching, 18)])
    func noReprint(_ state: OrderState, _ number: Int) async {
        let kiosk = await kiosk(finding: Self.order(state, number: number))
        kiosk.reprint(paper(number: 17), attempt: AttemptKey("copy-1"))
        // A paper that may be missing is not needed any more then.
        #expect(await eventually { world.records.contains(.resolved(AttemptKey("old-1"))) })
        #expect(world.printed == nil)
    }

    @Test("Nothing is asked of the backend about an order whose customer has gone")
    func resolver() async {
        let kiosk = await kiosk(finding: Self.order(.arrived, number: 17))
        let key = AttemptKey("old-2")
        kiosk.resolver?.resolve(
            OpenRequest(
                key: key, what: .arrival(OrderID("order-1"), .entry(Self.ticket.code)),
                deleteWhenKnown: true))
        #expect(await eventually { world.records.contains(.resolved(key)) })
        #expect(world.asked.isEmpty)
    }
}
