internal import BackendAPI
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
