internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// Orders that customers collect, at a machine (rules: order-codes, order-arrivals).
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

    /// What a customer, an assistant or a shop's own system does with an order, and its entry in the audit: an order that is
    /// handed over without a code has one.
    func orderCommand(_ call: Call) throws(RefusedCall) -> (MachineRequest, AuditEntry?) {
        if call.route.name == .orderAnnouncement {
            return (.order(.announce(try announcedOrder(call))), nil)
        }
        if call.route.name == .orderCancellation {
            return (.order(.cancel(try orderReference(call))), nil)
        }
        if call.route.name == .handovers {
            let form = "{\"code\": the code as it was read, \"desk\": the desk}"
            let body = try call.body(HandoverRequest.self, form)
            let desk = try desk(body.desk, call)
            return (.order(.handOver(try orderCode(body.code, call), desk: desk)), nil)
        }
        guard let text = call.route.id else { throw RefusedCall(.unknownRoute) }
        let id = OrderID(text)
        guard call.route.name == .deskStep else {
            return (.order(.arrive(id, proof: try orderCode(call))), nil)
        }
        let steps = DeskStep.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        let form = "{\"step\": one of \(steps), \"desk\": the desk}"
        let body = try call.body(DeskStepRequest.self, form)
        guard let step = DeskStep(rawValue: body.step) else {
            throw RefusedCall.wrongBody(form)
        }
        let desk = try desk(body.desk, call)
        let audit = AuditEntry(
            actor: call.actor(by: nil), action: .orderHandedOver,
            detail: "order \(id), desk \(desk), without a code")
        return (.order(.take(id, step, desk: desk)), step == .handOver ? audit : nil)
    }

    /// The customer of a reservation at a door, or of an order if the shop's desk is inside.
    func passage(_ call: Call, _ passing: Passing) throws(RefusedCall) -> MachineRequest {
        guard call.shop.policy.orders.isDeskInside,
            let body = JSONText.value(CodeRequest.self, call.request.body),
            let code = PresentedOrderCode(body.code), case .entry = code
        else { return .queue(passing.command(try ownCode(call))) }
        return .order(passing.command(try orderCode(body.code, call)))
    }

    private func desk(_ desk: Int, _ call: Call) throws(RefusedCall) -> Int {
        let desks = call.shop.policy.orders.desks
        guard desks > 0 else { throw RefusedCall(.unsupportedKind) }
        guard (1...desks).contains(desk) else {
            throw RefusedCall(.malformed, "\"desk\" must be 1 to \(desks)")
        }
        return desk
    }

    /// The order that a shop's own system announces.
    private func announcedOrder(_ call: Call) throws(RefusedCall) -> AnnouncedOrder {
        let form =
            "{\"promised\": a time with its offset, \"parcels\": 1 to \(Parcel.counts.upperBound) of "
            + "{\"size\": small, medium, large or bulky, \"shelf\": up to "
            + "\(Parcel.maxShelfCharacters) letters, digits, - and ., if it is known}}"
        let body = try call.body(OrderAnnouncement.self, form)
        guard let parcels = body.knownParcels,
            let order = AnnouncedOrder(
                reference: try orderReference(call), promised: body.promised.moment,
                parcels: parcels)
        else { throw RefusedCall.wrongBody(form, body.wrongParcel) }
        return order
    }

    private func orderReference(_ call: Call) throws(RefusedCall) -> String {
        guard let reference = call.route.id else { throw RefusedCall(.unknownRoute) }
        return reference
    }

    /// The code of the body, which must be one of an order of the caller's own shop, if the caller may try one more. The
    /// shop of a symbol is known by its tag, so that no order of another shop is looked for.
    private func orderCode(_ call: Call) throws(RefusedCall) -> PresentedOrderCode {
        guard call.shop.policy.orders.hasDesk else { throw RefusedCall(.unsupportedKind) }
        let body = try call.body(CodeRequest.self, "{\"code\": the code as it was read}")
        return try orderCode(body.code, call)
    }

    /// This code as it was read.
    private func orderCode(
        _ text: String, _ call: Call
    ) throws(RefusedCall) -> PresentedOrderCode {
        guard let code = PresentedOrderCode(text) else {
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
