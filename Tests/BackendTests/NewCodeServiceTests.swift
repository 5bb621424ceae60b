import BackendAPI
import Reservations
import TestSupport
import Testing

@Suite("Staff give a paper that was photographed another code (rules: new-codes)")
final class NewCodeServiceTests: FullShop {
    private func renew(
        _ ticket: Reservation, as number: QueueNumber? = nil, by machine: TestMachine,
        key: String? = nil, person: String = "Giulia"
    ) throws -> WireResponse {
        let action = StaffAction.newCode(number ?? ticket.number, ticket.code)
        return try machine.act(StaffActionRequest(action, by: person), key: key)
    }

    @Test("The paper gets code, digits and link; what was photographed opens nothing any more")
    func renews() throws {
        _ = try phone.look()
        let socket = try phone.open()
        _ = try socket.place()
        let answer = try renew(mine, by: machine, key: "once")
        #expect(answer.status == 201)
        let now = try answer.decoded(Reservation.self)
        #expect(now.number == mine.number && now.id == mine.id)
        #expect(now.code != mine.code && now.typedCode != mine.typedCode && now.link != mine.link)
        // An answer that was lost is the same again.
        #expect(try renew(mine, by: machine, key: "once").body == answer.body)
        #expect(try renew(mine, by: machine, key: "once", person: "Luca").body == answer.body)
        #expect(try machine.lookUp(mine).problem == .notFound)
        let entrance = try backend.enrol("in", role: .entrance)
        #expect(try entrance.enter(mine).problem == .notFound)
        #expect(try phone.call(.place).status == 404)
        #expect(try phone.call(.withdrawal, code: phone.digits).status == 404)
        #expect(socket.closed() != nil)
        #expect(try TestPhone(backend, now).look().reservation.status == .planned)
        #expect(try machine.lookUp(now).status == 200)
        #expect(
            try backend.audit("code-renewed") == [
                "machine north, Giulia: code-renewed number \(mine.number.text)"
            ])
    }

    @Test("A number that was given with the former digits is told, and says nothing for the place")
    func formerNumber() async throws {
        let world = try SMSWorld()
        try await world.owner.confirmBooked()
        let sent = world.gateway.sent.count
        let code = try world.gateway.digits(6)
        let now = try renew(world.mine, by: world.machine, key: "once").decoded(Reservation.self)
        #expect(await eventually { world.gateway.sent.count == sent + 1 })
        #expect(world.gateway.texts.last?.contains(now.number.text) == true)
        #expect(world.gateway.texts.allSatisfy { !$0.contains(now.digits) })
        #expect(try world.backend.count("subscription") == 0)
        for answer in ["LATER", "NO"] {
            _ = await world.backend.answer(answer)
            #expect(world.gateway.sent.count == sent + 1)
        }
        let phone = try TestPhone(world.backend, now)
        #expect(try phone.look().reservation.status == .planned)
        // With the new digits it is given again, and an answer that was lost does not end it.
        let owner = NumberOwner(TestDevice(world.backend), world.gateway, for: phone)
        #expect(try await owner.give(code: code).status == 200)
        _ = try renew(world.mine, by: world.machine, key: "once")
        #expect(try world.backend.count("subscription WHERE is_proved = 1") == 1)
    }

    @Test("Another number, a place of a phone, and the machine of another shop get none")
    func refused() throws {
        let other = try machine.reservation()
        #expect(try renew(mine, as: other.number, by: machine).problem == .notFound)
        let missing = #"{"action":"new-code","by":"Giulia","number":\#(mine.number.rawValue)}"#
        #expect(try machine.call(.staffActions, missing).problem == .malformed)
        #expect(try phone.look().reservation.status == .planned)
    }
}
