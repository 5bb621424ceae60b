import Reservations
import TestSupport
import Testing

@testable import KioskFlow

@Suite("Remote commands of the shop (rules: remote-commands)")
struct RemoteCommandTests {
    private func order(
        _ kind: RemoteCommand.Kind, message: String? = nil, id: Int64 = 1, given: Int64 = 1_000
    ) -> RemoteCommand {
        RemoteCommand(
            id: id, kind: kind, message: message,
            given: LocalMoment(Moment(milliseconds: given), offsetMinutes: 60))
    }

    @Test("Out of service with a message and back, each kept, acknowledged once and only at rest")
    func service() {
        var machine = FlowMachine.atHome()
        let out = order(.outOfService, message: "Inventory until 3")
        machine.does(.commanded(out, decided: nil))
        machine.expectEffects(
            .noted("order", "out-of-service"),
            .program(.keepService(isPutOut: true, message: "Inventory until 3", by: out)),
            .program(.acknowledged(1)))
        #expect(machine.flow.state == .outOfService(.staff))
        #expect(machine.flow.service.message == "Inventory until 3")
        #expect(machine.flow.service.outOfService == .staff)
        let back = order(.inService, id: 2, given: 2_000)
        machine.does(.commanded(back, decided: out.given.moment))
        #expect(machine.flow.state == .home && machine.flow.service.message == nil)
        #expect(machine.flow.service.outOfService == nil)
    }

    @Test("A customer who is being served is served to the end")
    func served() {
        for var machine in [FlowMachine.offering(), .issued(), .found(), .scanning(), .soldOut()] {
            let before = machine.flow.state
            machine.does(.commanded(order(.outOfService, message: "x"), decided: nil))
            #expect(machine.flow.state == before)
        }
        var machine = FlowMachine.soldOut()
        machine.does(.commanded(order(.outOfService, message: "x"), decided: nil))
        machine.touches(.cancel)
        #expect(machine.flow.state == .outOfService(.staff))
    }

    @Test("The later decision counts: a staff decision made while the command was on its way stays")
    func later() {
        var machine = FlowMachine.atHome()
        let old = order(.outOfService, message: "x", given: 1_000)
        machine.does(.commanded(old, decided: Moment(milliseconds: 1_001)))
        #expect(machine.effects == [.program(.acknowledged(1))] && machine.flow.state == .home)
        machine.does(.commanded(old, decided: Moment(milliseconds: 999)))
        #expect(machine.flow.state == .outOfService(.staff))
    }

    @Test("A restart waits until no customer or staff member is being served")
    func restart() {
        let restart = order(.restart, id: 7)
        let done: [KioskEffect] = [.noted("order", "restart"), .program(.restartOnce(7))]
        var home = FlowMachine.atHome().doing(.commanded(restart, decided: nil))
        #expect(home.effects == done)
        // The command is carried out only once.
        home.does(.timePassed, expecting: [])
        for var machine in [FlowMachine.offering(), .issued(), .found(), .soldOut()] {
            machine.does(.commanded(restart, decided: nil))
            machine.does(.timePassed)
            #expect(machine.effects.isEmpty, "\(machine.flow.state)")
        }
        var machine = FlowMachine.soldOut().doing(.commanded(restart, decided: nil))
        machine.touches(.cancel)
        #expect(machine.effects == [.refresh] + done)
    }

    @Test("A new version waits for Home, and for a period without a touch there")
    func renewal() {
        var home = FlowMachine.atHome().touching(nil).doing(.newVersionFound)
        home.does(.timePassed, expecting: [])
        home.waits(KioskTiming.restartQuietTime)
        home.does(.timePassed, expecting: [.program(.restartIntoNewVersion)])
        // The restart happens only once.
        home.does(.timePassed, expecting: [])
        for var machine in [FlowMachine.offering(), .issued(), .found(), .soldOut()] {
            machine.does(.newVersionFound)
            machine.does(.timePassed)
            #expect(machine.effects.isEmpty, "\(machine.flow.state)")
        }
    }

    @Test("A new version waits until a customer's choices at Home are reset")
    func renewalAfterCustomer() {
        var machine = FlowMachine.atHome().touching(.openLanguages).doing(.newVersionFound)
        machine.waits(KioskTiming.restartQuietTime, expecting: [])
        machine.waits(KioskTiming.preferencesTimeout, expecting: [.program(.restartIntoNewVersion)])
    }

    @Test("A new key is made, and PINs are unlocked, at any time")
    func anyTime() {
        for (kind, effect) in [
            (RemoteCommand.Kind.rotate, ProgramEffect.rotate(9)), (.unlock, .unlock(9)),
        ] {
            let machine = FlowMachine.offering().doing(.commanded(order(kind, id: 9), decided: nil))
            #expect(machine.effects == [.program(effect)])
        }
    }

    @Test("A page marked TEST is printed once no customer is being served")
    func testPrint() {
        var machine = FlowMachine.offering()
        machine.does(.commanded(order(.testPrint, id: 9), decided: nil), expecting: [])
        machine.touches(.cancel)
        machine.does(.commanded(order(.testPrint, id: 9), decided: nil))
        machine.expectEffects(
            .staff(.printTest(0, machine.lastKey)), .noted("order", "test-print"),
            .program(.acknowledged(9)))
    }

    @Test("A decision of the staff at the machine removes the shop's message")
    func staff() {
        var machine = FlowMachine.atHome(isStaffKnown: true)
        machine.does(.commanded(order(.outOfService, message: "x"), decided: nil))
        machine.logsIn()
        machine.touches(.putOutOfService)
        #expect(!machine.flow.service.isPutOut && machine.flow.service.message == nil)
    }
}
