import BackendAPI
import BackendService
import QueueEngine
import Reservations
import TestSupport
import Testing

@Suite("Desks at which orders are handed over, over HTTP (rules 41)")
struct DeskServiceTests {
    private let backend: TestBackend
    private let machine: TestMachine
    private let desk: TestMachine

    init() throws {
        backend = try TestBackend { $0.orders.desks = 2 }
        machine = try backend.enrol("door-1")
        desk = try backend.enrol("desk-1", role: .desk)
    }

    private func step(
        _ step: String, _ order: PickupOrderRecord, at number: Int = 1,
        by caller: TestMachine? = nil
    ) throws -> WireResponse {
        try (caller ?? desk).call(.deskStep(order.id), #"{"step":"\#(step)","desk":\#(number)}"#)
    }

    private func handOver(_ code: String, at number: Int = 1) throws -> WireResponse {
        try desk.call(.handovers, #"{"code":"\#(code)","desk":\#(number)}"#)
    }

    private func arrive(
        _ order: PickupOrderRecord, by caller: TestMachine? = nil
    ) throws -> WireResponse {
        try (caller ?? machine).call(
            .orderArrival(order.id), #"{"code":"\#(order.code.rawValue)"}"#)
    }

    private func shown(_ order: PickupOrderRecord) throws -> PickupOrder {
        try machine.call(.orderLookup, #"{"code":"\#(order.code.rawValue)"}"#)
            .decoded(PickupOrder.self)
    }

    private func audit() throws -> [String] {
        var rows: [String] = []
        try backend.administration.audit(of: TestBackend.shop) {
            if $0.action == "order-handed-over" { rows.append("\($0.actor): \($0.detail)") }
        }
        return rows
    }

    @Test(
        "From the arrival to the hand-over: the customer sees each state [Click-And-Collect TC5]"
    )
    func course() throws {
        let order = try backend.announce("4711", parcels: ["small@A-3", "large@B1"])
        #expect(try desk.call(.deskOrders).decoded(DeskOrders.self).orders.isEmpty)
        #expect(try arrive(order).status == 201)
        let list = try desk.call(.deskOrders).decoded(DeskOrders.self)
        #expect(list.desks == 2 && list.here == 1)
        let waiting = try #require(list.orders.first)
        #expect(waiting.number?.text == "C-001" && waiting.state == .arrived)
        #expect(waiting.parcels.map(\.shelf) == ["A-3", "B1"])
        #expect(try shown(order).state.course?.rawValue == "Opted for Click and collect")

        let fetched = try step("fetch", order)
        #expect(fetched.status == 201)
        #expect(try fetched.decoded(DeskOrder.self).desk == 1)
        #expect(try shown(order).desk == nil, "it is not there yet")
        #expect(try step("ready", order).status == 201)
        let called = try shown(order)
        #expect(called.desk == 1 && called.state.course?.rawValue == "Ready to Pickup")

        let given = try handOver(order.code.rawValue)
        #expect(given.status == 201)
        #expect(try given.decoded(DeskOrder.self).state == .handedOver)
        #expect(try shown(order).state.course?.rawValue == "Order complete")
        let again = try handOver(order.typedCode.grouped)
        #expect(again.status == 200)
        #expect(try again.decoded(DeskOrder.self).state == .handedOver)
        #expect(try step("undo", order).decoded(DeskOrder.self).state == .called)
        backend.time.advance(by: .seconds(21))
        #expect(try step("undo", order).problem == .orderChanged)
        #expect(try audit().isEmpty)
        #expect(try step("hand-over", order).status == 201)
        #expect(try audit() == ["device desk-1: order \(order.id), desk 1, without a code"])
    }

    @Test("Another assistant is faster, another desk has it, and a wrong body is refused")
    func refused() throws {
        let order = try backend.announce("4711")
        #expect(try step("fetch", order).problem == .orderChanged, "its customer is not here")
        _ = try arrive(order)
        #expect(try step("ready", order).problem == .orderChanged)
        _ = try step("fetch", order, at: 2)
        #expect(try step("fetch", order, at: 1).problem == .orderChanged)
        for body in [
            "{}", #"{"step":"fetch"}"#, #"{"step":"dance","desk":1}"#,
            #"{"step":"fetch","desk":0}"#,
            #"{"step":"fetch","desk":3}"#,
        ] {
            #expect(try desk.call(.deskStep(order.id), body).problem == .malformed, "\(body)")
        }
        #expect(
            try desk.call(.deskStep(OrderID("nothing")), #"{"step":"fetch","desk":1}"#).problem
                == .notFound)
        #expect(try handOver("CLUP:C:MIL1" + order.code.rawValue.suffix(26)).problem == .otherShop)
        #expect(try handOver("x").problem == .unreadableCode)
        #expect(try handOver("0000000000").problem == .notFound)
        #expect(try handOver(order.code.rawValue, at: 9).problem == .malformed)
        #expect(try handOver(order.code.rawValue).decoded(DeskOrder.self).desk == 2)
    }

    @Test("A customer who comes to the desk first is checked in there with the code")
    func firstAtTheDesk() throws {
        let later = try backend.announce("1", in: 600, parcels: ["small"])
        let order = try backend.announce("2")
        let early = try handOver(later.code.rawValue).decoded(DeskOrder.self)
        #expect(early.state == .promised && !early.isReady)
        let found = try handOver(order.code.rawValue)
        #expect(found.status == 200)
        #expect(try found.decoded(DeskOrder.self).isReady)
        #expect(try arrive(order, by: desk).decoded(PickupOrder.self).number?.text == "C-001")
    }

    @Test("Only a desk of the shop sees orders and their shelves, and it can do nothing else")
    func roles() throws {
        let order = try backend.announce("4711")
        _ = try arrive(order)
        for role in KeyRole.allCases where role != .desk {
            let caller = try backend.enrol("a-\(role.rawValue)", role: role)
            #expect(try caller.call(.deskOrders).problem == .forbidden, "\(role)")
            #expect(try step("fetch", order, by: caller).problem == .forbidden, "\(role)")
            #expect(
                try caller.call(
                    .handovers, #"{"code":"\#(order.code.rawValue)","desk":1}"#
                ).problem == .forbidden, "\(role)")
        }
        #expect(try desk.call(.holds, #"{"kind":"ticket"}"#).problem == .forbidden)
        #expect(try desk.call(.orderAnnouncement("1"), "{}").problem == .forbidden)
        #expect(try desk.call(.staffQueue).problem == .forbidden)
    }

    @Test(
        "The page of a desk is sent every change, the display the called orders, and a door nothing"
    )
    func feed() throws {
        let order = try backend.announce("4711", parcels: ["small@A-3"])
        let socket = try SocketClient(desk)
        let first = try socket.desk()
        #expect(first.orders.isEmpty && first.desks == 2)
        let display = try SocketClient(backend.enrol("screen", role: .display))
        #expect(try display.turns().orders == [])
        _ = try arrive(order)
        let came = try socket.desk { !$0.orders.isEmpty }
        #expect(came.sequence > first.sequence && came.orders[0].state == .arrived)
        _ = try step("fetch", order)
        #expect(try socket.desk { $0.orders.first?.state == .fetching }.orders[0].desk == 1)
        _ = try step("ready", order)
        let shown = try display.turns { $0.orders?.isEmpty == false }
        #expect(shown.orders?.first?.number.text == "C-001" && shown.orders?.first?.desk == 1)
        #expect(shown.called.isEmpty, "its number is none of the queue's")
        _ = try handOver(order.code.rawValue)
        _ = try socket.desk { $0.orders.isEmpty }
        _ = try display.turns { $0.orders?.isEmpty == true }
        // The shelves are for desks only.
        let bytes = display.next().map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(bytes?.contains("A-3") != true)
    }

    @Test("A shop without a desk shows none, and refuses what is asked of one")
    func without() throws {
        let shop = try TestBackend()
        let page = try shop.enrol("desk-1", role: .desk)
        #expect(try page.call(.deskOrders).decoded(DeskOrders.self).desks == 0)
        #expect(
            try page.call(.handovers, #"{"code":"0000000001","desk":1}"#).problem
                == .unsupportedKind)
        #expect(try SocketClient(page).turns().orders == nil)
    }
}
