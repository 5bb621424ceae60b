import KioskFlow
import Reservations
import TestSupport
import Testing

@testable import KioskRuntime

@Suite("The running machine gives more time, and a missed place back", .timeLimit(.minutes(10)))
@MainActor
struct RunningTurnChangeTests {
    private let machine: FakeMachine

    init() throws { machine = try FakeMachine() }

    private nonisolated static func found(
        _ status: ReservationStatus, minutes: Int = 20
    ) -> FoundReservation {
        BackendFacts.found(
            status, BackendFacts.reservation(wait: BackendFacts.wait(minutes)),
            enterBy: status == .called
                ? BackendFacts.now.at(BackendFacts.now.moment + .minutes(10)) : nil)
    }

    /// Lets a customer show a ticket, who then chooses the button so many steps after the one that the keys begin at.
    ///
    /// - Parameter steps: for each screen on the way, by its name.
    private func plays(
        finding found: FoundReservation, changed: FoundReservation,
        _ steps: KeyValuePairs<String, Int>
    ) async -> [TurnChange] {
        let asked = Locked<[TurnChange]>([])
        var backend = FakeBackend.openShop()
        backend.onLookUp = { .success(found) }
        backend.onTurnChange = { change, _ in
            asked.change { $0.append(change) }
            return .success(changed)
        }
        let kiosk = await machine.atHome(backend)
        kiosk.codeRead(BackendFacts.code.rawValue)
        for (state, count) in steps {
            #expect(await eventually { kiosk.flow.state.name == state })
            if state == "delayOffers" { #expect(machine.terminal.shown.contains("14:40")) }
            for _ in 0..<count { machine.press(.next, on: kiosk) }
            let isLeft = await machine.press(.choose, on: kiosk) { kiosk.flow.state.name != state }
            #expect(isLeft)
        }
        #expect(await eventually { kiosk.flow.state.name == "turnChanged" })
        return asked.value
    }

    @Test("With the keys a customer lets two people go ahead, and reads the new time")
    func delay() async {
        var waiting = Self.found(.planned)
        waiting.delayOffers = [DelayOffer(people: 2, wait: BackendFacts.wait(40))]
        let asked = await plays(
            finding: waiting, changed: Self.found(.planned, minutes: 40),
            ["found": 1, "delayOffers": 1])
        #expect(asked == [.delay(people: 2)])
        #expect(machine.terminal.shown.contains("You can come in at about 14:40."))
    }

    @Test("A missed place is taken back by the key that the screen begins at")
    func reclaim() async {
        var missed = Self.found(.missed)
        missed.reclaimBy = BackendFacts.now.at(BackendFacts.now.moment + .minutes(8))
        let asked = await plays(
            finding: missed, changed: Self.found(.called), ["missedCall": 0])
        #expect(asked == [.reclaim])
        #expect(machine.terminal.shown.contains("Please come in now, by 14:10."))
    }
}
