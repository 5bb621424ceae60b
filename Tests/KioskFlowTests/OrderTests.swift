import Reservations
import Testing

@testable import KioskFlow

@Suite("Orders of the shop from afar (rules 25)")
struct OrderTests {
    private func order(_ deed: ShopOrder.Deed, id: Int64 = 1, given: Int64 = 1_000) -> ShopOrder {
        ShopOrder(id: id, deed: deed, given: Moment(milliseconds: given))
    }

    @Test("Out of service with a message and back, each remembered, told once and only at rest")
    func service() {
        var machine = Machine.atHome()
        let out = order(.outOfService(message: "Inventory until 3"))
        machine.does { $0.ordered(out, decided: nil, now: $1) }
        #expect(
            machine.effects == [.note(.ordered, "out-of-service"), .keepOrder(out), .obeyed(1)])
        #expect(machine.flow.state == .outOfService(.staff))
        #expect(machine.flow.serviceMessage == "Inventory until 3")
        #expect(machine.flow.outOfService == .staff)
        let back = order(.inService, id: 2, given: 2_000)
        machine.does { $0.ordered(back, decided: out.given, now: $1) }
        #expect(machine.flow.state == .home && machine.flow.serviceMessage == nil)
        #expect(machine.flow.outOfService == nil)
    }

    @Test("Who is being served is served to the end")
    func served() {
        for var machine in [Machine.offering(), .issued(), .found(), .scanning(), .soldOut()] {
            let before = machine.flow.state
            machine.does {
                $0.ordered(order(.outOfService(message: "x")), decided: nil, now: $1)
            }
            #expect(machine.flow.state == before)
        }
        var machine = Machine.soldOut()
        machine.does { $0.ordered(order(.outOfService(message: "x")), decided: nil, now: $1) }
        machine.touches(.cancel)
        #expect(machine.flow.state == .outOfService(.staff))
    }

    @Test("The later word counts: what the staff decided while the order was on its way stays")
    func later() {
        var machine = Machine.atHome()
        let old = order(.outOfService(message: "x"), given: 1_000)
        machine.does {
            $0.ordered(old, decided: Moment(milliseconds: 1_001), now: $1)
        }
        #expect(machine.effects == [.obeyed(1)] && machine.flow.state == .home)
        machine.does { $0.ordered(old, decided: Moment(milliseconds: 999), now: $1) }
        #expect(machine.flow.state == .outOfService(.staff))
    }

    @Test("A restart waits until nobody is being served, the staff included")
    func restart() {
        let restart = order(.restart, id: 7)
        let done: [KioskEffect] = [.note(.ordered, "restart"), .restartOnce(7)]
        var home = Machine.atHome()
        home.does { $0.ordered(restart, decided: nil, now: $1) }
        home.does { $0.restingReached(now: $1) }
        #expect(home.effects == done)
        // Once.
        home.does { $0.restingReached(now: $1) }
        #expect(home.effects.isEmpty)
        for var machine in [Machine.offering(), .issued(), .found(), .soldOut()] {
            machine.does { $0.ordered(restart, decided: nil, now: $1) }
            machine.does { $0.restingReached(now: $1) }
            #expect(machine.effects.isEmpty, "\(machine.flow.state)")
        }
        var machine = Machine.soldOut()
        machine.does { $0.ordered(restart, decided: nil, now: $1) }
        machine.touches(.cancel)
        machine.does { $0.restingReached(now: $1) }
        #expect(machine.effects == done)
    }

    @Test("A new version waits for Home, and for a while without a touch there")
    func renewal() {
        var home = Machine.atHome()
        home.touches(nil)
        home.does { flow, _ in
            flow.renewalCame()
            return []
        }
        home.does { $0.restingReached(now: $1) }
        #expect(home.effects.isEmpty)
        home.waits(KioskTiming.renewal)
        home.does { $0.restingReached(now: $1) }
        #expect(home.effects == [.renew])
        // Once.
        home.does { $0.restingReached(now: $1) }
        #expect(home.effects.isEmpty)
        for var machine in [Machine.offering(), .issued(), .found(), .soldOut()] {
            machine.does { flow, _ in
                flow.renewalCame()
                return []
            }
            machine.does { $0.restingReached(now: $1 + KioskTiming.renewal) }
            #expect(machine.effects.isEmpty, "\(machine.flow.state)")
        }
    }

    @Test("A new version waits until what a customer has chosen at Home is forgotten")
    func renewalAfterCustomer() {
        var machine = Machine.atHome()
        machine.touches(.openLanguages)
        machine.does { flow, _ in
            flow.renewalCame()
            return []
        }
        machine.waits(KioskTiming.renewal)
        machine.does { $0.restingReached(now: $1) }
        #expect(machine.effects.isEmpty)
        machine.waits(KioskTiming.customerMemory)
        machine.does { $0.restingReached(now: $1) }
        #expect(machine.effects == [.renew])
    }

    @Test("Another key is made at any time")
    func rotate() {
        var machine = Machine.offering()
        machine.does { $0.ordered(order(.rotate, id: 9), decided: nil, now: $1) }
        #expect(machine.effects == [.rotate(9)])
    }

    @Test("PINs are unlocked at any time")
    func unlock() {
        var machine = Machine.offering()
        machine.does { $0.ordered(order(.unlock, id: 9), decided: nil, now: $1) }
        #expect(machine.effects == [.unlock(9)])
    }

    @Test("What the staff decides at the machine takes the shop's message away")
    func staff() {
        var machine = Machine.atHome(isStaffKnown: true)
        machine.does { $0.ordered(order(.outOfService(message: "x")), decided: nil, now: $1) }
        machine.does { $0.staffAsked(now: $1) }
        machine.types("739146")
        machine.answersPIN(.person(StaffPerson(name: "Giulia", role: .manager)))
        machine.waits(.seconds(1))
        machine.touches(.putOutOfService)
        #expect(!machine.flow.isPutOut && machine.flow.serviceMessage == nil)
    }
}
