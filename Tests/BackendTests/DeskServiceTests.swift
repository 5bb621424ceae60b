import BackendAPI
import Reservations
import Testing

@Suite("Desks at which orders are handed over, over HTTP (rules: order-desks)")
final class DeskServiceTests: OrderShop {
    private func audit() throws -> [String] { try backend.audit("order-handed-over") }

    @Test("Each step is a call, and a hand-over without a code is audited [Click-And-Collect TC5]")
    func course() throws {
        let order = try backend.announce("4711", parcels: ["small@A-3", "large@B1"])
        #expect(try machine.arrive(order).status == 201)
        let list = try desk.deskOrders()
        #expect(list.desks == 2 && list.here == 1)
        let waiting = try #require(list.orders.first)
        #expect(waiting.number?.text == "C-001" && waiting.state == .arrived)
        #expect(waiting.parcels.map(\.shelf) == ["A-3", "B1"])
        #expect(try desk.step("fetch", order).status == 201)
        #expect(try desk.step("ready", order).decoded(DeskOrder.self).desk == 1)
        #expect(try machine.shown(order).state.course?.rawValue == "Ready to Pickup")
        #expect(try desk.handOver(order.code.rawValue).status == 201)
        let again = try desk.handOver(order.typedCode.grouped)
        #expect(again.status == 200)
        #expect(try again.decoded(DeskOrder.self).state == .handedOver)
        #expect(try desk.step("undo", order).decoded(DeskOrder.self).state == .called)
        #expect(try audit().isEmpty)
        #expect(try desk.step("hand-over", order).status == 201)
        #expect(
            try audit() == [
                "device desk-1: order-handed-over order \(order.id), desk 1, without a code"
            ])
    }

    @Test("Another desk has it, and a wrong body, desk, order or code is refused")
    func refused() throws {
        let order = try backend.announce("4711")
        _ = try machine.arrive(order)
        try desk.step("fetch", order, at: 2)
        #expect(try desk.step("fetch", order, at: 1).problem == .orderChanged)
        for body in ["{}", #"{"step":"fetch"}"#] {
            #expect(try desk.call(.deskStep(order.id), body).problem == .malformed, "\(body)")
        }
        for (name, number) in [("dance", 1), ("fetch", 0), ("fetch", 3)] {
            #expect(try desk.step(name, order, at: number).problem == .malformed, "\(name)")
        }
        let nothing = Route.deskStep(OrderID("nothing"))
        #expect(try desk.call(nothing, #"{"step":"fetch","desk":1}"#).problem == .notFound)
        #expect(
            try desk.handOver("CLUP:C:MIL1" + order.code.rawValue.suffix(26)).problem == .otherShop)
        #expect(try desk.handOver("x").problem == .unreadableCode)
        #expect(try desk.handOver("0000000000").problem == .notFound)
        #expect(try desk.handOver(order.code.rawValue, at: 9).problem == .malformed)
        #expect(try desk.handOver(order.code.rawValue).decoded(DeskOrder.self).desk == 2)
    }

    @Test("A customer who comes to the desk first is checked in there with the code")
    func firstAtTheDesk() throws {
        let later = try backend.announce("1", in: 600, parcels: ["small"])
        let order = try backend.announce("2")
        let early = try desk.handOver(later.code.rawValue).decoded(DeskOrder.self)
        #expect(early.state == .promised && !early.isReady)
        let found = try desk.handOver(order.code.rawValue)
        #expect(found.status == 200)
        #expect(try found.decoded(DeskOrder.self).isReady)
        #expect(try desk.arrive(order).decoded(PickupOrder.self).number?.text == "C-001")
    }

    @Test("The page of a desk is sent every change, and the display the called orders")
    func feed() throws {
        let order = try backend.announce("4711", parcels: ["small@A-3"])
        let socket = try SocketClient(desk)
        let first = try socket.desk()
        #expect(first.orders.isEmpty && first.desks == 2)
        let display = try SocketClient(backend.enrol("screen", role: .display))
        #expect(try display.turns().orders == [])
        _ = try machine.arrive(order)
        let came = try socket.desk { !$0.orders.isEmpty }
        #expect(came.sequence > first.sequence && came.orders[0].state == .arrived)
        try desk.step("fetch", order)
        #expect(try socket.desk { $0.orders.first?.state == .fetching }.orders[0].desk == 1)
        try desk.step("ready", order)
        let shown = try display.turns { $0.orders?.isEmpty == false }
        #expect(shown.orders?.first?.number.text == "C-001" && shown.orders?.first?.desk == 1)
        #expect(shown.called.isEmpty, "its number is none of the queue's")
        _ = try desk.handOver(order.code.rawValue)
        _ = try socket.desk { $0.orders.isEmpty }
        _ = try display.turns { $0.orders?.isEmpty == true }
        // The shelves are for desks only.
        #expect(!display.texts.isEmpty && !display.texts.contains { $0.contains("A-3") })
    }

    @Test("A shop without a desk shows none, and refuses what is asked of one")
    func without() throws {
        let shop = try TestBackend()
        let page = try shop.enrol("desk-1", role: .desk)
        #expect(try page.deskOrders().desks == 0)
        #expect(try page.handOver("0000000001").problem == .unsupportedKind)
        #expect(try SocketClient(page).turns().orders == nil)
    }
}
