import BackendAPI
import BackendService
import Foundation
import QRCode
import QueueEngine
import Reservations
import TestSupport
import Testing

@Suite("Orders on their customers' phones (rules 41)")
struct PhoneOrderTests {
    private let backend: TestBackend
    private let machine: TestMachine
    private let desk: TestMachine
    private let services = FakePushServices()

    init() throws {
        backend = try TestBackend(
            phones: TestBackend.phonePages,
            phoneLimits: [
                .capabilities: LimitedAction.capabilities.standard,
                .placeChanges: LimitedAction.placeChanges.standard,
            ], pushes: services.pushes
        ) {
            $0.orders.desks = 2
            $0.phones.hasPlaces = true
        }
        machine = try backend.enrol("door-1")
        desk = try backend.enrol("desk-1", role: .desk)
    }

    private func call(
        _ call: PublicCall, _ body: String, key: String? = nil, from address: String? = nil
    ) throws -> WireResponse {
        var request = try TestPhone.request(call, body, key: key, to: backend)
        if let address { request.fields["x-real-ip"] = address }
        return try TestPhone.send(request, to: backend)
    }

    private func look(_ code: String, from address: String? = nil) throws -> WireResponse {
        try call(.order, #"{"code":"\#(code)"}"#, from: address)
    }

    private func followed(_ order: PickupOrderRecord) throws -> FollowedOrder {
        try look(order.code.rawValue).decoded(FollowedOrder.self)
    }

    private func arrive(
        _ order: PickupOrderRecord, _ invitation: String, key: String? = nil
    ) throws -> WireResponse {
        try call(
            .arrival, #"{"code":"\#(order.code.rawValue)","invitation":"\#(invitation)"}"#, key: key
        )
    }

    private func changePolicy(_ change: (inout ShopPolicy) -> Void) throws {
        var shop = try #require(backend.store.shop(TestBackend.shop))
        change(&shop.policy)
        try backend.administration.updateShop(shop)
    }

    private func step(_ step: String, _ order: PickupOrderRecord) throws {
        let answer = try desk.call(.deskStep(order.id), #"{"step":"\#(step)","desk":2}"#)
        #expect(answer.status == 201, "\(step)")
    }

    private func subscribe(_ order: PickupOrderRecord, _ name: String) throws -> Int {
        let place = try TestPhone(backend, try machine.reservation())
        let body = place.subscription(name).replacing(
            place.capability.rawValue, with: order.code.rawValue)
        return try call(.subscription, body).status
    }

    @Test(
        "The page has the order's number, shop, parcels and state, and what is shown at the desk [Click-And-Collect UC8, Click-And-Collect UC11]"
    )
    func details() throws {
        let order = try backend.announce("4711", parcels: ["small@A-3", "large@B1"])
        let page = try followed(order)
        #expect(page.order.reference == "4711" && page.order.shopName == "Città")
        #expect(page.order.parcels == 2 && page.order.state == .onShelf && page.order.isReady)
        #expect(page.order.wait?.peopleAhead == 0)
        #expect(page.order.ticket?.typedCode == order.typedCode)
        #expect(page.symbol == (try QRCode.matrix(of: order.code.rawValue)).rows)
        #expect(page.pushKey == "key" && !page.languages.isEmpty)
        let text = String(decoding: try look(order.code.rawValue).body, as: UTF8.self)
        #expect(!text.contains("A-3"), "the shelf is for the desk")
    }

    @Test(
        "An unknown order is answered as every other text, and guesses from one address are held up [Click-And-Collect UC11, exception 1]"
    )
    func unknown() throws {
        let order = try backend.announce("1")
        let other = "CLUP:C:XXXX" + order.code.rawValue.suffix(26)
        let wrong = "CLUP:C:ROM1" + String(repeating: "0", count: 26)
        let all = [
            other, wrong, order.typedCode.rawValue, order.code.rawValue.lowercased(), "", "x",
        ]
        for text in all { #expect(try look(text).problem == .notFound, "\(text)") }
        #expect(try call(.order, "{}").problem == .malformed)
        var statuses: Set<Int> = []
        for _ in 0..<150 { statuses.insert(try look(wrong, from: "203.0.113.7").status) }
        #expect(statuses == [404, 429])
        // Who has the code is not kept from it by another address.
        #expect(try look(order.code.rawValue, from: "203.0.113.8").status == 200)
    }

    @Test(
        "Only with the symbol of its shop's door a phone says that the customer is here, once [Click-And-Collect UC10, Click-And-Collect UC10, exception 1, Click-And-Collect TC4]"
    )
    func arrives() throws {
        let order = try backend.announce("4711")
        let good = try machine.invitation().rawValue
        let last = good.last == "0" ? "1" : "0"
        for text in ["", "x", "\(good.dropLast())\(last)", "XXXX\(good.dropFirst(4))"] {
            let refused = try arrive(order, text)
            #expect(refused.status == 409 && refused.problem == .invitationOver, "\(text)")
        }
        #expect(try followed(order).order.state == .onShelf)
        let answer = try arrive(order, good, key: "a")
        #expect(answer.status == 201)
        let came = try answer.decoded(PickupOrder.self)
        #expect(came.state == .arrived && came.number?.text == "C-001")
        #expect(try arrive(order, good, key: "a").body == answer.body, "the same key")
        #expect(try arrive(order, good).status == 200)
        #expect(try followed(order).order.number == came.number)
        // The machine prints nothing for a customer who is here already.
        let atMachine = try machine.call(
            .orderArrival(order.id), #"{"code":"\#(order.code.rawValue)"}"#)
        #expect(atMachine.status == 200)
        #expect(try desk.call(.deskOrders).decoded(DeskOrders.self).here == 1)
        // A picture of the symbol is worth nothing after some minutes.
        let later = try backend.announce("4712")
        backend.time.advance(by: .minutes(5))
        #expect(try arrive(later, good).problem == .invitationOver)
        #expect(try arrive(later, try machine.invitation().rawValue).status == 201)
    }

    @Test("A customer who comes and goes again and again leaves few rows")
    func limited() throws {
        let order = try backend.announce("1")
        let invitation = try machine.invitation().rawValue
        for time in 1...6 {
            #expect(try arrive(order, invitation).status == 201)
            if time < 6 {
                #expect(try arrive(order, invitation).status == 200, "it counts for nothing")
            }
            try step("fetch", order)
            try step("ready", order)
            try step("put-back", order)
        }
        #expect(try arrive(order, invitation).problem == .tooManyRequests)
        // At the machine the customer still can.
        let answer = try machine.call(
            .orderArrival(order.id), #"{"code":"\#(order.code.rawValue)"}"#)
        #expect(answer.status == 201)
    }

    @Test(
        "A notice at each state comes to the phone, the last one confirms the hand-over [Click-And-Collect UC9, Click-And-Collect UC12, Click-And-Collect TC5]"
    )
    func notices() async throws {
        let order = try backend.announce("4711")
        #expect(try subscribe(order, "a") == 204)
        #expect(
            try machine.call(
                .orderArrival(order.id), #"{"code":"\#(order.code.rawValue)"}"#
            ).status == 201)
        var expected: [OrderNoticeKind] = []
        func isNews(_ kind: OrderNoticeKind) async throws -> OrderNoticeMessage? {
            expected.append(kind)
            let count = expected.count
            #expect(await eventually { services.pushed.count == count })
            let messages = try services.orderMessages
            #expect(messages.map(\.order) == expected)
            return messages.last
        }
        let arrived = try await isNews(.arrived)
        #expect(arrived?.number?.text == "C-001" && arrived?.reference == "4711")
        #expect(arrived?.shopName == "Città")
        #expect(try arrived?.capability.rawValue == followed(order).capability)
        for pushed in services.pushed {
            let text = String(decoding: pushed.content, as: UTF8.self)
            #expect(!text.contains(order.code.bare) && !text.contains(order.typedCode.rawValue))
        }
        for (name, kind) in [("fetch", OrderNoticeKind.fetching), ("ready", .called)] {
            backend.time.advance(by: .seconds(1))
            try step(name, order)
            let message = try await isNews(kind)
            #expect(message?.desk == (kind == .called ? 2 : nil))
        }
        #expect(services.pushed.last?.urgency == .high)
        backend.time.advance(by: .seconds(1))
        let given = try desk.call(
            .handovers, #"{"code":"\#(order.code.rawValue)","desk":2}"#)
        #expect(given.status == 201)
        let last = try await isNews(.handedOver)
        #expect(last?.number?.text == "C-001")
        let page = try followed(order)
        #expect(page.order.state == .handedOver && page.symbol == nil && page.order.ticket == nil)
        #expect(try subscribe(order, "b") == 404, "it is over")
        #expect(
            try await eventually {
                try backend.count("notice_day WHERE kind = 'order-handed-over' AND sent = 1") == 1
            })
        #expect(
            backend.metrics.contains("clup_notices_total{kind=\"order-called\",fate=\"sent\"} 1"))
    }

    @Test("A customer who was not at the desk in time reads where to turn, on the phone too")
    func putBack() async throws {
        let order = try backend.announce("1")
        #expect(try arrive(order, try machine.invitation().rawValue).status == 201)
        try step("fetch", order)
        try step("ready", order)
        #expect(try subscribe(order, "a") == 204)
        backend.time.advance(by: .minutes(15))
        #expect(try await eventually { try services.orderMessages.last?.order == .putBack })
        let back = try followed(order).order
        #expect(back.state == .onShelf && back.wasAtDesk == true)
        #expect(try arrive(order, try machine.invitation().rawValue).status == 201)
        try step("put-back", order)
        #expect(try followed(order).order.wasAtDesk == nil, "it was not fetched")
    }

    @Test("What shows an order has neither code nor digits, and says nothing for its customer")
    func capability() throws {
        let order = try backend.announce("4711")
        let capability = try #require(try followed(order).capability)
        func asked(_ text: String) throws -> WireResponse {
            try call(.order, #"{"capability":"\#(text)"}"#)
        }
        let answer = try asked(capability)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(!text.contains(order.code.bare) && !text.contains(order.typedCode.rawValue))
        let shown = try answer.decoded(FollowedOrder.self)
        #expect(shown.order.reference == "4711" && shown.capability == capability)
        #expect(shown.symbol == nil && shown.order.ticket == nil)
        // It is the capability of this order only.
        let other = try #require(try followed(try backend.announce("4712")).capability)
        let last = capability.last == "0" ? "1" : "0"
        let wrongs = [
            "\(capability.prefix(30))\(other.suffix(26))",
            "\(other.prefix(30))\(capability.suffix(26))",
            "\(capability.dropLast())\(last)", "XXXX\(capability.dropFirst(4))",
            "\(capability)0", capability.lowercased(),
        ]
        for wrong in wrongs { #expect(try asked(wrong).problem == .notFound, "\(wrong)") }
        #expect(try call(.order, "{}").problem == .malformed)
        let both = #"{"code":"\#(order.code.bare)","capability":"\#(capability)"}"#
        #expect(try call(.order, both).problem == .malformed)
        // Nor does the machine, the desk or the door's symbol take it for the code.
        let invitation = try machine.invitation().rawValue
        let arrival = try call(
            .arrival, #"{"code":"\#(capability)","invitation":"\#(invitation)"}"#)
        #expect(arrival.problem == .notFound)
        #expect(
            try machine.call(.orderLookup, #"{"code":"\#(capability)"}"#).problem
                == .unreadableCode)
        #expect(try followed(order).order.state == .onShelf)
    }

    @Test("Browsers that only have what shows an order take no room from those with its code")
    func withoutCode() throws {
        let order = try backend.announce("4711")
        let capability = try #require(try followed(order).capability)
        let place = try TestPhone(backend, try machine.reservation())
        func subscribe(_ name: String, with opener: String) throws -> Int {
            let body = place.subscription(name)
                .replacing(place.capability.rawValue, with: opener)
            return try call(.subscription, body).status
        }
        for name in ["a", "b", "c"] {
            #expect(try subscribe(name, with: order.code.bare) == 204)
        }
        for name in ["x", "y", "z"] { #expect(try subscribe(name, with: capability) == 204) }
        #expect(try subscribe("w", with: capability) == 409)
        #expect(try backend.count("subscription WHERE is_proved = 1") == 3)
        #expect(try subscribe("d", with: order.code.rawValue) == 204)
        #expect(try backend.count("subscription WHERE is_proved = 1") == 3)
        #expect(try backend.count("subscription WHERE is_proved = 0") == 3)
    }

    @Test("Looks with what only shows an order keep the holder of its code from nothing")
    func lookers() throws {
        let (backend, machine) = try TestBackend.joinable([
            .pages: RateLimit(perSecond: 0.001, burst: 3)
        ]) { $0.orders.desks = 1 }
        let order = try backend.announce("4711")
        func ask(_ call: PublicCall, _ body: String) throws -> WireResponse {
            try TestPhone.send(
                TestPhone.request(call, body, key: nil, to: backend), to: backend)
        }
        let code = #""code":"\#(order.code.bare)""#
        let capability = try #require(
            try ask(.order, "{\(code)}").decoded(FollowedOrder.self).capability)
        for number in 0..<4 {
            let look = try ask(.order, #"{"capability":"\#(capability)"}"#)
            #expect(look.status == (number < 3 ? 200 : 429))
        }
        #expect(try ask(.order, "{\(code)}").status == 200)
        let door = #""invitation":"\#(try machine.invitation().rawValue)""#
        #expect(try ask(.arrival, "{\(code),\(door)}").status == 201)
    }

    @Test("What an assistant undid before it was sent is not sent")
    func undone() async throws {
        let order = try backend.announce("1")
        services.outcomes = ["https://push.example/a": .busy(retryAfter: .seconds(30))]
        #expect(try arrive(order, try machine.invitation().rawValue).status == 201)
        try step("fetch", order)
        #expect(try subscribe(order, "a") == 204)
        try step("ready", order)
        #expect(await eventually { services.pushed.count == 1 })
        let next = (backend.time.now + .seconds(30)).milliseconds
        #expect(try await eventually { try backend.count("notice WHERE next_ms = \(next)") == 1 })
        services.outcomes = [:]
        backend.time.advance(by: .seconds(1))
        try step("undo", order)
        #expect(await eventually { services.pushed.count == 2 })
        #expect(try services.orderMessages.map(\.order) == [.called, .fetching])
    }

    @Test(
        "The display shows the door's symbol for orders where phones get no place, and a shop without pages shows none"
    )
    func symbol() throws {
        let display = try backend.enrol("screen", role: .display)
        let join = try #require(try machine.join())
        let turns = try SocketClient(display).turns()
        #expect(turns.joinSymbol != nil && turns.arrivalSymbol == nil)
        try changePolicy { $0.phones.hasPlaces = false }
        let only = try SocketClient(display).turns { $0.joinSymbol == nil }
        let orders = join.replacing("/j#", with: "/orders#")
        #expect(only.arrivalSymbol == (try QRCode.matrix(of: orders)).rows)
        #expect(try machine.join() == nil)
        let order = try backend.announce("1")
        let invitation = String(join.split(separator: "#")[1])
        #expect(try arrive(order, invitation).status == 201)
        try changePolicy { $0.phones.hasPages = false }
        let none = try SocketClient(display).turns { $0.arrivalSymbol == nil }
        #expect(none.joinSymbol == nil)
        #expect(try look(order.code.rawValue).problem == .notFound)
    }

    @Test("The shop's own system gets the link to the page for its mail [Click-And-Collect TC3]")
    func link() throws {
        let source = try backend.enrol("web-shop", role: .orderSource)
        let answer = try source.call(
            .orderAnnouncement("4711"),
            #"{"promised":"2026-11-20T09:00:00+01:00","parcels":[{"size":"small","shelf":"A3"}]}"#)
        #expect(answer.status == 201)
        let receipt = try answer.decoded(OrderReceipt.self)
        #expect(receipt.link == "https://queue.example.it/C#\(receipt.code.bare)")
        for text in [receipt.code.bare, receipt.code.rawValue] {
            #expect(try look(text).status == 200)
        }
        // The machine takes the symbol of the link for the code, and prints the link that only shows the order.
        let found = try machine.call(.orderLookup, #"{"code":"\#(receipt.link ?? "")"}"#)
            .decoded(PickupOrder.self)
        let came = try machine.call(
            .orderArrival(found.id), #"{"code":"\#(receipt.code.rawValue)"}"#)
        let capability = try #require(
            try look(receipt.code.bare).decoded(FollowedOrder.self).capability)
        #expect(
            try came.decoded(PickupOrder.self).ticket?.link
                == "https://queue.example.it/orders#\(capability)")
    }
}

extension FakePushServices {
    /// The messages of orders in what was sent.
    fileprivate var orderMessages: [OrderNoticeMessage] {
        get throws {
            try pushed.map {
                try JSONDecoder().decode(OrderNoticeMessage.self, from: Data($0.content))
            }
        }
    }
}
