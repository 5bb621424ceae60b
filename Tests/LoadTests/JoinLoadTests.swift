import BackendAPI
import Cryptography
import Foundation
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("Phones that join at the door while servers are killed")
struct JoinLoadTests {
    /// A customer asks for a place and takes it, or gives it back now and then; nil if another window is ahead.
    private static func join(
        _ invitation: String, _ window: Caller, _ cookie: String, _ dice: inout Dice
    ) throws -> Reservation? {
        let held = try window.insist(
            .holds, #"{"invitation":"\#(invitation)"}"#, cookie: cookie)
        guard held.status == 201 else {
            window.note(Data(held.body))
            return nil
        }
        let offer = try JSONDecoder().decode(PlaceOnOffer.self, from: Data(held.body))
        let isTaken = dice.index(5) > 0
        let answered = try window.insist(
            isTaken ? .confirmation : .release, #"{"ticket":"\#(offer.ticket)"}"#,
            cookie: cookie)
        guard answered.status == 201 else {
            if answered.status != 204 { window.note(Data(answered.body)) }
            return nil
        }
        return try JSONDecoder().decode(Reservation.self, from: Data(answered.body))
    }

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
                    let status = try JSONDecoder().decode(
                        QueueStatus.self, from: machine.insist(.queue).body)
                    let link = try #require(status.join)
                    let invitation = try #require(link.split(separator: "#").last)
                    let place = try Self.join(
                        String(invitation), window, cookies[index / 2], &dice)
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
                try await chain.killServers(dice.other("kills"))
            }
            try await chain.ledger.judge("joins at the door [22]", chain, seed: dice.seed)
            #expect(taken.reduce(0, +) > 20, "\(taken)")
            #expect((chain.ledger.refusals["already-waiting"] ?? 0) > 0, "windows met a place")
        }
    }
}
