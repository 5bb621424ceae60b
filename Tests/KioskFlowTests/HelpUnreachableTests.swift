import KioskFlow
import Reservations
import TestSupport
import Testing

@Suite("Help that cannot be called (rules: help-answers)")
struct HelpUnreachableTests {
    /// A machine whose call failed.
    private func unreachable(_ failure: BackendFailure = .unanswered) -> FlowMachine {
        var machine = FlowMachine.askingForHelp().touching(.help(.call))
        machine.answersHelp(.failure(failure))
        return machine
    }

    @Test("Without an answer the numbers to call are shown, and the call is repeated with its key")
    func keepsTrying() throws {
        var machine = unreachable()
        let key = machine.lastKey
        for _ in 0..<3 {
            machine.waits(.seconds(2), expecting: [.help(.call(key))])
            machine.answersHelp(.failure(.unanswered))
        }
        machine.waits(.seconds(2))
        machine.answersHelp(.success(Facts.help(at: machine.now)))
        #expect(machine.flow.isHelpShown && machine.flow.help.openCall != nil)
    }

    @Test(
        "Any failure but a closed shop shows which numbers to call, also that of an older backend",
        arguments: [
            BackendFailure.unanswered, .notUnderstood, .refusal(.unavailable),
            .refusal(.notAuthentic), .refusal(.tooManyRequests), .noKey(.missing),
        ])
    func failures(failure: BackendFailure) throws {
        try requireCase(HelpState.unreachable, of: unreachable(failure).flow.help)
    }

    @Test("After two minutes it gives up, and asks later whether the call got through all the same")
    func givesUp() {
        var machine = unreachable()
        machine.waits(.seconds(119))
        #expect(machine.flow.isHelpShown)
        machine.waits(.seconds(2))
        #expect(machine.flow.help == .none)
        machine.queueReported()
        #expect(machine.effects == [.help(.follow)])
        machine.lists(Facts.help(at: machine.now))
        #expect(machine.flow.help.openCall != nil && !machine.flow.isHelpShown)
    }

    @Test("The customer can leave the screen; a call that gets through then is a band")
    func leaves() throws {
        var machine = unreachable()
        machine.touchesLater(.help(.leave))
        #expect(!machine.flow.isHelpShown)
        machine.waits(.seconds(1))
        machine.answersHelp(.success(Facts.help(at: machine.now)))
        #expect(machine.flow.help.openCall != nil && !machine.flow.isHelpShown)
    }

    @Test("A closed shop refuses the call, or is not asked, and it is shown which numbers to call")
    func closed() {
        let known = FlowMachine.closed().touching(.help(.open))
        #expect(known.effects.isEmpty)
        for machine in [known, unreachable(.refusal(.shopClosed))] {
            #expect(machine.flow.help == .closed(until: machine.now + .seconds(60)))
            #expect(machine.waiting(.seconds(60)).flow.help == .none)
        }
    }

    @Test("The shop's number is known after a start without a backend, until a newer one comes")
    func phone() {
        var machine = FlowMachine()
        machine.does(.started(KioskEvent.Kept(help: ShopHelp(phone: "02 1234"))))
        #expect(machine.flow.helpPhone == "02 1234")
        // An older backend says nothing about help.
        machine.does(.backend(.profile(Facts.shop)))
        #expect(machine.flow.helpPhone == "02 1234")
        var shop = Facts.shop
        shop.help = ShopHelp(phone: nil)
        machine.does(.backend(.profile(shop)))
        #expect(machine.flow.helpPhone == nil)
    }

    @Test("Before anything is known of the shop, and out of service, help can be called")
    func resting() throws {
        for machine in [FlowMachine.started(), .broken()] {
            let asked = machine.touching(.help(.open))
            try requireCase(HelpState.asking, of: asked.flow.help)
        }
    }
}
