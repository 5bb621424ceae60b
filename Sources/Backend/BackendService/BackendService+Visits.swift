internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// Visits that customers book and move on their phones (rules: visits, moved-visits).
extension BackendService {
    /// The member of a body that is a `ChosenSlot`, in words.
    static let visitMember =
        "\"visit\": {\"start\": of a slot, \"minutes\": \(ChosenSlot.minuteBounds.lowerBound) to "
        + "\(ChosenSlot.minuteBounds.upperBound), \"departments\": names of the shop's departments}"

    /// Answers with the slots of a shop's visits.
    func listSlots(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let bounds = ChosenSlot.minuteBounds
        let body = try request.decoded(
            SlotsRequest.self,
            "{\"shop\": the four characters at the end of the link, "
                + "\"minutes\": \(bounds.lowerBound) to \(bounds.upperBound), "
                + "\"departments\": names of the shop's departments}"
        ) { body in
            (body.minutes.map(bounds.contains) ?? true)
                && ChosenSlot.isPlausible(body.departments)
        }
        try take(.lists, of: Self.limited(request), ["from": request.client])
        guard let shop = ShopTag(rawValue: body.shop).flatMap(shop) else {
            throw RefusedCall(.notFound)
        }
        try checkVisits(of: shop)
        let named = body.departments ?? []
        guard
            let slots = store.freeSlots(in: shop.id, minutes: body.minutes, departments: named)
        else { throw RefusedCall(.noVisitsOnPhones) }
        let places = shop.policy.phoneVisitPlaces(in: named)
        respond(
            Answers.response(
                SlotList(
                    of: shop, now: slots.now, lastDay: slots.lastDay,
                    hasTicket: remoteRefusal(at: shop) == nil,
                    periods: slots.free.map { period in
                        let levels = period.free.map { "\(Self.level($0, of: places))" }
                        return SlotPeriod(first: period.first, levels: levels.joined())
                    })))
    }

    /// Refuses a call for a shop of which phones can book no visits.
    func checkVisits(of shop: Shop) throws(RefusedCall) {
        let phones = shop.policy.phones
        guard phones.hasPlaces else { throw RefusedCall(.noPlacesOnPhones) }
        guard phones.hasVisits else { throw RefusedCall(.noVisitsOnPhones) }
    }

    /// How much of a slot is free: 0 to 3, as in a `SlotPeriod`.
    static func level(_ free: Int, of places: Int) -> Int {
        if free <= 0 { return 0 }
        if free * 3 <= places { return 1 }
        return free * 3 <= places * 2 ? 2 : 3
    }

    /// Moves a visit, which stays as it is if that is refused.
    func moveVisit(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let body = try request.decoded(
            MoveRequest.self,
            "{\"capability\": the text after # of the link, "
                + "\"code\": ten digits, \(Self.visitMember)}"
        ) { body in
            (body.code.map({ TypedCode(rawValue: $0) != nil }) ?? true)
                && body.visit.isPlausible
        }
        openPlace(body.capability, request) { [self] result in
            movedBefore(body, or: result.map(\.place), request) { [self] result in
                do throws(RefusedCall) { try move(result.get(), body, request, respond) } catch {
                    respond(error.response)
                }
            }
        }
    }

    /// The visit that has the chosen day already, with another link, if the answer to a move was lost: its device sends the
    /// move again with the link that it knows. Other results stay as they are.
    private func movedBefore(
        _ body: MoveRequest, or result: Result<OpenedPlace, RefusedCall>, _ request: WireRequest,
        _ completion: @escaping @Sendable (Result<OpenedPlace, RefusedCall>) -> Void
    ) {
        guard case .failure(let error) = result,
            error.response.status == Refusal.notFound.status, let pages = options.phones,
            let device = PhoneDevice(request, of: pages),
            let shop = Capability(rawValue: body.capability).flatMap({ self.shop($0.tag) })
        else { return completion(result) }
        let day = store.day(of: body.visit.start.moment, in: shop.id)
        findPlace(of: holders(of: device, request), in: shop.id, on: day) { record in
            let code = body.code.flatMap { TypedCode(rawValue: $0) }.map(PresentedCode.typed)
            guard let place = record.flatMap({ OpenedPlace($0, of: shop) }),
                code.map(place.confirmation.isProved) ?? true
            else { return completion(result) }
            completion(.success(place))
        }
    }

    private func move(
        _ place: OpenedPlace, _ body: MoveRequest, _ request: WireRequest,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        // A visit of a machine has a paper, which would not be true any more.
        guard let holder = place.record.hold.owner.holder else {
            throw RefusedCall(.unsupportedKind)
        }
        let code = try proof(body.code, of: place, request)
        try change(
            .reservation(place.id, .move(to: body.visit, proof: code)), as: .move, on: place,
            by: holder, request,
            { [self] in
                let result = linked($0, of: place.shop, on: .remote)
                // Digits act for their place; they do not say where else its customer is going.
                guard isTaken(place, by: request) else {
                    return answer(result.mapError { Refused($0.refusal) }, at: $1)
                }
                return answer(result, at: $1, to: holder)
            },
            respond)
    }
}
