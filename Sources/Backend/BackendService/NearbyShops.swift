internal import ReservationStore
internal import Reservations
private import Synchronization

/// The shops that machines of crowded shops name, because the wait there is much shorter (rules: nearby-shop).
///
/// Everything is read from memory. A shop that is not crowded costs a comparison of numbers, and a crowded one is looked up
/// once for all polls within a few seconds.
final class NearbyShops: Sendable {
    private struct Found {
        let shop: NearbyShop?
        let read: ContinuousClock.Instant
    }

    /// For so long the answer is that of the last look.
    static let age = Duration.seconds(3)
    /// A customer saves so many minutes at least, and half of the wait.
    private static let minSavedMinutes = 10
    /// Of so many of the nearest shops the waits are looked at; a town has fewer within the distance.
    private static let maxShops = 20
    /// The latitudes over which `NearbyShop.maxMetres` extend, in millionths of a degree of 111 km, rounded up.
    private static let maxLatitudes = NearbyShop.maxMetres * 10

    private let found = Mutex<[ShopID: Found]>([:])
    private let store: QueueStore
    private let uptime: @Sendable () -> ContinuousClock.Instant

    /// - Parameter uptime: The clock by which answers age.
    init(store: QueueStore, uptime: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.store = store
        self.uptime = uptime
    }

    /// The shop that a machine names beside a status of its own shop; nil if the shop is not crowded or no other is better.
    func named(in status: QueueStatus, of shop: Shop) -> NearbyShop? {
        let limit = shop.policy.nearbyWaitMinutes
        guard limit > 0, status.isOpen, let here = shop.address.position else { return nil }
        let minutes = status.wait?.minutes(at: status.now)
        guard minutes.map({ $0 >= limit }) ?? true else { return nil }
        return found.withLock { found in
            let now = uptime()
            if let last = found[shop.id], now - last.read < Self.age { return last.shop }
            let better = better(than: minutes, near: here, of: shop.id)
            found[shop.id] = Found(shop: better, read: now)
            return better
        }
    }

    /// - Parameter minutes: The wait of the shop; nil if it has no ticket, so that every wait is shorter.
    private func better(
        than minutes: Int?, near here: ShopAddress.Position, of id: ShopID
    ) -> NearbyShop? {
        let near = store.shops().nearest(to: here) { other, there in
            other.id != id && other.policy.phones.isListed
                && abs(there.latitude - here.latitude) <= Self.maxLatitudes
        }
        return near.prefix { $0.metres <= NearbyShop.maxMetres }.prefix(Self.maxShops).lazy
            .compactMap { [store] other, metres in
                guard let status = store.status(of: other.id), let wait = status.wait else {
                    return nil
                }
                let there = wait.isNow(at: status.now) ? 0 : max(1, wait.minutes(at: status.now))
                if let minutes {
                    guard there * 2 <= minutes, there + Self.minSavedMinutes <= minutes else {
                        return nil
                    }
                }
                let name = ForeignText.clean(other.name, limit: NearbyShop.maxNameLength)
                return NearbyShop(name: name, metres: metres, minutes: there)
            }.first
    }
}
