import TestSupport
import Testing

@Suite(
    "What leaves the backend by other ways than papers, doors and the customer's own calls has no code [rules: paper-symbol, order-pages]"
)
struct CodeTraceTests {
    private func expectNone(_ code: String, in texts: [String], _ way: String) {
        #expect(!texts.isEmpty, "\(way)")
        let secret = code.suffix(26).lowercased()
        for text in texts { #expect(!text.lowercased().contains(secret), "\(way)") }
    }

    @Test("Notices, SMS, the event of a visit, the log and the figures have links that only look")
    func traces() async throws {
        let world = try LinkedPlace {
            $0.capacity = 20
            $0.orders.desks = 2
        }
        let (gateway, services) = (world.gateway, world.services)
        let (backend, machine, visit) = (world.backend, world.machine, world.visit)
        let mine = try machine.reservations(21)[20]
        let phone = try TestPhone(backend, mine)
        #expect(try backend.post(.subscription, phone.subscription("a")).status == 204)
        try await NumberOwner(TestDevice(backend), gateway, for: phone).confirm()
        let event = try backend.post(.calendar, "{\(world.link),\"language\":\"it\"}")
        #expect(event.status == 200)
        let order = try backend.announce("4711")
        let body = phone.subscription("b").replacing(
            phone.capability.rawValue, with: order.code.bare)
        #expect(try backend.post(.subscription, body).status == 204)
        #expect(try machine.arrive(order).status == 201)
        // A newer notice takes the place of one that waits.
        #expect(await eventually { gateway.bookings.count == 1 })
        backend.callNext()
        #expect(await eventually { services.pushed.count >= 2 && gateway.sent.count >= 2 })
        // The log has something to say.
        var tampered = machine.sign(machine.request(.queue))
        tampered.query = "x"
        _ = try machine.send(tampered)
        #expect(await eventually { !backend.lines.value.isEmpty })
        let pushed = services.pushed.map { String(decoding: $0.content, as: UTF8.self) }
        let sent = gateway.sent.map(\.text) + gateway.bookings.map(\.text)
        #expect(pushed.contains { $0.contains(phone.capability.rawValue) })
        for code in [mine.code.bare, visit.code.bare, order.code.bare] {
            expectNone(code, in: pushed, "push")
            expectNone(code, in: sent, "SMS")
            expectNone(code, in: [event.text], "calendar")
            expectNone(code, in: backend.lines.value, "log")
            expectNone(code, in: [backend.metrics], "metrics")
        }
    }
}
