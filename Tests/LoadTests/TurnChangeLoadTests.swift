import BackendAPI
import Foundation
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("Turns that customers change while servers are killed")
struct TurnChangeLoadTests {
    /// A customer with one of this machine's tickets: comes in and leaves if it is called; lets people go ahead, or gives
    /// it back now and then, while it waits.
    private static func visit(
        _ ticket: Ticket, at machine: Caller, _ turnstile: Caller, _ dice: inout Dice
    ) throws -> FoundReservation {
        let code = #""code":"\#(ticket.code)""#
        let found = try machine.found(ticket.code)
        switch found.status {
        // The door passes a called customer out too, who then came in without a scan.
        case .called: _ = try turnstile.insist(.exits, "{\(code)}")
        case .planned where dice.index(6) == 0:
            _ = try machine.insist(.reservation(ticket.id), "{\(code)}")
        case .planned:
            guard let offers = found.delayOffers else { break }
            let offer = offers[dice.index(offers.count)]
            let delayed = try machine.insist(
                .delay(ticket.id), #"{\#(code),"people":\#(offer.people)}"#)
            if delayed.status == 200 {
                #expect(try delayed.decoded(FoundReservation.self).number == found.number)
            } else {
                machine.note(delayed.body)
            }
        default: break
        }
        return found
    }

    @Test(
        "Delays and withdrawals are carried out once, and none is lost; calls follow the order [faults 22, 26]",
        arguments: Engine.allCases)
    func killed(engine: Engine) async throws {
        let dice = Dice("turns")
        var plan = LoadChain.Plan(
            servers: engine.servers, machines: 6, capacity: 4, stayMinutes: 1,
            hasDoors: true)
        plan.settings = ["--delays", "yes"]
        try await LoadChain.with(engine, plan) { [plan] chain in
            _ = try await onThreads(plan.machines) { index, isOver in
                var dice = dice.other("machine \(index)")
                let (machine, turnstile) = (chain.machine(index), chain.turnstile())
                var waiting: [Ticket] = []
                while !isOver.isSet {
                    if waiting.count < 6, let ticket = try machine.ticket() {
                        waiting.append(ticket)
                    }
                    guard !waiting.isEmpty else { continue }
                    let place = dice.index(waiting.count)
                    let found = try Self.visit(waiting[place], at: machine, turnstile, &dice)
                    if found.status != .planned { waiting.remove(at: place) }
                }
            } while: {
                try await chain.killServers(dice.other("kills")) {
                    chain.ledger.answered(200, "/delay") > 20
                }
            }
            try await chain.ledger.judge("changed turns [22]", chain, seed: dice.seed)
            #expect(chain.ledger.answered(200, "/delay") > 20)
        }
    }
}
