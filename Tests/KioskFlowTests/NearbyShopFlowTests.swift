import Reservations
import TestSupport
import Testing

@testable import KioskFlow

@Suite("Another shop in the backend's report (rules: nearby-shop)")
struct NearbyShopFlowTests {
    private static let shop = NearbyShop(name: "Città Studi 2", metres: 556, minutes: 8)

    private static func report(_ machine: FlowMachine, _ nearby: NearbyShop?) -> QueueStatus {
        var status = Facts.queue(at: machine.now)
        status.nearby = nearby
        return status
    }

    /// The same touches and answers, with or without another shop in each report; what the machine did.
    private static func played(_ nearby: NearbyShop?) -> [String] {
        var machine = FlowMachine.atHome()
        var done: [String] = []
        func note(_ machine: FlowMachine) {
            var state = machine.flow.state
            if case .offer(var offer) = state {
                offer.nearby = nil
                state = .offer(offer)
            }
            done.append("\(state) \(machine.effects)")
        }
        func report() {
            machine.queueReported(Self.report(machine, nearby))
            note(machine)
            machine.waits(.seconds(1))
        }
        report()
        for touch in [
            UserAction.getTicket, .cancel, .getTicket, .bookVisit, .confirm, .findReservation,
        ] {
            machine.touches(touch)
            note(machine)
            report()
            let isVisit = touch == .bookVisit
            machine.answersPlace(
                touch == .getTicket && done.count > 8
                    ? .failure(.refusal(.noTicketToday))
                    : .success(isVisit ? Facts.visit() : Facts.place()))
            note(machine)
            report()
            machine.answersConfirmation(.success(Facts.reservation(at: machine.now)))
            note(machine)
        }
        return done
    }

    @Test("Each touch does what it does without it, down to the last effect")
    func same() {
        let without = Self.played(nil)
        #expect(Self.played(Self.shop) == without)
        for state in ["asking", "offer", "noTicketToday", "issued"] {
            #expect(without.contains { $0.hasPrefix(state) }, "\(state)")
        }
    }

    @Test("An offer keeps the shop of the report before it, whatever comes or goes later")
    func offer() {
        var machine = FlowMachine.atHome().after { $0.queueReported(Self.report($0, Self.shop)) }
        machine.touches(.getTicket)
        machine.answersPlace(.success(Facts.place()))
        func nearby() -> NearbyShop? {
            guard case .offer(let offer) = machine.flow.state else { return nil }
            return offer.nearby
        }
        #expect(nearby() == Self.shop)
        machine.waits(.seconds(4))
        machine.queueReported(Self.report(machine, nil))
        #expect(nearby() == Self.shop)
    }

    @Test("An offer that comes after an old report names no shop")
    func old() throws {
        var machine = FlowMachine.atHome().after { $0.queueReported(Self.report($0, Self.shop)) }
        machine.waits(KioskTiming.maxQueueAge)
        machine.touches(.getTicket)
        machine.answersPlace(.success(Facts.place()))
        #expect(try machine.shown(KioskState.offer).nearby == nil)
    }
}
