import BackendAPI
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("A small shop and many customers")
struct CapacityTests {
    @Test(
        "200 people take tickets, book, enter and leave at once: never more than 30 inside [fault 26]",
        arguments: Engine.allCases)
    func crowd(engine: Engine) async throws {
        let dice = Dice("crowd")
        let plan = LoadChain.Plan(
            servers: engine.servers, machines: 200, capacity: 30, stayMinutes: 5,
            hasDoors: true)
        try await LoadChain.with(engine, plan) { chain in
            let rounds = TestLength.choose(2, long: 12)
            _ = try await onThreads(200) { index in
                var dice = dice.other("person \(index)")
                let machine = chain.machine(index)
                let (entrance, turnstile) = (chain.entrance(), chain.turnstile())
                for _ in 0..<rounds {
                    // While there are tickets, a visit is refused for that reason (rules: slots).
                    let kind: ReservationKind = dice.index(4) == 0 ? .visit : .ticket
                    guard let ticket = try machine.ticket(kind) else { continue }
                    let body = #"{"code":"\#(ticket.code)"}"#
                    // The customer tries the door whether called or not, and leaves soon after entering.
                    for _ in 0..<3 {
                        let entry = try entrance.insist(.entries, body)
                        guard entry.status == 200 else {
                            #expect(entry.status == 409, "refused with a reason")
                            entrance.note(entry.body)
                            usleep(20_000)
                            continue
                        }
                        usleep(UInt32(dice.index(20_000)))
                        let exit = try turnstile.insist(.exits, body)
                        #expect(exit.status == 200)
                        break
                    }
                }
            }
            let figures = try await chain.ledger.judge(
                "200 people, 30 places [26]", chain, seed: dice.seed)
            #expect(figures.acknowledged >= 100 * rounds)
            #expect(chain.ledger.refusals["not-yet-called"] ?? 0 > 0, "the shop was full")
        }
    }
}
