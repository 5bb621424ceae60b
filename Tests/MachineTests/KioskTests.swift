import KioskFlow
import Reservations
import TerminalSurface
import TestSupport
import Testing

@testable import KioskRuntime

@Suite("The running machine", .timeLimit(.minutes(10)))
@MainActor
struct KioskTests {
    @MainActor
    private final class World {
        /// What the backend and the printer were asked, with the records that the disk had by then.
        var asked: [String: [JournalRecord]] = [:]
        /// Whether the disk becomes full between the intention and the answer.
        var fillsUp = false
        /// The texts of the symbols of codes.
        var codes: Set<String> = []
    }

    private let world = World()
    private let machine: FakeMachine
    private let hold = ReservationID("hold-1")

    init() throws { machine = try FakeMachine(GridSize(columns: 160, rows: 50)) }

    private func hears(_ what: String) { world.asked[what] = machine.records }

    private func kiosk(
        link: String? = nil, symbol: String? = nil, isVisit: Bool = false
    ) -> Kiosk {
        var reservation = BackendFacts.reservation(
            visit: isVisit ? VisitSlot(start: BackendFacts.now, end: BackendFacts.now) : nil)
        reservation.link = link
        reservation.symbol = symbol
        var backend = FakeBackend.openShop()
        backend.onPlace = { [self] in
            await hears("place")
            return .success(FakeBackend.place(hold, at: BackendFacts.now))
        }
        backend.onRelease = { [self] in
            await hears("release")
            return .success(())
        }
        backend.onConfirm = { [self, reservation] _ in
            await MainActor.run {
                hears("confirm")
                machine.isFull = world.fillsUp
            }
            return .success(reservation)
        }
        let printer = FakePrinter(onPrint: { [self] in Task { @MainActor in hears("print") } })
        let kiosk = machine.kiosk(backend, printer) {
            $0.paper = machine.receipts { [world] code in
                Task { @MainActor in world.codes.insert(code) }
            }
        }
        kiosk.begin()
        return kiosk
    }

    /// Whether a customer who chooses what is marked, again and again, reaches this.
    private func isReached(by kiosk: Kiosk, _ isTrue: () -> Bool) async -> Bool {
        await machine.press(.choose, on: kiosk, until: isTrue)
    }

    /// Whether the paper is printed and the digits of its code are on the screen.
    private func isIssued(by kiosk: Kiosk) async -> Bool {
        await isReached(by: kiosk) {
            !machine.printed.isEmpty && machine.terminal.shown.contains("0419 384 512")
        }
    }

    @Test("A place shown while the disk was full is recorded as shown once the disk has room")
    func fullDisk() async {
        world.fillsUp = true
        let kiosk = kiosk()
        // Get a ticket, then Confirm.
        #expect(await isReached(by: kiosk) { machine.isFull })
        func isShown(_ record: JournalRecord) -> Bool {
            if case .shown = record { true } else { false }
        }
        #expect(!machine.records.contains(where: isShown))
        machine.isFull = false
        // The next report of the queue checks the disk again.
        #expect(await eventually { machine.records.contains(where: isShown) })
    }

    @Test("While the disk is full nothing is confirmed, and the place is given back")
    func fullBefore() async throws {
        machine.isFull = true
        let kiosk = kiosk()
        #expect(await isReached(by: kiosk) { world.asked["release"] != nil })
        // The customer begins once more when the disk has room; what was asked for before has come by then.
        world.asked["place"] = nil
        machine.isFull = false
        #expect(await isReached(by: kiosk) { world.asked["place"] != nil })
        #expect(world.asked["confirm"] == nil)
    }

    @Test("Records are on the disk before the backend or the printer is asked")
    func order() async {
        let kiosk = kiosk()
        // Get a ticket, Confirm, and then the receipt is printed.
        #expect(await isReached(by: kiosk) { world.asked["print"] != nil })
        // A key that is pressed while an answer is awaited on a busy computer may begin another attempt.
        guard case .intended(let key, .place(hold))? = world.asked["confirm"]?.last else {
            Issue.record("\(world.asked)")
            return
        }
        let shown = world.asked["print"] ?? []
        #expect(shown.contains(.shown(key)))
        #expect(shown.contains(.printing(key)))
    }

    private nonisolated static let link =
        "https://clup.example/t#CITT0M99001AZA9Q0123456789BCDGHJKMNPRW"
    private nonisolated static let symbol = BackendFacts.code.link(at: "https://clup.example")

    @Test(
        "A link has a symbol of its own on paper and screen, unless the code's has it (rules: code-links)",
        arguments: [(nil, nil), (link, nil), (link, symbol)] as [(String?, String?)])
    func symbolForPhones(link: String?, symbol: String?) async {
        let kiosk = kiosk(link: link, symbol: symbol)
        #expect(await isIssued(by: kiosk))
        let hasSecond = link != nil && symbol == nil
        #expect(machine.printed.first?.symbolForPhones?.qr.side == (hasSecond ? 25 : nil))
        #expect(await eventually { world.codes == [symbol ?? BackendFacts.code.rawValue] })
        #expect(machine.terminal.shown.contains("On your phone") == hasSecond)
    }

    @Test("A machine without a printer is in no trouble, so that the staff has no event of it")
    func noPrinter() async throws {
        let kiosk = await machine.atHome(.openShop()) { $0.printer = PrinterPair([]) { _ in } }
        #expect(await eventually { kiosk.flow.printer.trouble == .absent })
        let events = try machine.store.events(10).map(\.what)
        #expect(!events.contains(.printerTrouble(.absent)), "\(events)")
    }

    @Test(
        "Only a visit's paper has the symbol for calendars [rules: own-calendar]",
        arguments: [false, true])
    func symbolForCalendars(isVisit: Bool) async {
        let kiosk = kiosk(isVisit: isVisit)
        #expect(await isReached(by: kiosk) { !machine.printed.isEmpty })
        #expect((machine.printed.first?.symbolForCalendars != nil) == isVisit)
    }
}
