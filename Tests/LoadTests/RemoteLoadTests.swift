import BackendAPI
import Cryptography
import Reservations
import TestSupport
import Testing

@Suite("Places that are taken elsewhere while servers are killed")
struct RemoteLoadTests {
    /// The time during which a server is killed every two seconds.
    private static let length = TestLength.choose(Duration.seconds(8), long: .seconds(120))

    /// How often customers were asked whether they are coming, and were called after that.
    private struct Seen {
        var asked = 0
        var called = 0
        var worked = 0

        /// Whether so many were asked and called that the rules were put to the test.
        var areEnough: Bool { asked > 3 && called > 1 }
    }

    /// A customer elsewhere with the cookie of a phone and, once there is one, the place.
    private struct Customer {
        let cookie = Caller.cookie()
        var place: Reservation?
        var wasAsked = false
        /// Whether the customer answers the question; the others give the place back some time after it.
        var answers = true
    }

    private static func solve(_ work: DemandedWork) -> String {
        var number = 0
        while true {
            let text = "\(work.challenge).\(number)"
            let digest = SHA256.digest(Array(text.utf8))
            if digest[0] == 0, digest[1] == 0 { return text }
            number += 1
        }
    }

    /// Takes a place, after some work if that is asked for; nil if there is none now.
    private static func join(
        _ customer: Customer, _ phone: Caller, _ seen: Locked<Seen>
    ) throws -> Reservation? {
        var held = try phone.insist(.holds, #"{"shop":"SH00"}"#, cookie: customer.cookie)
        if held.status == 428 {
            let work = solve(try #require(try held.decoded(Problem.self).work))
            seen.change { $0.worked += 1 }
            held = try phone.insist(
                .holds, #"{"shop":"SH00","work":"\#(work)"}"#, cookie: customer.cookie)
        }
        return try phone.place(held, cookie: customer.cookie)
    }

    /// The customer looks at the page of the place, and does what it asks; true at the end.
    private static func act(
        _ customer: inout Customer, _ place: Reservation, _ phone: Caller, _ machine: Caller,
        _ turnstile: Caller, _ seen: Locked<Seen>, _ dice: inout Dice
    ) throws -> Bool {
        let capability = try #require(place.link.flatMap { Capability(link: $0) })
        let body = #"{"capability":"\#(capability.rawValue)"}"#
        let answer = try phone.insist(.place, body, cookie: customer.cookie)
        guard answer.status == 200 else { return true }
        let found = try answer.decoded(FollowedPlace.self).reservation
        let code = #"{"code":"\#(place.code.rawValue)"}"#
        switch found.status {
        case .called:
            if customer.wasAsked { seen.change { $0.called += 1 } }
            _ = try turnstile.insist(.exits, code)
            return true
        case .planned where found.answerBy != nil:
            if !customer.wasAsked { seen.change { $0.asked += 1 } }
            customer.wasAsked = true
            if customer.answers {
                let said = try phone.insist(.coming, body, cookie: customer.cookie)
                #expect(said.status == 204)
            } else if dice.index(20) == 0 {
                _ = try machine.insist(.reservation(place.id), code)
                return true
            }
            return false
        case .planned: return false
        case .inside, .used, .missed, .unanswered, .closed, .deleted: return true
        }
    }

    @Test(
        "They are called whether they answered or not, none is lost, and calls follow the order [fault 22]",
        arguments: Engine.allCases)
    func killed(engine: Engine) async throws {
        let dice = Dice("remote")
        // By the forecast the queue takes an hour, and so every place is asked for at its turn.
        var plan = LoadChain.Plan(
            servers: engine.servers, machines: 4, capacity: 4, stayMinutes: 60,
            hasDoors: true)
        plan.settings = [
            "--phone-places", "yes", "--remote-places", "yes", "--phone-share", "100",
            "--phone-question", "yes",
        ]
        plan.hasPhones = true
        let seen = Locked(Seen())
        try await LoadChain.with(engine, plan) { [plan] chain in
            _ = try await onThreads(plan.machines) { index, isOver in
                var dice = dice.other("caller \(index)")
                let (machine, turnstile) = (chain.machine(index), chain.turnstile())
                let phone = chain.phone(index)
                var waiting: [Ticket] = []
                var customer = Customer()
                while !isOver.isSet {
                    // There is always a customer who waits: a place that one server frees, and another one gives away later,
                    // would show the difference between their clocks.
                    while waiting.count < 6, !isOver.isSet, let ticket = try machine.ticket() {
                        waiting.append(ticket)
                    }
                    if let place = customer.place {
                        let isOver = try Self.act(
                            &customer, place, phone, machine, turnstile, seen, &dice)
                        if isOver { customer = Customer() }
                    } else {
                        customer.answers = dice.index(5) > 0
                        customer.place = try Self.join(customer, phone, seen)
                    }
                    guard !waiting.isEmpty else { continue }
                    let place = dice.index(waiting.count)
                    let code = #"{"code":"\#(waiting[place].code)"}"#
                    if try turnstile.insist(.exits, code).status == 200 {
                        waiting.remove(at: place)
                    }
                }
            } while: {
                // On a busy computer few customers have their turn in that time, or none before the servers stay.
                for round in 0..<4 where !seen.value.areEnough {
                    try await chain.killServers(for: Self.length, dice.other("kills \(round)"))
                }
                _ = await patiently { seen.value.areEnough }
            }
            try await chain.ledger.judge("places elsewhere [22]", chain, seed: dice.seed)
            let all = seen.value
            print(
                "load: places elsewhere: \(all.asked) asked, \(all.called) called after, \(all.worked) worked"
            )
            #expect(all.areEnough)
        }
    }
}
