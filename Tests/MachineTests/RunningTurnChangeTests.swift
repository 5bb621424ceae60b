import KioskFlow
import Reservations
import StaffStore
import Synchronization
import TerminalSurface
import TestSupport
import Testing

@testable import KioskRuntime

@Suite("The running machine gives more time, and a missed place back", .timeLimit(.minutes(10)))
@MainActor
struct RunningTurnChangeTests {
    private nonisolated static let now = LocalMoment(
        Moment(milliseconds: 1_795_179_600_000), offsetMinutes: 60)
    private nonisolated static let code = EntryCode(
        tag: ShopTag(rawValue: "CITT")!, random: Array(0..<16))

    private nonisolated static func found(_ status: ReservationStatus, minutes: Int = 20)
        -> FoundReservation
    {
        let reservation = Reservation(
            id: ReservationID("hold-1"), kind: .ticket, number: QueueNumber(rawValue: 42)!,
            shopName: "Shop", code: code, typedCode: TypedCode(rawValue: "0419384512")!,
            issued: now, wait: wait(minutes))
        let end = status == .called ? now.at(now.moment + .minutes(10)) : nil
        return FoundReservation(
            reservation, day: now.day, status: status, now: now, enterBy: end)
    }

    private nonisolated static func wait(_ minutes: Int) -> WaitEstimate {
        let time = now.at(now.moment + .minutes(minutes))
        return WaitEstimate(expected: time, earliest: time, latest: time, peopleAhead: 3)
    }

    private let terminal = FakeTerminal()
    private let folder: TemporaryFolder
    private let store: StaffStore

    init() throws {
        folder = try TemporaryFolder()
        store = try StaffStore(path: folder.file("staff.sqlite"))
    }

    /// A running machine at Home, whose backend finds a reservation and answers what it is asked to change.
    private func kiosk(
        finding found: FoundReservation,
        _ answer: @escaping @Sendable (TurnChange) -> BackendAnswer<FoundReservation>
    ) async -> Kiosk {
        var backend = FakeBackend.openShop(at: Self.now)
        backend.onLookUp = { .success(found) }
        backend.onTurnChange = { change, _ in answer(change) }
        let kiosk = Kiosk(
            FakeParts(
                terminal: terminal, customers: backend,
                printer: PrinterPair([FakePrinter()]) { _ in }, staff: store),
            languages: ["en"], keyPrefix: "start")
        kiosk.begin()
        _ = await eventually { kiosk.flow.state == .home }
        return kiosk
    }

    private func comes(_ kiosk: Kiosk, to state: String) async -> Bool {
        await eventually { kiosk.flow.state.name == state }
    }

    /// Chooses the button after the one that the keys begin at, until another screen is there.
    private func choose(after steps: Int, on kiosk: Kiosk) async -> Bool {
        let before = kiosk.flow.state.name
        for _ in 0..<steps {
            terminal.typed = [.key(.next)]
            _ = kiosk.inputReady()
        }
        return await eventually {
            guard kiosk.flow.state.name == before else { return true }
            terminal.typed = [.key(.choose)]
            _ = kiosk.inputReady()
            return kiosk.flow.state.name != before
        }
    }

    @Test("With the keys a customer lets two people go ahead, and reads the new time")
    func delay() async {
        let asked = Mutex<[TurnChange]>([])
        var waiting = Self.found(.planned)
        waiting.delayOffers = [DelayOffer(people: 2, wait: Self.wait(40))]
        let kiosk = await kiosk(finding: waiting) { change in
            asked.withLock { $0.append(change) }
            return .success(Self.found(.planned, minutes: 40))
        }
        kiosk.codeRead(Self.code.rawValue)
        #expect(await comes(kiosk, to: "found"))
        #expect(await choose(after: 1, on: kiosk))
        #expect(kiosk.flow.state.name == "delayOffers")
        #expect(terminal.shown.contains("14:40"))
        #expect(await choose(after: 1, on: kiosk))
        #expect(await comes(kiosk, to: "turnChanged"))
        #expect(asked.withLock { $0 } == [.delay(people: 2)])
        #expect(terminal.shown.contains("You can come in at about 14:40."))
    }

    @Test("A missed place is taken back by the key that the screen begins at")
    func reclaim() async {
        let asked = Mutex<[TurnChange]>([])
        var missed = Self.found(.missed)
        missed.reclaimBy = Self.now.at(Self.now.moment + .minutes(8))
        let kiosk = await kiosk(finding: missed) { change in
            asked.withLock { $0.append(change) }
            return .success(Self.found(.called))
        }
        kiosk.codeRead(Self.code.rawValue)
        #expect(await comes(kiosk, to: "missedCall"))
        #expect(await choose(after: 0, on: kiosk))
        #expect(await comes(kiosk, to: "turnChanged"))
        #expect(asked.withLock { $0 } == [.reclaim])
        #expect(terminal.shown.contains("Please come in now, by 14:10."))
    }
}
