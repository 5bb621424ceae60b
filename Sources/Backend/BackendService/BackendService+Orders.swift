internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// Orders that customers collect, at a machine (rules 41).
extension BackendService {
    func lookUpOrder(
        _ call: Call, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let code = try orderCode(call)
        store.lookUpOrder(code, in: call.shop.id) { [self] result in
            switch result {
            case .success(nil): respond(RefusedCall(.notFound).response)
            case .success(.some(let order)): respond(Answers.response(order))
            case .failure(let error): respond(unavailable(error))
            }
        }
    }

    /// The customer of the order that the path names is here.
    func orderArrival(_ call: Call) throws(RefusedCall) -> MachineRequest {
        guard let id = call.route.id else { throw RefusedCall(.unknownRoute) }
        return .order(.arrive(OrderID(id), proof: try orderCode(call)))
    }

    /// The order that a shop's own system announces.
    func announcedOrder(_ call: Call) throws(RefusedCall) -> AnnouncedOrder {
        let form =
            "{\"promised\": a time with its offset, \"parcels\": 1 to \(Parcel.counts.upperBound) of "
            + "{\"size\": small, medium, large or bulky, \"shelf\": up to "
            + "\(Parcel.maxShelfCharacters) letters, digits, - and ., if it is known}}"
        let body = try call.body(OrderAnnouncement.self, form)
        guard let parcels = body.knownParcels,
            let order = AnnouncedOrder(
                reference: try orderReference(call), promised: body.promised.moment,
                parcels: parcels)
        else { throw RefusedCall(.malformed, "the body must be \(form)") }
        return order
    }

    func orderReference(_ call: Call) throws(RefusedCall) -> String {
        guard let reference = call.route.id else { throw RefusedCall(.unknownRoute) }
        return reference
    }

    /// The code of the body, which must be one of an order of the caller's own shop, if the caller may try one more. The
    /// shop of a symbol is known by its tag, so that no order of another shop is looked for.
    private func orderCode(_ call: Call) throws(RefusedCall) -> PresentedOrderCode {
        guard call.shop.policy.orders.hasDesk else { throw RefusedCall(.unsupportedKind) }
        let body = try call.body(CodeRequest.self, "{\"code\": the code as it was read}")
        guard let code = PresentedOrderCode(body.code) else {
            throw RefusedCall(.unreadableCode)
        }
        if case .entry(let symbol) = code, symbol.tag != call.shop.tag {
            countOtherShop(call)
            throw RefusedCall(.otherShop)
        }
        try mayTry(code, call)
        return code
    }
}
