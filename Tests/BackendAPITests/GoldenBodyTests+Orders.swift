import BackendAPI
import Reservations

/// The bodies of orders that customers collect.
extension GoldenBodyTests {
    static func orders() throws -> [Body] {
        let id = OrderID("06h1s1y4wztyzqfm56h4wby75g")
        func order(_ state: OrderState) -> PickupOrder {
            let isHere = state.isHere
            var order = PickupOrder(
                id: id, reference: "4711",
                shopName: "Città Studi", state: state, since: now, now: after(1), parcels: 2,
                promised: after(-30), isReady: state == .promised || state == .onShelf,
                number: isHere ? PickupNumber(rawValue: 17) : nil)
            if state == .called { order.desk = 2 }
            if state == .arrived || state == .onShelf { order.wait = wait }
            return order
        }
        let code = PickupCode(rawValue: "CLUP:C:CSTD7K2M9QX4T1RB8VZ0HN5EWYJ3PA")!
        let capability = OrderCapability(
            tag: code.tag, order: id, proof: Array(0..<16))!
        let link = "https://queue.example.it/orders#\(capability.rawValue)"
        var arrived = order(.arrived)
        arrived.ticket = PickupTicket(code: code, typedCode: digits)
        let followed = FollowedOrder(
            arrived, of: try shop(), capability: capability, symbol: ["a8", "50"], pushKey: "key")
        var linked = arrived
        linked.ticket?.link = link
        linked.ticket?.symbol = code.link(at: "https://queue.example.it")
        let plain = OrderReceipt(
            reference: "4711", state: .promised, since: now, code: code, typedCode: digits)
        var receipt = plain
        receipt.link = code.link(at: "https://queue.example.it", isSymbol: false)
        receipt.symbol = linked.ticket?.symbol
        return try OrderState.allCases.map { try body("order \($0.rawValue)", order($0)) }
            + bodies([
                "order whose customer has just come": arrived,
                "order whose customer has just come, with a link": linked,
                "order's receipt with a link": receipt,
                "order that is announced": OrderAnnouncement(
                    promised: after(60),
                    parcels: [
                        Parcel(size: .medium, shelf: "A3")!, Parcel(size: .small)!,
                    ]),
                "order's receipt": plain,
                "order on a phone": followed,
                "order on a phone that is over": FollowedOrder(
                    order(.handedOver), of: try shop(), capability: capability, symbol: nil,
                    pushKey: nil),
                "order request": OrderRequest(code: code),
                "order request that only looks": OrderRequest(capability: capability),
                "arrival on a phone": OrderArrivalRequest(
                    code: code,
                    invitation: Invitation(rawValue: "CSTD0123456789ABCDEF")!),
                "notice of an order": OrderNoticeMessage(
                    .called, of: capability, reference: "4711", number: PickupNumber(rawValue: 17),
                    desk: 2, shopName: "Città Studi", language: "it", made: now.moment),
                "notice of an order without a number": OrderNoticeMessage(
                    .ready, of: capability, reference: "4711", number: nil, desk: nil,
                    shopName: "Città Studi", language: "it", made: now.moment),
                "order that waits for a place": DeskOrder(
                    id: id, reference: "4711", state: .called,
                    since: now, promised: after(-30), isReady: false,
                    parcels: [OrderAnnouncement.Part(Parcel(size: .medium, shelf: "A3")!)],
                    number: PickupNumber(rawValue: 17), arrived: after(-9), desk: 2,
                    waitsForPlace: true),
                "passage with an order": OrderPassage(
                    order: id, number: PickupNumber(rawValue: 17)!, desk: 2),
                "door that an order opens": DoorMessage(
                    device: MachineID("door-1"), role: .entrance,
                    order: PickupNumber(rawValue: 17)),
                "order's code": CodeRequest(code: code.rawValue),
                "machine of a shop with a desk": profile(hasDesk: true),
            ])
    }
}
