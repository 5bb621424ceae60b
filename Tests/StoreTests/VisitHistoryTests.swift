internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing
internal import TestSupport

/// What phones do with visits, by chance and with writes that fail, is checked against the history that the database has.
@Suite("Histories of visits on phones [rules 39]", .stopsStores)
struct VisitHistoryTests {
    private static let times = ["10:00", "10:15", "10:30", "11:00"]

    private static func slot(_ random: inout SplitMix) -> ChosenSlot {
        Site.slot(
            times[Int(random.next() % UInt64(times.count))],
            on: Site.day.advanced(by: 1 + Int(random.next() % 3)),
            minutes: [nil, 15, 60][Int(random.next() % 3)],
            departments: [nil, ["Fish"], ["Fish", "Bakery"], ["Bakery"]][Int(random.next() % 4)])
    }

    /// One request of a holder, for a new visit or about one of those that the holder has.
    private static func draw(
        _ holder: String, _ visits: [PhonesByChance.Place], _ random: inout SplitMix
    ) -> AuthenticatedRequest {
        let (shop, key) = PhonesByChance.shopAndKey(holder, &random)
        let slot = slot(&random)
        guard !visits.isEmpty, random.next() % 4 > 0 else {
            return .make(.holdVisit(slot), key: key, shop: shop, holder: holder)
        }
        let visit = visits[Int(random.next() % UInt64(visits.count))]
        guard let code = visit.code.map(PresentedCode.entry) else {
            return .make(.confirm(visit.id), shop: visit.shop, holder: holder)
        }
        if random.next() % 4 == 0 { return .make(.delete(visit.id, code), shop: visit.shop) }
        return .make(.move(visit.id, code, to: slot), key: key, shop: visit.shop, holder: holder)
    }

    @Test(
        "One place a day and holder, slots never above what there is, and moves that are whole or nothing",
        arguments: engines)
    func history(_ engine: StoreEngine) async throws {
        // Three visits at once, of which phones may book two.
        let site = try Site.givingVisits(engine, capacity: 6)
        let limits = QueueHistory.Limits(
            capacity: 6, visits: 3, phoneVisits: 2, departments: ["Fish": 1], stayMinutes: 30)
        var visits: [String: [PhonesByChance.Place]] = [:]
        var (booked, moved) = (0, 0)
        let seed = try await PhonesByChance(site: site, count: 9).play(
            TestLength.choose(120, long: 4_000),
            limits: ["s1": limits, "s2": limits],
            draw: { holder, random in Self.draw(holder, visits[holder] ?? [], &random) },
            hear: { holder, request, words in
                switch (words[0], request.command) {
                case ("held", _):
                    visits[holder, default: []].append(
                        .init(shop: request.shop, id: ReservationID(words[1])))
                case ("confirmed", .confirm(let id)):
                    booked += 1
                    for place in visits[holder, default: []].indices
                    where visits[holder]?[place].id == id {
                        visits[holder]?[place].code = EntryCode(rawValue: words[2])
                    }
                case ("confirmed", .move): moved += 1
                case (_, .delete(let id, _)), (_, .confirm(let id)):
                    visits[holder]?.removeAll { $0.id == id }
                default: break
                }
            })
        #expect(booked > 20 && moved > 20, "seed \(seed): \(booked) booked, \(moved) moved")
    }
}
