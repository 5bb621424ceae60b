import BackendAPI
import BackendService
import QRCode
import QueueEngine
import Reservations
import TestSupport
import Testing

@Suite("Orders on their customers' phones (rules: order-codes, order-arrivals, order-pages)")
final class PhoneOrderTests: OpenShop {
    private let desk: TestMachine
    private let services = FakePushServices()

    override init() throws {
        let limits = LimitedAction.standards(.capabilities, .codes, .placeChanges)
        let shop = try TestBackend.joinable(limits, pushes: services.pushes) {
            $0.orders.desks = 2
        }
        desk = try shop.0.enrol("desk-1", role: .desk)
        super.init(shop)
    }

    private func look(_ code: String, from address: String? = nil) throws -> WireResponse {
        try backend.post(.order, #"{"code":"\#(code)"}"#, from: address)
    }

    private func followed(_ order: PickupOrderRecord) throws -> FollowedOrder {
        try look(order.code.rawValue).decoded(FollowedOrder.self)
    }

    private func arrive(
        _ order: PickupOrderRecord, _ invitation: String? = nil, key: String? = nil
    ) throws -> WireResponse {
        let invitation = try invitation ?? machine.invitation().rawValue
        let body = #"{"code":"\#(order.code.rawValue)","invitation":"\#(invitation)"}"#
        return try backend.post(.arrival, body, key: key)
    }

    private func step(_ step: String, _ order: PickupOrderRecord) throws {
        #expect(try desk.step(step, order, at: 2).status == 201, "\(step)")
    }

    /// The status with which a browser subscribes that has the code of an order, or what only shows it.
    private func subscribe(_ name: String, with opener: String) throws -> Int {
        let place = try TestPhone(backend, try machine.reservation())
        let body = place.subscription(name).replacing(place.capability.rawValue, with: opener)
        return try backend.post(.subscription, body).status
    }

    private func find(
        _ reference: String, _ digits: String, from address: String = "192.0.2.1"
    ) throws -> WireResponse {
        try backend.post(
            .order, #"{"reference":"\#(reference)","typedCode":"\#(digits)"}"#, from: address)
    }

    @Test("A cut-off link: name and digits together open the order, each alone or wrong nothing")
    func cutLink() throws {
        let orders = try ["4711", "4712"].map { try backend.announce($0, parcels: ["small@A1"]) }
        let found = try find("4711", orders[0].typedCode.rawValue).decoded(FollowedOrder.self)
        #expect(found.order.reference == "4711" && found.symbol != nil)
        #expect(found.order.ticket?.code == orders[0].code)
        #expect(found.capability == (try followed(orders[0]).capability))
        // The digits of one order with the name of another, and no digits.
        for (reference, digits) in [
            ("4712", orders[0].typedCode.rawValue), ("", orders[0].typedCode.rawValue),
            ("4711", "0000000000"), ("4711", "471"), ("4711", ""),
        ] {
            #expect(try find(reference, digits).problem == .notFound, "\(reference) \(digits)")
        }
        for body in [
            #"{"reference":"4711"}"#, #"{"typedCode":"0123456789"}"#,
            #"{"reference":"4711","typedCode":"0123456789","code":"x"}"#,
        ] {
            #expect(try backend.post(.order, body).problem == .malformed, "\(body)")
        }
    }

    @Test("Who guesses digits is refused soon, and a customer elsewhere is not")
    func guessed() throws {
        let order = try backend.announce("4711", parcels: ["small@A1"])
        var tries = 0
        while try find("4711", "0000000000").problem != .tooManyRequests, tries < 100 { tries += 1 }
        #expect(tries < 100)
        let digits = order.typedCode.rawValue
        #expect(try find("4711", digits).problem == .tooManyRequests)
        #expect(try find("4711", digits, from: "192.0.2.2").status == 200)
    }

    // The page of an order [Click-And-Collect UC8, Click-And-Collect UC11].
    @Test("The page has number, shop, parcels and state of the order, and its code for the desk")
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

    // The order cannot be found [Click-And-Collect UC11, exception 1].
    @Test("An unknown order is answered as every other text, and an address's guesses held up")
    func unknown() throws {
        let order = try backend.announce("1")
        let other = "CLUP:C:XXXX" + order.code.rawValue.suffix(26)
        let wrong = "CLUP:C:ROM1" + String(repeating: "0", count: 26)
        let all = [
            other, wrong, order.typedCode.rawValue, order.code.rawValue.lowercased(), "", "x",
        ]
        for text in all { #expect(try look(text).problem == .notFound, "\(text)") }
        #expect(try backend.post(.order, "{}").problem == .malformed)
        var statuses: Set<Int> = []
        for _ in 0..<150 { statuses.insert(try look(wrong, from: "203.0.113.7").status) }
        #expect(statuses == [404, 429])
        // Who has the code is not kept from it by another address.
        #expect(try look(order.code.rawValue, from: "203.0.113.8").status == 200)
    }

    // [Click-And-Collect UC10, Click-And-Collect UC10, exception 1, Click-And-Collect TC4]
    @Test("Only with the symbol of its shop's door a phone says that the customer is here, once")
    func arrives() throws {
        let order = try backend.announce("4711")
        let good = try machine.invitation().rawValue
        for text in ["", "x", altered(good), "XXXX\(good.dropFirst(4))"] {
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
        #expect(try machine.arrive(order).status == 200)
        #expect(try desk.deskOrders().here == 1)
        // A picture of the symbol is worth nothing after some minutes.
        let later = try backend.announce("4712")
        backend.time.advance(by: .minutes(5))
        #expect(try arrive(later, good).problem == .invitationOver)
        #expect(try arrive(later).status == 201)
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
        #expect(try machine.arrive(order).status == 201)
    }

    // [Click-And-Collect UC9, Click-And-Collect UC12, Click-And-Collect TC5]
    @Test("A notice at each state comes to the phone, and the last one confirms the hand-over")
    func notices() async throws {
        let order = try backend.announce("4711")
        #expect(try subscribe("a", with: order.code.rawValue) == 204)
        #expect(try machine.arrive(order).status == 201)
        var expected: [OrderNoticeKind] = []
        func isNews(_ kind: OrderNoticeKind) async throws -> OrderNoticeMessage? {
            expected.append(kind)
            let count = expected.count
            #expect(await eventually { services.pushed.count == count })
            let messages = try services.messages(OrderNoticeMessage.self)
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
        #expect(try desk.handOver(order.code.rawValue, at: 2).status == 201)
        _ = try await isNews(.handedOver)
        let page = try followed(order)
        #expect(page.order.state == .handedOver && page.symbol == nil && page.order.ticket == nil)
        #expect(try subscribe("b", with: order.code.rawValue) == 404, "it is over")
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
        #expect(try arrive(order).status == 201)
        try step("fetch", order)
        try step("ready", order)
        #expect(try subscribe("a", with: order.code.rawValue) == 204)
        backend.time.advance(by: .minutes(15))
        #expect(await eventually { services.pushed.count == 1 })
        #expect(try services.messages(OrderNoticeMessage.self).map(\.order) == [.putBack])
        let back = try followed(order).order
        #expect(back.state == .onShelf && back.wasAtDesk == true)
        #expect(try arrive(order).status == 201)
        try step("put-back", order)
        #expect(try followed(order).order.wasAtDesk == nil, "it was not fetched")
    }

    @Test("What shows an order has neither code nor digits, and says nothing for its customer")
    func capability() throws {
        let order = try backend.announce("4711")
        let capability = try #require(try followed(order).capability)
        func asked(_ text: String) throws -> WireResponse {
            try backend.post(.order, #"{"capability":"\#(text)"}"#)
        }
        let answer = try asked(capability)
        let text = answer.text
        #expect(!text.contains(order.code.bare) && !text.contains(order.typedCode.rawValue))
        let shown = try answer.decoded(FollowedOrder.self)
        #expect(shown.order.reference == "4711" && shown.capability == capability)
        #expect(shown.symbol == nil && shown.order.ticket == nil)
        // It is the capability of this order only.
        let other = try #require(try followed(try backend.announce("4712")).capability)
        let wrongs = [
            "\(capability.prefix(30))\(other.suffix(26))",
            "\(other.prefix(30))\(capability.suffix(26))",
            altered(capability), "XXXX\(capability.dropFirst(4))",
            "\(capability)0", capability.lowercased(),
        ]
        for wrong in wrongs { #expect(try asked(wrong).problem == .notFound, "\(wrong)") }
        let both = #"{"code":"\#(order.code.bare)","capability":"\#(capability)"}"#
        #expect(try backend.post(.order, both).problem == .malformed)
        // Nor does the machine, the desk or the door's symbol take it for the code.
        let invitation = try machine.invitation().rawValue
        let arrival = #"{"code":"\#(capability)","invitation":"\#(invitation)"}"#
        #expect(try backend.post(.arrival, arrival).problem == .notFound)
        #expect(try machine.call(.orderLookup, code: capability).problem == .unreadableCode)
        #expect(try followed(order).order.state == .onShelf)
    }

    @Test("Browsers that only have what shows an order take no room from those with its code")
    func withoutCode() throws {
        let order = try backend.announce("4711")
        let capability = try #require(try followed(order).capability)
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
        let (backend, machine) = try TestBackend.joinable([.pages: .only(3)]) {
            $0.orders.desks = 1
        }
        let order = try backend.announce("4711")
        let code = #""code":"\#(order.code.bare)""#
        let capability = try #require(
            try backend.post(.order, "{\(code)}").decoded(FollowedOrder.self).capability)
        for number in 0..<4 {
            let look = try backend.post(.order, #"{"capability":"\#(capability)"}"#)
            #expect(look.status == (number < 3 ? 200 : 429))
        }
        #expect(try backend.post(.order, "{\(code)}").status == 200)
        let door = #""invitation":"\#(try machine.invitation().rawValue)""#
        #expect(try backend.post(.arrival, "{\(code),\(door)}").status == 201)
    }

    @Test("What an assistant undid before it was sent is not sent")
    func undone() async throws {
        let order = try backend.announce("1")
        services.outcomes = ["https://push.example/a": .busy(retryAfter: .seconds(30))]
        #expect(try arrive(order).status == 201)
        try step("fetch", order)
        #expect(try subscribe("a", with: order.code.rawValue) == 204)
        try step("ready", order)
        #expect(await eventually { services.pushed.count == 1 })
        let next = (backend.time.now + .seconds(30)).milliseconds
        #expect(try await eventually { try backend.count("notice WHERE next_ms = \(next)") == 1 })
        services.outcomes = [:]
        backend.time.advance(by: .seconds(1))
        try step("undo", order)
        #expect(await eventually { services.pushed.count == 2 })
        let states = try services.messages(OrderNoticeMessage.self).map(\.order)
        #expect(states == [.called, .fetching])
    }

    @Test("The display shows the symbol for orders where phones get no place, if there are pages")
    func symbol() throws {
        let display = try backend.enrol("screen", role: .display)
        let join = try #require(try machine.join())
        let turns = try SocketClient(display).turns()
        #expect(turns.joinSymbol != nil && turns.arrivalSymbol == nil)
        try backend.changeShop { $0.policy.phones.hasPlaces = false }
        let only = try SocketClient(display).turns { $0.joinSymbol == nil }
        let orders = join.replacing("/j#", with: "/orders#")
        #expect(only.arrivalSymbol == (try QRCode.matrix(of: orders)).rows)
        #expect(try machine.join() == nil)
        let order = try backend.announce("1")
        let invitation = String(join.split(separator: "#")[1])
        #expect(try arrive(order, invitation).status == 201)
        try backend.changeShop { $0.policy.phones.hasPages = false }
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
        let found = try machine.call(.orderLookup, code: receipt.link ?? "")
            .decoded(PickupOrder.self)
        let came = try machine.call(.orderArrival(found.id), code: receipt.code.rawValue)
        let capability = try #require(
            try look(receipt.code.bare).decoded(FollowedOrder.self).capability)
        #expect(
            try came.decoded(PickupOrder.self).ticket?.link
                == "https://queue.example.it/orders#\(capability)")
    }
}
