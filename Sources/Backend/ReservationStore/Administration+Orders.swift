public import QueueEngine
public import Reservations

/// What became of an order that was announced.
public enum AnnouncementResult: String, Sendable, CaseIterable {
    case added, changed, unchanged
    /// Its customer is here or has been, or it is over, so that it stays as it is.
    case tooLate = "too-late"
}

/// Orders that customers collect, as administrators announce them and call them off (rules: announced-orders).
extension Administration {
    /// The orders of one transaction: a shop's customers wait for it a few milliseconds.
    private static let announcedAtOnce = 256

    /// Announces orders, in transactions of some hundred; what was announced before stays, so that the same orders may be
    /// announced again after a failure. `each` is called with every order as it is then.
    ///
    /// Refuses a shop that has no desk or too many orders, and an order that was promised for a time that is long over
    /// or too far away.
    /// - Parameter randomBytes: Returns as many unpredictable bytes as asked.
    public func announce(
        _ orders: [AnnouncedOrder], in shop: Shop,
        randomBytes: @escaping @Sendable (Int) -> [UInt8],
        each: (PickupOrderRecord, AnnouncementResult) -> Void
    ) throws(StoreError) {
        guard shop.policy.orders.hasDesk else {
            throw refusal(
                "announce an order",
                "shop \(shop.id) has no desk: `shop change --desks N` says how many it has")
        }
        let now = self.now()
        for order in orders {
            let keptDays = shop.policy.orders.keptDays
            guard order.isPlausible(at: now, keeping: keptDays) else {
                throw refusal(
                    "announce an order",
                    "order \(order.reference) is promised for "
                        + AnnouncedOrder.implausiblePromise(keeping: keptDays))
            }
        }
        let codes = CodeGenerator(randomBytes: randomBytes)
        var rest = orders[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.announcedAtOnce)
            rest = rest.dropFirst(batch.count)
            let results = try administer { () throws(StoreError) in
                _ = try database.lock(shop.id)
                return try announce(batch, in: shop, codes)
            }
            for (order, result) in results { each(order, result) }
        }
    }

    private func announce(
        _ orders: ArraySlice<AnnouncedOrder>, in shop: Shop, _ codes: CodeGenerator
    ) throws(StoreError) -> [(PickupOrderRecord, AnnouncementResult)] {
        let now = self.now()
        var waiting: Int?
        var results: [(PickupOrderRecord, AnnouncementResult)] = []
        for order in orders {
            let announced = try database.announce(
                order, in: shop, waiting: &waiting, codes: codes, by: actor, at: now)
            guard let announced else {
                throw refusal(
                    "announce an order",
                    "shop \(shop.id) has \(PickupOrder.maxOpen) orders that wait for their customers: "
                        + "order \(order.reference) and those after it were not announced")
            }
            results.append(announced)
        }
        let counts = AnnouncementResult.allCases.compactMap { result -> String? in
            let count = results.count { $0.1 == result }
            return count > 0 && result != .unchanged ? "\(count) \(result.rawValue)" : nil
        }
        let one = results.count == 1 ? "\(results[0].0.reference), " : ""
        if !counts.isEmpty {
            try record(.ordersAnnounced, one + counts.joined(separator: ", "), of: shop.id)
        }
        return results
    }

    /// Calls an order off; refuses one that is over. Returns the order as it is then.
    @discardableResult public func cancelOrder(
        _ reference: String, in shop: Shop
    ) throws(StoreError) -> PickupOrderRecord {
        try administer { () throws(StoreError) in
            _ = try database.lock(shop.id)
            let now = self.now()
            guard let former = try database.order(named: reference, of: shop.id) else {
                throw refusal("cancel an order", "shop \(shop.id) has no order \(reference)")
            }
            var order = former
            guard order.cancel(at: now) else {
                throw refusal(
                    "cancel an order", "order \(reference) is \(former.state.rawValue) already")
            }
            guard order != former else { return order }
            try database.write(order, after: former, by: actor, of: shop.id)
            if Collector(former, policy: shop.policy) != nil {
                try database.raiseQueueSequence(of: shop.id)
            }
            try record(.orderCancelled, reference, of: shop.id)
            return order
        }
    }

    /// Passes each order of a shop to `body`, the one that was announced first in front.
    public func eachOrder(
        of shop: ShopID, _ body: (PickupOrderRecord) throws(StoreError) -> Void
    ) throws(StoreError) { try database.eachOrder(of: shop, body) }
}
