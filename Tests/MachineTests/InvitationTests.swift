import KioskFlow
import KioskScreens
import Reservations
import StaffStore
import TerminalSurface
import TestSupport
import Testing

@testable import KioskRuntime

@Suite("The invitation on the running machine", .timeLimit(.minutes(10)))
@MainActor
struct InvitationTests {
    private struct NoSymbol: Error {}

    private static let words = "Or join the queue"

    private let terminal = FakeTerminal(GridSize(columns: 160, rows: 50))
    private let folder: TemporaryFolder
    private let store: StaffStore
    /// The links of which a symbol was made.
    private let made = Locked<[String]>([])

    init() throws {
        folder = try TemporaryFolder()
        store = try StaffStore(path: folder.file("staff.sqlite"))
    }

    private func kiosk() -> Kiosk {
        let made = made
        let receipts = FakeReceipts(onText: { link in
            made.change { $0.append(link) }
            if link.hasPrefix("?") { throw NoSymbol() }
        })
        let now = LocalMoment(Moment(milliseconds: 1_795_179_600_000), offsetMinutes: 60)
        return Kiosk(
            FakeParts(
                terminal: terminal, customers: FakeBackend.openShop(at: now),
                printer: PrinterPair([FakePrinter()]) { _ in }, paper: receipts,
                journal: FakeJournal(), staff: store),
            languages: ["en"], keyPrefix: "start")
    }

    private func status(_ link: String?, waiting: Int = 0) -> QueueStatus {
        let now = LocalMoment(Moment(milliseconds: 1_795_179_600_000), offsetMinutes: 60)
        let wait = WaitEstimate(expected: now, earliest: now, latest: now, peopleAhead: 0)
        var status = QueueStatus(
            now: now, isOpen: true, ticketAvailable: true, waiting: waiting, wait: wait)
        status.join = link
        return status
    }

    @Test("Its symbol is made once for each link, and only drawn while there is one")
    func once() {
        let kiosk = kiosk()
        func report(_ link: String?, waiting: Int = 0) {
            kiosk.happened(.backend(.queue(.success(status(link, waiting: waiting)))))
        }
        kiosk.happened(.started(KioskEvent.Kept()))
        report("one")
        #expect(terminal.shown.contains(Self.words))
        report("one", waiting: 1)
        report("one", waiting: 2)
        #expect(made.value == ["one"])
        report("two")
        #expect(made.value == ["one", "two"] && terminal.shown.contains(Self.words))
        report(nil)
        #expect(!terminal.shown.contains(Self.words))
        // A text that cannot be encoded is not tried again at every drawing, and Home goes on without a symbol.
        report("?")
        report("?", waiting: 1)
        #expect(made.value == ["one", "two", "?"])
        #expect(terminal.shown.contains("WAITING") || terminal.shown.contains("Waiting"))
        #expect(!terminal.shown.contains(Self.words))
    }

    @Test("A new link draws Home again, and no other screen")
    func drawn() async {
        let kiosk = kiosk()
        kiosk.happened(.started(KioskEvent.Kept()))
        kiosk.happened(.backend(.queue(.success(status("one")))))
        let home = terminal.drawings
        kiosk.happened(.backend(.queue(.success(status("one")))))
        #expect(terminal.drawings == home)
        kiosk.happened(.backend(.queue(.success(status(nil)))))
        #expect(terminal.drawings == home + 1)
        // A touch just after Home has appeared is ignored.
        let isScanning = await eventually {
            kiosk.happened(.touched(.findReservation))
            return kiosk.flow.state != .home
        }
        #expect(isScanning)
        let scanning = terminal.drawings
        kiosk.happened(.backend(.queue(.success(status("two")))))
        kiosk.happened(.backend(.queue(.success(status("three")))))
        #expect(terminal.drawings == scanning && made.value == ["one"])
    }
}
