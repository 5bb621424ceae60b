internal import BackendAPI
internal import QRCode
internal import ReservationStore
internal import Reservations

/// Orders on their customers' phones (rules 41). An order is opened by its code, which its customer has in the shop's mail;
/// that the customer is at the door is shown by the door's invitation (rules 35).
extension BackendService {
    /// Finds the order that a code opens. Every other text gets the same answer, and counts for the address that tries it;
    /// an order that is asked for too often from one address is not shown there for a while.
    func open(
        _ code: String, _ request: WireRequest,
        _ opened:
            @escaping @Sendable (Result<(order: PickupOrder, shop: Shop), RefusedCall>) -> Void
    ) {
        let code = PickupCode(rawValue: code)
        let shop = code.flatMap { self.shop($0.tag) }.flatMap { $0.hasOrderPages ? $0 : nil }
        if let code, let shop, let order = store.orderHere(of: code, in: shop.id) {
            return opened(counted(order, of: shop, request))
        }
        let limited = Self.limited(request)
        do throws(RefusedCall) {
            try take(.capabilities, of: limited, ["from": request.client])
        } catch { return opened(.failure(error)) }
        guard let code, let shop else { return opened(.failure(RefusedCall(.notFound))) }
        store.followedOrder(of: code, in: shop.id) { [self] result in
            do throws(RefusedCall) {
                let order: PickupOrder?
                do throws(RefusedCall) { order = try present(result) } catch {
                    limiters[.capabilities]?.giveBack(limited)
                    throw error
                }
                guard let order else { throw RefusedCall(.notFound) }
                limiters[.capabilities]?.giveBack(limited)
                opened(counted(order, of: shop, request))
            } catch { opened(.failure(error)) }
        }
    }

    private func counted(
        _ order: PickupOrder, of shop: Shop, _ request: WireRequest
    ) -> Result<(order: PickupOrder, shop: Shop), RefusedCall> {
        do throws(RefusedCall) {
            try take(
                .pages, of: Self.limited(request, order.id.rawValue), ["shop": shop.id.rawValue])
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
        open(body.code, request) { [self] result in
            do throws(RefusedCall) {
                var (order, shop) = try result.get()
                let code = order.state.isOpen ? order.ticket?.code : nil
                if code == nil { order.ticket = nil }
                respond(
                    Answers.response(
                        FollowedOrder(
                            order, of: shop,
                            symbol: code.flatMap { try? QRCode.matrix(of: $0.rawValue).rows },
                            pushKey: options.pushes?.publicKey)))
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
        open(body.code, request) { [self] result in
            do throws(RefusedCall) {
                let (order, shop) = try result.get()
                guard let invitation = Invitation(rawValue: body.invitation),
                    invitation.tag == shop.tag, invitations?.isGood(invitation) == true
                else { throw RefusedCall(.invitationOver) }
                try arrive(with: order, in: shop, request, respond)
            } catch { respond(error.response) }
        }
    }

    /// Each arrival leaves rows; one that changes nothing counts for nothing.
    private func arrive(
        with order: PickupOrder, in shop: Shop, _ request: WireRequest,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        guard let code = order.ticket?.code else { throw RefusedCall(.notFound) }
        let name = order.id.rawValue
        try takeAll([(.placeChanges, name)], of: shop.id, request)
        // Phones that follow an order have no name: their keys are those of the order.
        perform(
            .order(.arrive(order.id, proof: .entry(code))), of: HolderID("order/\(order.id)"),
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
