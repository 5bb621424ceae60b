internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import TextForms

/// How a customer who is elsewhere takes a place on a phone: a ticket (rules: elsewhere), or a visit (rules: visits).
extension BackendService {
    /// Holds the next place of a shop for the device, or the slot that it chose for a visit, unless others of its address
    /// have enough, or there is work to be done first.
    func joinRemotely(
        _ body: JoinRequest, _ request: WireRequest,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let device = try device(of: request)
        let visit = body.visit
        guard let joins = remoteJoins, let shop = body.shop.flatMap(ShopTag.init).flatMap(shop)
        else {
            try take(.capabilities, of: Self.limited(request), ["from": request.client])
            throw RefusedCall(.notFound)
        }
        let detail = ["shop": shop.id.rawValue, "from": request.network]
        // One address leaves the other ones their part of what the shop can answer.
        try take(.remoteJoins, of: "\(request.network)/\(shop.id)", detail)
        let phones = shop.policy.phones
        // Without a gateway of SMS no number can be confirmed.
        let isGiven = visit == nil ? phones.hasRemotePlaces : phones.hasVisits
        guard phones.hasPlaces, isGiven, !phones.needsNumber || sms != nil else {
            // Nothing is written for it, but its device may have a place, and have forgotten the way to it.
            let refusal: Refusal = visit == nil ? .noRemotePlaces : .noVisitsOnPhones
            return showPlace(
                of: holders(of: device, request), in: shop.id,
                or: Problem(phones.hasPlaces ? refusal : .noPlacesOnPhones), respond)
        }
        let digest = phones.needsNumber ? confirmedNumber(of: device, request) : nil
        if phones.needsNumber, digest == nil {
            guard visit == nil, let refusal = remoteRefusal(at: shop) else { throw numberNeeded() }
            return showPlace(of: [device.holder], in: shop.id, or: refusal, respond)
        }
        let holder = digest.map(Self.holder) ?? device.holder
        // An hour has four slots.
        let visits = (isFree: true, perHour: shop.policy.phoneVisitPlaces * 4)
        let places = visit == nil ? store.remotePlaces(in: shop.id) : visits
        // Without a place the store refuses it, for which no phone needs to work.
        if places.isFree {
            let admission = joins.admit(
                holder, from: RemoteJoins.Origin(network: request.network, site: request.client),
                to: shop, places: places.perHour, work: body.work)
            switch admission {
            case .admitted: break
            case .full(let wait):
                throw limited(
                    "remote-joins-limited", detail, wait,
                    "phones of this address have taken too many places")
            case .workNeeded(let demanded):
                log.note("remote-work-needed", detail)
                var problem = Problem(.workNeeded)
                problem.work = demanded
                throw RefusedCall(Answers.response(problem))
            }
        }
        do throws(RefusedCall) {
            try take(.joins, of: "\(shop.id)/remote", detail)
        } catch {
            if places.isFree { joins.finished(holder, in: shop.id, held: nil) }
            throw error
        }
        let expires = clock() + shop.policy.holdLifetime
        let command = visit.map(QueueCommand.holdVisit) ?? .hold(.ticket, isRemote: true)
        hold(command, of: holder, in: shop, request) { response in
            if places.isFree {
                joins.finished(
                    holder, in: shop.id, held: response.status == 201 ? expires : nil)
            }
            respond(response)
        }
    }

    private func numberNeeded() -> RefusedCall {
        var problem = Problem(.numberNeeded)
        problem.prefixes = sms?.sending.prefixes
        return RefusedCall(Answers.response(problem))
    }

    /// Why no customer elsewhere gets a place of a shop now; nil if one would.
    func remoteRefusal(at shop: Shop) -> Problem? {
        guard shop.policy.phones.hasPlaces, shop.policy.phones.hasRemotePlaces,
            let status = store.status(of: shop.id)
        else { return Problem(.noRemotePlaces) }
        guard status.isOpen else { return Problem(Refused(.shopClosed, opens: status.opens)) }
        guard status.wait != nil else { return Problem(.noTicketToday) }
        return store.remotePlaces(in: shop.id).isFree ? nil : Problem(.remotePlacesTaken)
    }

    /// Answers with the shops that give places to phones elsewhere.
    func listShops(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let body = try request.decoded(
            ShopsRequest.self,
            "{\"search\": at most \(ShopsRequest.maxLength) characters}"
        ) { body in
            body.search.unicodeScalars.count <= ShopsRequest.maxLength
        }
        try take(.lists, of: Self.limited(request), ["from": request.client])
        respond(Answers.response(shopList.found(body.search)))
    }
}
