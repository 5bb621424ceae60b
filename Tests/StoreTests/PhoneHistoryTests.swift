internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import TestSupport
internal import Testing

/// What phones ask of two shops, by chance and with writes that fail, is checked against the history that the database has.
@Suite("Histories of places on phones [rules: one-place, visits, moved-visits]", .stopsStores)
struct PhoneHistoryTests {
    /// A place that a phone has; without a code until it is confirmed.
    private struct Place {
        let shop: ShopID
        let id: ReservationID
        var code: EntryCode?
    }

    /// Holders of phones who all want tickets, or all visits.
    private struct Phones {
        let wantVisits: Bool
        let count: Int
        var random: SplitMix
        var places: [String: [Place]] = [:]
        var confirmed = 0
        var moved = 0

        mutating func index(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

        private mutating func slot() -> ChosenSlot {
            Site.slot(
                ["10:00", "10:15", "10:30", "11:00"][index(4)],
                on: Site.day.advanced(by: 1 + index(3)), minutes: [nil, 15, 60][index(3)],
                departments: [nil, ["Fish"], ["Fish", "Bakery"], ["Bakery"]][index(4)])
        }

        /// The next request of a holder, for a new place or about one of those that the holder has.
        mutating func draw(_ holder: String) -> AuthenticatedRequest {
            let shop = [Site.shopID, Site.other][index(2)]
            // Some keys come twice, at one shop or at both.
            let key = index(3) == 0 ? "\(holder)-\(index(40))" : fresh("key")
            let new = AuthenticatedRequest.make(
                wantVisits ? .holdVisit(slot()) : .hold(.ticket), key: key, shop: shop,
                holder: holder)
            guard let place = places[holder]?.randomElement(using: &random), index(4) > 0 else {
                return new
            }
            guard let code = place.code.map(PresentedCode.entry), index(8) > 0 else {
                let command =
                    index(8) == 0 && place.code == nil
                    ? MachineRequest.release : MachineRequest.confirm
                return .make(command(place.id), shop: place.shop, holder: holder)
            }
            if index(4) == 0 { return .make(.delete(place.id, code), shop: place.shop) }
            return wantVisits
                ? .make(
                    .move(place.id, code, to: slot()), key: key, shop: place.shop, holder: holder)
                : new
        }

        mutating func hear(_ holder: String, _ request: AuthenticatedRequest, _ words: [String]) {
            var known = places[holder] ?? []
            switch (words[0], request.command) {
            case ("held", _):
                known.append(Place(shop: request.shop, id: ReservationID(words[1])))
            case ("confirmed", .queue(.reservation(_, .move))): moved += 1
            case ("confirmed", .queue(.held(let id, .confirm))):
                confirmed += 1
                for index in known.indices where known[index].id == id {
                    known[index].code = EntryCode(rawValue: words[2])
                }
            case (_, .queue(.reservation(.id(let id), .delete))), (_, .queue(.held(let id, _))):
                known.removeAll { $0.id == id }
            default: break
            }
            places[holder] = known
        }
    }

    @Test(
        "One place a day and holder, slots never above what there is, and moves that are whole or nothing",
        arguments: engines, [false, true])
    func history(_ engine: StoreEngine, areVisits: Bool) async throws {
        // Three visits at once, of which phones may book two.
        let site = try Site.givingVisits(engine, capacity: areVisits ? 6 : 1_000)
        let limits = QueueHistory.Limits(
            capacity: 6, visits: 3, phoneVisits: 2, departments: ["Fish": 1], stayMinutes: 30)
        let servers = try (0..<(engine == .postgresql ? 2 : 1)).map { _ in try site.faulty() }
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var phones = Phones(
            wantVisits: areVisits, count: areVisits ? 9 : 4, random: SplitMix(seed: seed))
        // In each round six requests come at once.
        for _ in 0..<TestLength.choose(areVisits ? 120 : 150, long: areVisits ? 4_000 : 5_000) {
            if phones.index(8) == 0 {
                servers[phones.index(servers.count)].plan.arm(after: phones.index(40))
            }
            let asked = (0..<6).map { _ in
                let holder = "holder-\(phones.index(phones.count))"
                return (holder, servers[phones.index(servers.count)].store, phones.draw(holder))
            }
            let results = try await atOnce(asked) { await $0.1.ask($0.2) }
            for ((holder, store, request), result) in zip(asked, results)
            where result.answer != nil {
                phones.hear(holder, request, try store.words(of: result))
            }
            site.clock.pass(.milliseconds(phones.index(20_000)))
        }
        for server in servers { server.store.stop() }
        let history = try await QueueHistory(
            database: site.place, limits: areVisits ? ["s1": limits, "s2": limits] : [:])
        let found = Checker([], rows: [], history: history).violations()
        #expect(found.isEmpty, "seed \(seed): \(found)")
        let (confirmed, moved) = (phones.confirmed, phones.moved)
        #expect(
            confirmed > 20 && (moved > 20 || !areVisits),
            "seed \(seed): \(confirmed) confirmed, \(moved) moved")
    }
}
