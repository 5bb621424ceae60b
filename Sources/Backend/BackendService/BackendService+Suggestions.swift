internal import BackendAPI
internal import Glibc
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// What a customer may have instead of a visit that is not to be had [UC5].
extension BackendService {
    /// Answers with what is free near a slot, and counts the request if the slot is full. Nothing is held: a customer who only
    /// looks closes no slot for others.
    func suggestSlots(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let body = try request.decoded(
            SuggestionsRequest.self,
            "{\"shop\": the four characters at the end of the link, "
                + "\(Self.visitMember)}"
        ) { body in
            body.visit.isPlausible
        }
        try take(.suggestions, of: Self.limited(request), ["from": request.client])
        guard let shop = ShopTag(rawValue: body.shop).flatMap(shop) else {
            throw RefusedCall(.notFound)
        }
        try checkVisits(of: shop)
        guard let (now, slots) = store.suggestions(for: body.visit, in: shop.id),
            let wanted = slots.wanted
        else { throw RefusedCall(.slotTaken) }
        let isFree = wanted.free > 0
        if !isFree {
            store.count(RefusedSlot(wanted.start, minutes: body.visit.minutes), of: shop.id)
        }
        let near = slots.sameDay.prefix(SuggestionList.maxSlots)
            .sorted { $0.start.moment < $1.start.moment }
        respond(
            Answers.response(
                SuggestionList(
                    now: now, isFree: isFree,
                    sameDay: near.map { Self.suggested($0, for: body.visit, of: shop) },
                    otherDays: slots.otherDays.map {
                        Self.suggested($0, for: body.visit, of: shop)
                    },
                    shops: isFree ? [] : shopsNear(shop, for: body.visit, now: now))))
    }

    private static func suggested(
        _ slot: FreeSlot, for chosen: ChosenSlot, of shop: Shop
    ) -> SuggestedSlot {
        let places = shop.policy.phoneVisitPlaces(in: chosen.departments ?? [])
        return SuggestedSlot(start: slot.start, level: level(slot.free, of: places))
    }

    /// Of the nearest shops with visits those that have a slot at about that time, or today a ticket.
    private func shopsNear(
        _ shop: Shop, for chosen: ChosenSlot, now: LocalMoment
    ) -> [SuggestedShop] {
        guard let here = shop.address.position else { return [] }
        let isToday = now.at(chosen.start.moment).day == now.day
        let near = store.shops().nearest(to: here) { other, _ in
            other.id != shop.id && other.policy.phones.hasPlaces && other.policy.phones.hasVisits
        }
        return near.prefix(SuggestionList.maxShops).compactMap { other, metres in
            let found = store.suggestions(for: chosen, in: other.id)?.slots
            let exact = found?.wanted.flatMap { $0.free > 0 ? $0 : nil }
            let slot = (exact ?? found?.sameDay.first).map {
                Self.suggested($0, for: chosen, of: other)
            }
            let wait =
                isToday && remoteRefusal(at: other) == nil
                ? store.status(of: other.id)?.wait : nil
            guard slot != nil || wait != nil else { return nil }
            return SuggestedShop(
                tag: other.tag, name: other.name, metres: metres, slot: slot, wait: wait)
        }
    }
}

extension [Shop] {
    /// The shops with a position of which a condition holds, the nearest first, with their distances; of those at one
    /// distance the one whose name comes first.
    func nearest(
        to here: ShopAddress.Position, where isWanted: (Shop, ShopAddress.Position) -> Bool
    ) -> [(shop: Shop, metres: Int)] {
        compactMap { shop -> (shop: Shop, metres: Int)? in
            guard let there = shop.address.position, isWanted(shop, there) else { return nil }
            return (shop, here.metres(to: there))
        }.sorted {
            ($0.metres, $0.shop.name, $0.shop.tag.rawValue)
                < ($1.metres, $1.shop.name, $1.shop.tag.rawValue)
        }
    }
}

extension ShopAddress.Position {
    /// Metres of the straight line over a sphere of the earth's mean radius (IUGG, 6,371 km): the haversine formula.
    func metres(to other: Self) -> Int {
        func radians(_ millionths: Int) -> Double { Double(millionths) / 1e6 * .pi / 180 }
        func half(_ one: Int, _ two: Int) -> Double {
            let sine = sin((radians(one) - radians(two)) / 2)
            return sine * sine
        }
        let share =
            half(latitude, other.latitude) + half(longitude, other.longitude)
            * cos(radians(latitude)) * cos(radians(other.latitude))
        return Int((2 * 6_371_000 * asin(min(1, share.squareRoot()))).rounded())
    }
}
