import Reservations
import TestSupport
import Testing

@testable import KioskFlow

@Suite(
    "I am here: one number for an order, and its ticket (rules: unanswered-confirmation, start-up, order-arrivals) [Click-And-Collect UC10]"
)
struct ArrivalFlowTests {
    @Test("*I am here* is on the disk before it is sent; the answer is shown and printed once")
    func arrives() throws {
        var machine = FlowMachine.showing(Facts.order(.onShelf)).touching(.arrive)
        let key = try #require(machine.key)
        machine.expectEffects(
            .journal(.record(.intended(key, Facts.arrival))),
            .backend(.confirm(Facts.arrival, key)))
        let slip = Facts.slip(at: machine.now)
        machine.answersArrival(.success(Facts.arrived(at: machine.now)))
        machine.expectEffects(
            .journal(.record(.issued(key, slip))), .journal(.record(.language(key, "it"))),
            .journal(.record(.shown(key))), .journal(.record(.printing(key))),
            .printer(.print(key, slip)))
        #expect(try machine.shown(KioskState.issued).slip.number.text == "C-017")
        machine.waits(.seconds(2))
        machine.prints(.printed)
        #expect(machine.effects == [.journal(.record(.printed(key)))])
        machine.goesHome(after: .seconds(20))
    }

    @Test("The second tap of a double tap asks for nothing")
    func doubleTap() {
        let machine = FlowMachine.arriving().waiting(.milliseconds(150)).touching(.arrive)
        #expect(machine.effects.isEmpty)
        #expect(machine.flow.state.name == "confirming")
    }

    @Test(
        "An order that was here already, or is not ready any more, is shown and nothing is printed",
        arguments: [OrderState.arrived, .called, .promised, .cancelled])
    func withoutTicket(_ state: OrderState) throws {
        var machine = FlowMachine.arriving()
        let key = try #require(machine.key)
        machine.answersArrival(.success(Facts.order(state, isReady: false)))
        #expect(machine.effects == [.journal(.record(.resolved(key)))])
        let found = try requireCase(KioskState.order, of: machine.flow.state)
        #expect(found.order.state == state && !found.isChoice)
    }

    @Test("A closed shop says so, and the request is over")
    func closed() throws {
        var machine = FlowMachine.arriving()
        let key = try #require(machine.key)
        let opens = Facts.clock(at: .minutes(600))
        machine.answersArrival(.failure(.refused(Refused(.shopClosed, opens: opens))))
        #expect(machine.flow.state == .closed(opens: opens))
        #expect(machine.effects == [.journal(.record(.resolved(key))), .refresh])
    }

    @Test("A refused code ends the request", arguments: [Refusal.notFound, .otherShop])
    func refusedArrival(_ refusal: Refusal) throws {
        var machine = FlowMachine.arriving()
        let key = try #require(machine.key)
        machine.answersArrival(.failure(.refusal(refusal)))
        #expect(machine.effects == [.journal(.record(.resolved(key)))])
        let refused = try requireCase(KioskState.codeRefused, of: machine.flow.state)
        #expect(refused.reason == refusal && refused.sought == .order)
    }

    @Test("Leaving, or two minutes, ends the request and undoes nothing; the code has the number")
    func leaving() throws {
        var machine = FlowMachine.arriving()
        let key = try #require(machine.key)
        machine.answersArrival(.failure(.unanswered))
        var waiting = machine
        machine.touchesLater(.leave)
        #expect(machine.effects == [.journal(.record(.resolved(key))), .refresh])
        #expect(machine.flow.state == .home)
        machine.does(.backend(.arrived(key, .success(Facts.arrived(at: machine.now)))))
        #expect(machine.flow.state == .home && machine.effects.isEmpty)

        waiting.waits(.seconds(120))
        #expect(Array(waiting.effects.suffix(2)) == [.journal(.record(.resolved(key))), .refresh])
        // It may have happened, which the screen says.
        #expect(try waiting.shown(KioskState.requestFailed).change == .arrival)
    }

    @Test(
        "A key that cannot be used, and an intention that cannot be written, have sent nothing",
        arguments: [OutOfService.noKey, .journal])
    func unsent(_ reason: OutOfService) throws {
        var machine = FlowMachine.arriving()
        if reason == .noKey {
            machine.answersArrival(.failure(.noKey(.missing)))
        } else {
            machine.does(.journal(.failed(unsent: true)))
            #expect(machine.effects.isEmpty, "nothing has to be given back")
        }
        let failed = try requireCase(KioskState.requestFailed, of: machine.flow.state)
        #expect(failed.reason == reason && failed.change == nil)
    }

    // MARK: After a restart

    private func started(_ age: Duration, at now: Duration = .seconds(100)) -> FlowMachine {
        var machine = FlowMachine.started(
            with: OpenRequest(
                key: Self.old, what: Facts.arrival, deleteWhenKnown: false, age: age), at: now)
        machine.does(.backend(.profile(Facts.shopWithDesk)))
        return machine
    }

    private static let old = AttemptKey("old-1")

    @Test(
        "An older one, or one of a clock that was set, is not asked for: the code has the number",
        arguments: [
            (Duration.seconds(121), Duration.zero), (.seconds(-1), .zero),
            (.seconds(60), .seconds(70)),
        ])
    func abandoned(_ age: Duration, waiting: Duration) {
        var machine = started(age)
        machine.waits(waiting)
        machine.queueReported()
        #expect(machine.effectsWithoutHelp == [.journal(.record(.resolved(Self.old)))])
        #expect(machine.flow.state == .home)
    }

    @Test("A number that was drawn long ago is not printed for the customer who stands there now")
    func oldAnswer() {
        var machine = started(.seconds(100), at: .seconds(1_000))
        machine.queueReported()
        machine.answersArrival(.success(Facts.arrived(at: machine.now - .seconds(200))))
        #expect(machine.flow.state == .home)
        #expect(machine.effects.contains(.journal(.record(.resolved(Self.old)))))
        #expect(!machine.effects.contains { if case .printer = $0 { true } else { false } })
    }
}
