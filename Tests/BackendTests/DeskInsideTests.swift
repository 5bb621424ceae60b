import BackendAPI
import Reservations
import Testing

@Suite(
    "Customers of orders at the doors of a shop whose desk is inside, over HTTP (rules: desks-inside)"
)
struct DeskInsideTests {
    private struct Shop {
        let backend: TestBackend
        let machine: TestMachine
        let desk: TestMachine
        let entrance: TestMachine
        let turnstile: TestMachine

        init(isDeskInside: Bool) throws {
            backend = try TestBackend {
                $0.orders.desks = 2
                $0.orders.isDeskInside = isDeskInside
            }
            machine = try backend.enrol("door-1")
            desk = try backend.enrol("desk-1", role: .desk)
            entrance = try backend.enrol("door", role: .entrance)
            turnstile = try backend.enrol("out", role: .turnstile)
        }
    }

    @Test("The code of a called order opens the door once, and another one is refused with why")
    func doors() throws {
        let shop = try Shop(isDeskInside: true)
        let order = try shop.backend.announce("4711")
        let code = order.code.rawValue
        #expect(try shop.machine.arrive(order).status == 201)
        #expect(try shop.entrance.enter(code).problem == .notYetCalled)
        for step in ["fetch", "ready"] { try shop.desk.step(step, order, at: 2) }
        #expect(try shop.turnstile.leave(code).problem == .notInside)
        #expect(shop.backend.doors.value.isEmpty)
        let entered = try shop.entrance.enter(code)
        #expect(entered.status == 200)
        let passage = try entered.decoded(OrderPassage.self)
        #expect(passage.order == order.id && passage.number.text == "C-001" && passage.desk == 2)
        #expect(shop.backend.doors.value.map(\.number) == ["C-001"])
        #expect(shop.backend.doors.value.last?.door.role == .entrance)
        // The reader saw the code twice.
        #expect(try shop.entrance.enter(code).body == entered.body)
        #expect(shop.backend.doors.value.count == 1)
        shop.backend.time.advance(by: .seconds(6))
        #expect(try shop.entrance.enter(code).problem == .inside)
        #expect(try shop.entrance.enter(order.typedCode.grouped).problem == .inside)
        try shop.desk.step("hand-over", order, at: 2)
        #expect(try shop.turnstile.leave(code).status == 200)
        #expect(shop.backend.doors.value.last?.door.role == .turnstile)
    }

    @Test("Where the desk is outside, no order's code opens a door")
    func outside() throws {
        let shop = try Shop(isDeskInside: false)
        let order = try shop.backend.announce("4711")
        #expect(try shop.machine.arrive(order).status == 201)
        for step in ["fetch", "ready"] { try shop.desk.step(step, order, at: 2) }
        #expect(try shop.entrance.enter(order.code.rawValue).problem == .unreadableCode)
        #expect(try shop.turnstile.leave(order.code.rawValue).problem == .unreadableCode)
        #expect(try shop.entrance.enter(order.typedCode.grouped).problem == .notFound)
        #expect(shop.backend.doors.value.isEmpty)
    }
}
