import KioskFlow
import KioskRuntime
import KioskScreens
import Reservations
import StaffStore
import TerminalSurface
import TestSupport
import Testing

@Suite("The running machine", .timeLimit(.minutes(10)))
@MainActor
struct KioskTests {
    /// A journal on a disk that is full while `isFull`.
    @MainActor
    private final class World {
        var records: [JournalRecord] = []
        var isFull = false
        /// What the backend and the printer were asked, with the records that the disk had by then.
        var asked: [String: [JournalRecord]] = [:]
        /// Whether the disk becomes full between the intention and the answer.
        var fillsUp = false
        var printed: ReceiptContent?
        /// The texts of the symbols of codes.
        var codes: Set<String> = []

        func hears(_ what: String) { asked[what] = records }
    }

    private struct Full: Error {}

    private let world = World()
    private let terminal = FakeTerminal(GridSize(columns: 160, rows: 50))
    private let folder: TemporaryFolder
    private let store: StaffStore
    private let hold = ReservationID("hold-1")

    init() throws {
        folder = try TemporaryFolder()
        store = try StaffStore(path: folder.file("staff.sqlite"))
    }

    private var issued: LocalMoment {
        LocalMoment(Moment(milliseconds: 1_795_179_600_000), offsetMinutes: 60)
    }

    private func backend(link: String?, symbol: String?, isVisit: Bool) -> FakeBackend {
        let now = issued
        let hold = hold
        let wait = WaitEstimate(expected: now, earliest: now, latest: now, peopleAhead: 0)
        var reservation = Reservation(
            id: hold, kind: isVisit ? .visit : .ticket, number: QueueNumber(rawValue: 42)!,
            shopName: "Shop",
            code: EntryCode(tag: ShopTag(rawValue: "CITT")!, random: Array(0..<16)),
            typedCode: TypedCode(rawValue: "0419384512")!, issued: now, wait: wait,
            visit: isVisit ? VisitSlot(start: now, end: now) : nil)
        reservation.link = link
        reservation.symbol = symbol
        let confirmed = reservation
        let world = world
        var backend = FakeBackend.openShop(at: now)
        backend.onPlace = {
            await MainActor.run { world.hears("place") }
            return .success(FakeBackend.place(hold, at: now))
        }
        backend.onRelease = {
            await MainActor.run { world.hears("release") }
            return .success(())
        }
        backend.onConfirm = { _ in
            await MainActor.run {
                world.hears("confirm")
                world.isFull = world.fillsUp
            }
            return .success(confirmed)
        }
        return backend
    }

    private func kiosk(
        link: String? = nil, symbol: String? = nil, isVisit: Bool = false
    ) -> Kiosk {
        let world = world
        let journal = FakeJournal { records in
            try MainActor.assumeIsolated {
                guard !world.isFull else { throw Full() }
                world.records += records
            }
        }
        let printer = FakePrinter(onPrint: { Task { @MainActor in world.hears("print") } })
        let receipts = FakeReceipts(
            onPage: { content in Task { @MainActor in world.printed = content } },
            onCode: { code in Task { @MainActor in world.codes.insert(code) } })
        return Kiosk(
            FakeParts(
                terminal: terminal,
                customers: backend(link: link, symbol: symbol, isVisit: isVisit),
                printer: PrinterPair([printer]) { _ in }, paper: receipts,
                journal: journal, staff: store),
            languages: ["en"], keyPrefix: "start")
    }

    /// Whether a customer who chooses what is marked, again and again, reaches this.
    private func isReached(by kiosk: Kiosk, _ isTrue: () -> Bool) async -> Bool {
        await eventually {
            guard !isTrue() else { return true }
            terminal.typed = [.key(.choose)]
            _ = kiosk.inputReady()
            return false
        }
    }

    @Test("A place shown while the disk was full is recorded as shown once the disk has room")
    func fullDisk() async {
        world.fillsUp = true
        let kiosk = kiosk()
        kiosk.begin()
        // Get a ticket, then Confirm.
        #expect(await isReached(by: kiosk) { world.isFull })
        func isShown(_ record: JournalRecord) -> Bool {
            if case .shown = record { true } else { false }
        }
        #expect(!world.records.contains(where: isShown))
        world.isFull = false
        // The next report of the queue checks the disk again.
        let isKnown = await eventually { world.records.contains(where: isShown) }
        #expect(isKnown)
    }

    @Test("While the disk is full nothing is confirmed, and the place is given back")
    func fullBefore() async throws {
        world.isFull = true
        let kiosk = kiosk()
        kiosk.begin()
        #expect(await isReached(by: kiosk) { world.asked["release"] != nil })
        // The customer begins once more when the disk has room; what was asked for before has come by then.
        world.asked["place"] = nil
        world.isFull = false
        #expect(await isReached(by: kiosk) { world.asked["place"] != nil })
        #expect(world.asked["confirm"] == nil)
    }

    @Test("Records are on the disk before the backend or the printer is asked")
    func order() async {
        let kiosk = kiosk()
        kiosk.begin()
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

    @Test(
        "The link of a reservation is on the paper and on a large screen; without one neither has a second symbol",
        arguments: [nil, "https://clup.example/t#CITT0M99001AZA9Q0123456789BCDGHJKMNPRW"])
    func symbolForPhones(link: String?) async {
        let kiosk = kiosk(link: link)
        kiosk.begin()
        let isPrinted = await isReached(by: kiosk) {
            world.printed != nil && terminal.shown.contains("0419 384 512")
        }
        #expect(isPrinted)
        #expect(world.printed?.symbolForPhones?.qr.side == link.map { _ in 25 })
        #expect(terminal.shown.contains("On your phone") == (link != nil))
    }

    @Test("The one symbol of a reservation is on paper and screen, without a second one (rules 11)")
    func oneSymbol() async {
        let code = EntryCode(tag: ShopTag(rawValue: "CITT")!, random: Array(0..<16))
        let symbol = code.link(at: "https://clup.example")
        let kiosk = kiosk(
            link: "https://clup.example/t#CITT0M99001AZA9Q0123456789BCDGHJKMNPRW", symbol: symbol)
        kiosk.begin()
        let isPrinted = await isReached(by: kiosk) {
            world.printed != nil && terminal.shown.contains("0419 384 512")
        }
        #expect(isPrinted)
        #expect(world.printed?.symbolForPhones == nil)
        #expect(await eventually { world.codes == [symbol] })
        #expect(!terminal.shown.contains("On your phone"))
    }

    @Test(
        "The paper of a visit has the symbol for calendars, and that of a ticket has none [rules 39]",
        arguments: [false, true])
    func symbolForCalendars(isVisit: Bool) async {
        let kiosk = kiosk(isVisit: isVisit)
        kiosk.begin()
        #expect(await isReached(by: kiosk) { world.printed != nil })
        #expect((world.printed?.symbolForCalendars != nil) == isVisit)
    }

    @Test("If a customer goes back, the backend gets the place back")
    func release() async {
        let kiosk = kiosk()
        kiosk.begin()
        let isReleased = await eventually {
            // Get a ticket once, then Back, repeated until the pause after a new screen is over.
            terminal.typed = [.key(world.asked["place"] == nil ? .choose : .back)]
            _ = kiosk.inputReady()
            return world.asked["release"] != nil
        }
        #expect(isReleased)
        #expect(world.records.isEmpty)
    }
}
