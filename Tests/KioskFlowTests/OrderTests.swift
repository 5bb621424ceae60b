import Reservations
import Testing

@testable import KioskFlow

@Suite("Orders of the shop from afar (rules 25)")
struct OrderTests {
    private func order(
        _ kind: RemoteCommand.Kind, message: String? = nil, id: Int64 = 1, given: Int64 = 1_000
    ) -> RemoteCommand {
        RemoteCommand(
            id: id, kind: kind, message: message,
            given: LocalMoment(Moment(milliseconds: given), offsetMinutes: 60))
    }

    @Test("Out of service with a message and back, each remembered, told once and only at rest")
    func service() {
        var machine = Machine.atHome()
        let out = order(.outOfService, message: "Inventory until 3")
        machine.does(.commanded(out, decided: nil))
        #expect(
            machine.effects == [
                .noted("order", "out-of-service"), .program(.keepCommand(out)),
                .program(.obeyed(1)),
            ])
        #expect(machine.flow.state == .outOfService(.staff))
        #expect(machine.flow.service.message == "Inventory until 3")
        #expect(machine.flow.service.outOfService == .staff)
        let back = order(.inService, id: 2, given: 2_000)
        machine.does(.commanded(back, decided: out.given.moment))
        #expect(machine.flow.state == .home && machine.flow.service.message == nil)
        #expect(machine.flow.service.outOfService == nil)
    }

    @Test("Who is being served is served to the end")
    func served() {
        for var machine in [Machine.offering(), .issued(), .found(), .scanning(), .soldOut()] {
            let before = machine.flow.state
            machine.does(.commanded(order(.outOfService, message: "x"), decided: nil))
            #expect(machine.flow.state == before)
        }
        var machine = Machine.soldOut()
        machine.does(.commanded(order(.outOfService, message: "x"), decided: nil))
        machine.touches(.cancel)
        #expect(machine.flow.state == .outOfService(.staff))
    }

    @Test("The later word counts: what the staff decided while the order was on its way stays")
    func later() {
        var machine = Machine.atHome()
        let old = order(.outOfService, message: "x", given: 1_000)
        machine.does(.commanded(old, decided: Moment(milliseconds: 1_001)))
        #expect(machine.effects == [.program(.obeyed(1))] && machine.flow.state == .home)
        machine.does(.commanded(old, decided: Moment(milliseconds: 999)))
        #expect(machine.flow.state == .outOfService(.staff))
    }

    @Test("A restart waits until nobody is being served, the staff included")
    func restart() {
        let restart = order(.restart, id: 7)
        let done: [KioskEffect] = [.noted("order", "restart"), .program(.restartOnce(7))]
        var home = Machine.atHome()
        home.does(.commanded(restart, decided: nil))
        #expect(home.effects == done)
        // Once.
        home.does(.timePassed)
        #expect(home.effects.isEmpty)
        for var machine in [Machine.offering(), .issued(), .found(), .soldOut()] {
            machine.does(.commanded(restart, decided: nil))
            machine.does(.timePassed)
            #expect(machine.effects.isEmpty, "\(machine.flow.state)")
        }
        var machine = Machine.soldOut()
        machine.does(.commanded(restart, decided: nil))
        machine.touches(.cancel)
        #expect(machine.effects == [.refresh] + done)
    }

    @Test("A new version waits for Home, and for a while without a touch there")
    func renewal() {
        var home = Machine.atHome()
        home.touches(nil)
        home.does(.newVersionFound)
        home.does(.timePassed)
        #expect(home.effects.isEmpty)
        home.waits(KioskTiming.renewal)
        home.does(.timePassed)
        #expect(home.effects == [.program(.restartIntoNewVersion)])
        // Once.
        home.does(.timePassed)
        #expect(home.effects.isEmpty)
        for var machine in [Machine.offering(), .issued(), .found(), .soldOut()] {
            machine.does(.newVersionFound)
            machine.does(.timePassed)
            #expect(machine.effects.isEmpty, "\(machine.flow.state)")
        }
    }

    @Test("A new version waits until what a customer has chosen at Home is forgotten")
    func renewalAfterCustomer() {
        var machine = Machine.atHome()
        machine.touches(.openLanguages)
        machine.does(.newVersionFound)
        machine.waits(KioskTiming.renewal)
        #expect(machine.effects.isEmpty)
        machine.waits(KioskTiming.preferencesTimeout)
        #expect(machine.effects == [.program(.restartIntoNewVersion)])
    }

    @Test("Another key is made at any time")
    func rotate() {
        var machine = Machine.offering()
        machine.does(.commanded(order(.rotate, id: 9), decided: nil))
        #expect(machine.effects == [.program(.rotate(9))])
    }

    @Test("PINs are unlocked at any time")
    func unlock() {
        var machine = Machine.offering()
        machine.does(.commanded(order(.unlock, id: 9), decided: nil))
        #expect(machine.effects == [.program(.unlock(9))])
    }

    @Test("A page marked TEST is printed once no customer is being served")
    func testPrint() {
        var machine = Machine.offering()
        machine.does(.commanded(order(.testPrint, id: 9), decided: nil))
        #expect(machine.effects.isEmpty)
        machine.touches(.cancel)
        machine.does(.commanded(order(.testPrint, id: 9), decided: nil))
        guard case .staff(.printTest(0, _))? = machine.effects.first else {
            Issue.record("nothing is printed: \(machine.effects)")
            return
        }
        #expect(
            machine.effects.dropFirst() == [.noted("order", "test-print"), .program(.obeyed(9))])
    }

    @Test("What the staff decides at the machine takes the shop's message away")
    func staff() {
        var machine = Machine.atHome(isStaffKnown: true)
        machine.does(.commanded(order(.outOfService, message: "x"), decided: nil))
        machine.does(.staffAsked)
        machine.types("739146")
        machine.answersPIN(.person(StaffPerson(name: "Giulia", role: .manager)))
        machine.waits(.seconds(1))
        machine.touches(.putOutOfService)
        #expect(!machine.flow.service.isPutOut && machine.flow.service.message == nil)
    }
}
