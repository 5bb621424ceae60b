internal import QueueEngine
public import Reservations

/// What a shop knows of a holder who missed calls.
public struct HolderRecord: Hashable, Sendable {
    public var holder: HolderID
    /// The moments of the missed calls that are kept, in order.
    public var noShows: [Moment]
    /// Until when the holder gets no place; nil if they are not blocked.
    public var blockedUntil: Moment?
}

/// Holders of phones, as administrators see them (rules: blocks).
extension Administration {
    /// The holders who missed calls in a shop, those who are blocked the longest first.
    public func holders(of shop: Shop) throws(StoreError) -> [HolderRecord] {
        let now = self.now()
        return try database.noShows(of: shop.id, since: now - QueueState.noShowMemory)
            .map { holder, noShows in
                let end = QueueState.blockEnd(after: noShows, shop.policy.phones)
                return HolderRecord(
                    holder: holder, noShows: noShows,
                    blockedUntil: end.flatMap { now < $0 ? $0 : nil })
            }
            .sorted {
                let (left, right) = ($0.blockedUntil?.milliseconds, $1.blockedUntil?.milliseconds)
                return (right ?? 0, $0.holder.rawValue) < (left ?? 0, $1.holder.rawValue)
            }
    }

    /// Forgets the calls that a holder missed in a shop, so that they may take places again.
    public func unblock(_ holder: HolderID, in shop: Shop) throws(StoreError) {
        try administer { () throws(StoreError) in
            let sequence = try database.lock(shop.id)
            guard try database.deleteNoShows(of: holder, in: shop.id) > 0 else {
                throw refusal(
                    "unblock a holder", "holder \(holder) has missed no call in shop \(shop.id)")
            }
            try database.write(queueSequence: sequence + 1, of: shop.id)
            // The entry names no holder, since it stays when the holder is forgotten.
            try record(.holderUnblocked, "", of: shop.id)
        }
    }

    /// Takes a holder's name out of everything that is stored; refuses it while the holder has a place or asks for one.
    public func forget(_ holder: HolderID) throws(StoreError) {
        let shops = try database.shops().map(\.id)
        for shop in shops { try refuse(holder, ifPresentIn: shop) }
        var isKnown = false
        for shop in shops {
            // One shop after the other, so that none waits for all of them.
            try administer { () throws(StoreError) in
                let sequence = try database.lock(shop)
                try refuse(holder, ifPresentIn: shop)
                guard try database.forget(holder, in: shop) > 0 else { return }
                isKnown = true
                try database.write(queueSequence: sequence + 1, of: shop)
                try record(.holderForgotten, "", of: shop)
            }
        }
        try administer { () throws(StoreError) in
            guard let claim = try database.claim(of: holder) else { return }
            guard !claim.isUnderWay(at: now()) else {
                throw refusal(
                    "forget a holder", "holder \(holder) asks for a place just now: try again")
            }
            for shop in Set(claim.days.shops.values).union([claim.shop]) {
                try refuse(holder, ifPresentIn: shop)
            }
            isKnown = true
            try database.deleteClaim(of: holder)
        }
        guard isKnown else { throw refusal("forget a holder", "holder \(holder) is not known") }
    }

    private func refuse(_ holder: HolderID, ifPresentIn shop: ShopID) throws(StoreError) {
        for record in try database.records(of: holder, in: shop) where record.isLive {
            throw refusal(
                "forget a holder",
                "holder \(holder) has a place in shop \(shop)"
                    + (record.confirmation.map { ", number \($0.number)" } ?? "")
                    + ": forget them when it has ended")
        }
    }
}

extension ReservationRecord {
    fileprivate var isLive: Bool {
        switch state {
        case .pending, .planned, .called, .active: true
        case .expired, .deleted: false
        }
    }
}
