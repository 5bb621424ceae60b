import KioskFlow
import KioskRuntime
import Reservations
import TestSupport
import Testing

/// An attacker in the path obtains the backend's own signatures and returns them as answers to a machine.
@Suite("Signed refusals of requests that the backend has not verified [fault 59]")
struct ForgedRefusalTests {
    @Test("They resolve no confirmation and no deletion, in either form of the request")
    func calls() async throws {
        try await FaultyShop.with { shop in
            let client = try await shop.pinned()
            for refusal in ForgedRefusal.allCases {
                for form in ForgedRefusal.Form.allCases {
                    shop.proxy.pass()
                    let hold = try await client.takePlace(.ticket, .fresh()).get().id
                    let (key, deletion) = (AttemptKey.fresh(), AttemptKey.fresh())
                    shop.proxy.inject(refusal.fault(form), path: "/confirmation")
                    let refused = try #require(await client.confirm(hold, key).failure)
                    #expect(refused.isUnsettled, "\(refusal), \(form): \(refused)")
                    shop.proxy.pass()
                    let reservation = try await client.confirm(hold, key).get()
                    #expect(reservation.id == hold)
                    shop.proxy.inject(refusal.fault(form), method: "DELETE")
                    let code = PresentedCode.entry(reservation.code)
                    let kept = try #require(
                        await client.delete(hold, code, deletion).failure)
                    #expect(kept.isUnsettled, "\(refusal), \(form): \(kept)")
                    shop.proxy.pass()
                    #expect(await client.delete(hold, code, deletion).failure == nil)
                }
            }
            #expect(try await shop.numbered().count == 12)
            #expect(try await shop.numbered().allSatisfy { $0.state == "deleted" })
            try await shop.judge()
        }
    }

    @Test("The answer to one of the machine's requests is none to another of its requests")
    func swapped() async throws {
        try await FaultyShop.with { shop in
            let client = try await shop.pinned()
            let key = AttemptKey.fresh()
            let kept = Locked<[UInt8]>([])
            func keep(_ path: String, during call: () async throws -> Void) async throws {
                shop.proxy.inject(
                    .rewrite { answer in
                        kept.change { $0 = answer }
                        return answer
                    }, path: path, times: 1)
                try await call()
                shop.proxy.pass()
            }
            let hold = try await client.takePlace(.ticket, .fresh()).get().id
            let none = ReservationID("none")
            let calls: [(String, () async throws -> Void)] = [
                ("/queue", { #expect(await client.queue().failure == nil) }),
                // A place that does not exist, and one that another call has given back: true refusals.
                (
                    "/none/confirmation",
                    { #expect(await client.confirm(none, .fresh()).failure == .refusal(.notFound)) }
                ),
                (
                    "/none/extension",
                    { #expect(await client.extend(none, .fresh()).failure == .refusal(.notFound)) }
                ),
            ]
            for (path, call) in calls {
                try await keep(path, during: call)
                shop.proxy.inject(.rewrite { _ in kept.value }, path: "/confirmation")
                #expect(await client.confirm(hold, key).failure == .unanswered, "\(path)")
                shop.proxy.pass()
            }
            #expect(try await client.confirm(hold, key).get().id == hold)
            #expect(try await shop.numbered().count == 1)
        }
    }

    @Test("The shipped machine keeps asking, has one row and one paper for each, and goes on")
    func machine() async throws {
        try await FaultyKiosk.atHome(isPinned: true) { kiosk, screen in
            let attacks =
                ForgedRefusal.allCases.map { ($0, ForgedRefusal.Form.asked) }
                + [(.notAuthentic, .older), (.unknownRoute, .older)]
            for (number, (refusal, form)) in zip(1..., attacks) {
                kiosk.proxy.inject(refusal.fault(form), path: "/confirmation")
                try await kiosk.confirm(on: screen)
                try await screen.shows(FaultWords.unresolved)
                // The backend has reserved the place, and the machine's call is still unresolved.
                #expect(try await kiosk.numbered().count == number)
                kiosk.proxy.pass()
                try await screen.shows(FaultWords.printed)
                let isPrinted = try await eventually {
                    try kiosk.product.papers().count == number
                }
                #expect(isPrinted, "\(refusal)")
                try await kiosk.finish(on: screen)
            }
            #expect(try await kiosk.numbered().count == attacks.count)
            #expect(
                Set(kiosk.proxy.asked("POST", "/confirmation").map(\.key)).count
                    == attacks.count)
            try await kiosk.judge()
        }
    }
}

extension BackendFailure {
    /// Whether the machine keeps asking for the outcome of its call.
    fileprivate var isUnsettled: Bool { isUnknown || refusal == .notAuthentic }
}
