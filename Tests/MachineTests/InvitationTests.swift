import KioskFlow
import Reservations
import TerminalSurface
import TestSupport
import Testing

@testable import KioskRuntime

@Suite("The invitation on the running machine", .timeLimit(.minutes(10)))
@MainActor
struct InvitationTests {
    private struct NoSymbol: Error {}

    private static let words = "Or join the queue"

    private let machine: FakeMachine
    /// The links of which a symbol was made.
    private let made = Locked<[String]>([])

    init() throws { machine = try FakeMachine(GridSize(columns: 160, rows: 50)) }

    private var terminal: FakeTerminal { machine.terminal }

    private func kiosk() -> Kiosk {
        let kiosk = machine.kiosk(.openShop()) {
            $0.paper = FakeReceipts(onText: { [made] link in
                made.change { $0.append(link) }
                if link.hasPrefix("?") { throw NoSymbol() }
            })
        }
        kiosk.happened(.started(KioskEvent.Kept()))
        return kiosk
    }

    private func report(_ link: String?, waiting: Int = 0, to kiosk: Kiosk) {
        var status = BackendFacts.queue(waiting: waiting)
        status.join = link
        kiosk.happened(.backend(.queue(.success(status))))
    }

    @Test("Its symbol is made once for each link, and only drawn while there is one")
    func once() {
        let kiosk = kiosk()
        report("one", to: kiosk)
        #expect(terminal.shown.contains(Self.words))
        report("one", waiting: 1, to: kiosk)
        report("one", waiting: 2, to: kiosk)
        #expect(made.value == ["one"])
        report("two", to: kiosk)
        #expect(made.value == ["one", "two"] && terminal.shown.contains(Self.words))
        report(nil, to: kiosk)
        #expect(!terminal.shown.contains(Self.words))
        // A text that cannot be encoded is not tried again at every drawing, and Home goes on without a symbol.
        report("?", to: kiosk)
        report("?", waiting: 1, to: kiosk)
        #expect(made.value == ["one", "two", "?"])
        #expect(terminal.shown.contains("WAITING") || terminal.shown.contains("Waiting"))
        #expect(!terminal.shown.contains(Self.words))
    }

    @Test("A new link draws Home again, and no other screen")
    func drawn() async {
        let kiosk = kiosk()
        report("one", to: kiosk)
        let home = terminal.drawings
        report("one", to: kiosk)
        #expect(terminal.drawings == home)
        report(nil, to: kiosk)
        #expect(terminal.drawings == home + 1)
        // A touch just after Home has appeared is ignored.
        let isScanning = await eventually {
            kiosk.happened(.touched(.findReservation))
            return kiosk.flow.state != .home
        }
        #expect(isScanning)
        let scanning = terminal.drawings
        report("two", to: kiosk)
        report("three", to: kiosk)
        #expect(terminal.drawings == scanning && made.value == ["one"])
    }
}
