import KioskFlow
import Reservations
import TestSupport
import Testing

@Suite("While no customer is served: starting, Home, closed, out of service")
struct RestingTests {
    @Test(
        "A touch at the very first Home counts at once; an early one after a screen with buttons is only shown"
    )
    func tooSoon() {
        var machine = FlowMachine.started().after { $0.queueReported() }
        #expect(!machine.flow.isTooSoon(.getTicket, now: machine.now))
        machine.touches(.getTicket)
        #expect(machine.effects.count == 1)
        machine.touches(.cancel, expecting: [])
        machine.touchesLater(.cancel)
        #expect(machine.flow.state == .home)
        // The second of two taps was meant for the previous screen.
        for gap in [50, 150, 250, 350] {
            let now = machine.now + .milliseconds(gap)
            #expect(machine.flow.isTooSoon(.getTicket, now: now), "\(gap) ms")
        }
        #expect(!machine.flow.isTooSoon(.getTicket, now: machine.now + .milliseconds(400)))
    }

    @Test("The machine starts into Home when the shop is open, into closed when it is not")
    func starts() {
        var machine = FlowMachine.started()
        #expect(machine.effects == [.refresh])
        #expect(machine.flow.state == .starting)
        machine.queueReported(Facts.queue(at: machine.now, isOpen: false))
        #expect(machine.flow.state == .closed(opens: nil))
        machine.queueReported()
        #expect(machine.flow.state == .home)
    }

    @Test("One lost poll is no outage; two are one, and the next good one ends it")
    func outage() {
        var machine = FlowMachine.atHome().doing(.backend(.queue(.failure(.unanswered))))
        #expect(machine.flow.state == .home)
        machine.does(.backend(.queue(.failure(.unanswered))))
        #expect(machine.flow.state == .outOfService(.network))
        machine.touches(.getTicket, expecting: [])
        machine.queueReported()
        #expect(machine.flow.state == .home)
    }

    @Test("A report of the queue counts as current for 12 seconds, then its age is shown")
    func age() {
        var machine = FlowMachine.atHome()
        let reported = machine.now - .seconds(1)
        #expect(machine.flow.service.queueAge(now: reported + .milliseconds(11_999)) == nil)
        #expect(machine.flow.service.queueAge(now: reported + .seconds(12)) == .seconds(12))
        // A lost poll does not make the report current, an answer does.
        machine.does(.backend(.queue(.failure(.unanswered))))
        #expect(machine.flow.service.queueAge(now: reported + .seconds(40)) == .seconds(40))
        machine.now = reported + .seconds(41)
        machine.queueReported()
        #expect(machine.flow.service.queueAge(now: machine.now) == nil)
    }

    @Test("A backend that is away at the start, or accepts no key, is shown at once")
    func atOnce() {
        let away = FlowMachine.started().doing(.backend(.queue(.failure(.unanswered))))
        #expect(away.flow.state == .outOfService(.network))
        #expect(FlowMachine.broken().flow.state == .outOfService(.notAuthentic))
    }

    @Test("An outage takes nothing away from the customer who is being served")
    func outageWhileServing() throws {
        var machine = FlowMachine.offering().doing(.backend(.queue(.failure(.unanswered))))
        machine.does(.backend(.queue(.failure(.unanswered))))
        try requireCase(KioskState.offer, of: machine.flow.state)
        machine.touches(.cancel)
        #expect(machine.flow.state == .outOfService(.network))
    }

    @Test("The shop's languages come first, those without a catalogue are left out")
    func languages() {
        var machine = FlowMachine.atHome()
        #expect(machine.flow.access.languages == ["it", "en"])
        let report = MachineProfile(
            machine: MachineID("door"), shop: ShopID("shop"), shopName: "Shop",
            timeZone: "Europe/Rome", languages: ["fr", "en", "it"], now: Facts.clock(at: .zero))
        machine.does(.backend(.profile(report)))
        #expect(machine.flow.access.languages == ["en", "it"])
        #expect(machine.flow.access.language == "en")
    }

    @Test("The shop's clock runs on between two reports")
    func clock() {
        let machine = FlowMachine.atHome().waiting(.minutes(3))
        let clock = machine.flow.shopClock(now: machine.now)
        #expect(clock == Facts.clock(at: machine.now))
    }
}
