internal import BackendAPI
internal import QRCode
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// Orders on their customers' phones (rules 41). An order is opened by its code, which its customer has in the shop's mail;
/// that the customer is at the door is shown by the door's invitation (rules 35).
extension BackendService {
    /// An order that the caller may see.
    typealias OpenedOrder = (order: PhoneOrder, shop: Shop)

    /// Finds the order that a code opens. Every other text gets the same answer, and counts for the address that tries it;
    /// an order that is asked for too often from one address is not shown there for a while.
    func openOrder(
        _ code: String, _ request: WireRequest,
        _ opened: @escaping @Sendable (Result<OpenedOrder, RefusedCall>) -> Void
    ) {
        guard let code = PickupCode(rawValue: code), let shop = shop(code.tag), shop.hasOrderPages
        else { return opened(.failure(missed(request))) }
        if let order = store.orderHere(of: code, in: shop.id) {
            return opened(counted(order, of: shop, request))
        }
        store.order(of: code, in: shop.id) { [self] result in
            do throws(RefusedCall) {
                guard let order = try present(result) else { throw missed(request) }
                opened(counted(order, of: shop, request))
            } catch { opened(.failure(error)) }
        }
    }

    /// The answer to a text that opens nothing. Those who have a code are not kept from it by others of their address.
    private func missed(_ request: WireRequest) -> RefusedCall {
        do throws(RefusedCall) {
            try take(.capabilities, of: Self.limited(request), ["from": request.client])
            return RefusedCall(.notFound)
        } catch { return error }
    }

    private func counted(
        _ order: PhoneOrder, of shop: Shop, _ request: WireRequest
    ) -> Result<OpenedOrder, RefusedCall> {
        do throws(RefusedCall) {
            let name = Self.limited(request, order.record.id.rawValue)
            try take(.pages, of: name, ["shop": shop.id.rawValue])
            return .success((order, shop))
        } catch { return .failure(error) }
    }

    /// Answers with what is known of an order.
    func followOrder(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        guard let body = JSONText.value(OrderRequest.self, request.body) else {
            throw RefusedCall(
                .malformed, "the body must be {\"code\": the text after # of the link}")
        }
        openOrder(body.code, request) { [self] result in
            do throws(RefusedCall) {
                let (order, shop) = try result.get()
                let shown = store.shown(order, in: shop.id).map { shown in
                    FollowedOrder(
                        shown, of: shop,
                        symbol: shown.ticket.flatMap {
                            try? QRCode.matrix(of: $0.code.rawValue).rows
                        }, pushKey: options.pushes?.publicKey)
                }
                respond(Answers.response(ifKnown: shown))
            } catch { respond(error.response) }
        }
    }

    /// The customer of an order is at the door of its shop [Click-And-Collect UC10].
    func arrive(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        guard let body = JSONText.value(OrderArrivalRequest.self, request.body) else {
            throw RefusedCall(
                .malformed,
                "the body must be {\"code\": the text after # of the order's link, "
                    + "\"invitation\": the text after # of the link at the door}")
        }
        openOrder(body.code, request) { [self] result in
            do throws(RefusedCall) {
                let (order, shop) = try result.get()
                guard let invitation = Invitation(rawValue: body.invitation),
                    invitation.tag == shop.tag, invitations?.isGood(invitation) == true
                else { throw RefusedCall(.invitationOver) }
                try arrive(with: order.record, in: shop, request, respond)
            } catch { respond(error.response) }
        }
    }

    /// Each arrival leaves rows; one that changes nothing counts for nothing.
    private func arrive(
        with order: PickupOrderRecord, in shop: Shop, _ request: WireRequest,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let name = order.id.rawValue
        try takeAll([(.placeChanges, name)], of: shop.id, request)
        // Phones that follow an order have no name: their keys are those of the order.
        perform(
            .order(.arrive(order.id, proof: .entry(order.code))), of: HolderID("order/\(order.id)"),
            in: shop, request
        ) {
            Answers.stored($0, at: $1)
        } completion: { [self] result in
            if case .answered(let answer, replayed: false) = result, answer.status == 201 {
            } else {
                limiters[.placeChanges]?.giveBack(name)
            }
            respond(response(to: result))
        }
    }
}
