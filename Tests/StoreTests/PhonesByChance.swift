internal import ReservationStore
internal import Reservations
internal import TestSupport
internal import Testing

/// Phones that ask a site's servers by chance, while writes fail now and then.
struct PhonesByChance {
    /// A place that a phone has; without a code until it is confirmed.
    struct Place {
        let shop: ShopID
        let id: ReservationID
        var code: EntryCode?
    }

    let site: Site
    let count: Int

    /// One of two shops, and a key; some keys come twice, at one shop or at both.
    static func shopAndKey(_ holder: String, _ random: inout SplitMix) -> (ShopID, key: String) {
        let shop = [Site.shopID, ShopID("s2")][Int(random.next() % 2)]
        return (shop, random.next() % 3 == 0 ? "\(holder)-\(random.next() % 40)" : fresh("key"))
    }

    /// Plays so many rounds of six requests at once, and checks the history that the database has then; returns the
    /// seed of the choices.
    ///
    /// - Parameters:
    ///   - draw: the next request of a holder.
    ///   - hear: gets each answer, with its holder and request.
    func play(
        _ rounds: Int, limits: [String: QueueHistory.Limits] = [:],
        draw: (_ holder: String, inout SplitMix) -> AuthenticatedRequest,
        hear: (_ holder: String, AuthenticatedRequest, _ words: [String]) -> Void
    ) async throws -> UInt64 {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var random = SplitMix(seed: seed)
        let servers = try (0..<(site.engine == .postgresql ? 2 : 1)).map { _ in try site.faulty() }
        let (plans, stores) = (servers.map(\.plan), servers.map(\.store))
        for _ in 0..<rounds {
            if random.next() % 8 == 0 {
                plans[Int(random.next() % UInt64(plans.count))].arm(
                    after: Int(random.next() % 40), code: .inputOutput)
            }
            let asked = (0..<6).map { _ in
                let holder = "holder-\(random.next() % UInt64(count))"
                let store = stores[Int(random.next() % UInt64(stores.count))]
                return (holder, store, draw(holder, &random))
            }
            let results = try await atOnce(asked) { await $0.1.ask($0.2) }
            for ((holder, store, request), result) in zip(asked, results)
            where result.answer != nil {
                hear(holder, request, try store.words(of: result))
            }
            site.clock.pass(.milliseconds(Int(random.next() % 20_000)))
        }
        for store in stores { store.stop() }
        let history = try await QueueHistory(database: site.place, limits: limits)
        let found = Checker([], rows: [], history: history).violations()
        #expect(found.isEmpty, "seed \(seed): \(found)")
        return seed
    }
}
