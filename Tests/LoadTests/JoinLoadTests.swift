import BackendAPI
import Cryptography
import Foundation
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("Phones that join at the door while servers are killed")
struct JoinLoadTests {
    @Test(
        "No phone gets two places, in whatever shop and window, and no place is lost [faults 22, 26]",
        arguments: Engine.allCases)
    func killed(engine: Engine) async throws {
        let dice = Dice("joins")
        var plan = LoadChain.Plan(
            servers: engine.servers, shops: 2, machines: 6, capacity: 2_000,
            stayMinutes: 1, hasDoors: true)
        plan.settings = ["--phone-places", "yes", "--phone-share", "100"]
        plan.hasPhones = true
        let cookies = (0..<(plan.machines / 2)).map { _ in Caller.cookie() }
        try await LoadChain.with(engine, plan) { [plan] chain in
            let taken = try await onThreads(plan.machines) { index, isOver in
                var dice = dice.other("window \(index)")
                // The two windows of a phone are at the doors of two shops.
                let shop = index % plan.shops
                let (machine, turnstile) = (chain.machine(index), chain.turnstile(shop))
                let window = chain.phone(index)
                var taken = 0
                while !isOver.isSet {
                    let status = try machine.insist(.queue).decoded(QueueStatus.self)
                    let invitation = try #require(status.join?.split(separator: "#").last)
                    let held = try window.insist(
                        .holds, #"{"invitation":"\#(invitation)"}"#, cookie: cookies[index / 2])
                    // Some customers give the place back; others find that another window is ahead.
                    let place = try window.place(
                        held, isTaken: dice.index(5) > 0, cookie: cookies[index / 2])
                    guard let place else { continue }
                    taken += 1
                    // The other window meets the place, until its customer goes in and out.
                    usleep(UInt32(dice.index(50_000)))
                    let code = #"{"code":"\#(place.code.rawValue)"}"#
                    if dice.index(3) == 0 {
                        _ = try machine.insist(.reservation(place.id), code)
                    } else {
                        _ = try turnstile.insist(.exits, code)
                    }
                }
                return taken
            } while: {
                try await chain.killServers(dice.other("kills")) {
                    // A fifth of those who have an offer do not take it.
                    chain.ledger.answered(201, "/confirmation") > 60
                        && chain.ledger.refusals["already-waiting"] ?? 0 > 0
                }
            }
            try await chain.ledger.judge("joins at the door [22]", chain, seed: dice.seed)
            #expect(taken.reduce(0, +) > 20, "\(taken)")
            #expect((chain.ledger.refusals["already-waiting"] ?? 0) > 0, "windows met a place")
        }
    }
}
