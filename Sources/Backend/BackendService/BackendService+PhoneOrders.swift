internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// Orders on their customers' phones (rules: order-codes, order-pages). An order is opened by its code, which its customer has
/// in the shop's mail and on its paper, or shown by its capability; that the customer is at the door is shown by the door's
/// invitation (rules: joining).
extension BackendService {
    /// Finds the order that a code opens, or a capability shows. Every other text gets the same answer, and counts for
    /// the address that tries it; an order that is asked for too often from one address is not shown there for a while.
    func openOrder(
        _ opener: OrderOpener?, _ request: WireRequest,
        _ opened: @escaping @Sendable (Result<OpenedOrder, RefusedCall>) -> Void
    ) {
        guard let opener, let shop = shop(opener.tag), shop.hasOrderPages
        else { return opened(.failure(missed(request))) }
        if let here = store.orderHere(opener.order, in: shop.id),
            let order = OpenedOrder(here, of: shop, with: opener)
        {
            return opened(counted(order, request))
        }
        store.order(opener.order, in: shop.id) { [self] result in
            do throws(RefusedCall) {
                guard let found = try present(result),
                    let order = OpenedOrder(found, of: shop, with: opener)
                else { throw missed(request) }
                opened(counted(order, request))
            } catch { opened(.failure(error)) }
        }
    }

    /// The answer to a text that opens nothing. Those who have a code are not kept from it by others of their address.
    func missed(_ request: WireRequest) -> RefusedCall {
        do throws(RefusedCall) {
            try take(.capabilities, of: Self.limited(request), ["from": request.client])
            return RefusedCall(.notFound)
        } catch { return error }
    }

    private func counted(
        _ opened: OpenedOrder, _ request: WireRequest
    ) -> Result<OpenedOrder, RefusedCall> {
        do throws(RefusedCall) {
            // Those who have what only shows the order keep its customer from nothing.
            let order = opened.order.record.id.rawValue
            try take(
                .pages, of: Self.limited(request, order, isOwn: opened.isProved),
                ["shop": opened.shop.id.rawValue])
            return .success(opened)
        } catch { return .failure(error) }
    }

    /// Answers with what is known of an order.
    func followOrder(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let body = try request.decoded(
            OrderRequest.self,
            "{\"code\": the text after # of the symbol's link} or "
                + "{\"capability\": the text after # of the page's address} or "
                + "{\"reference\": the shop's name of the order, \"typedCode\": its ten digits}"
        ) { body in
            [body.code, body.capability, body.reference].count { $0 != nil } == 1
                && (body.reference == nil) == (body.typedCode == nil)
        }
        let follow: @Sendable (Result<OpenedOrder, RefusedCall>) -> Void = { [self] result in
            do throws(RefusedCall) {
                let opened = try result.get()
                let (order, shop) = (opened.order, opened.shop)
                let shown = store.shown(order, hasTicket: opened.isProved, in: shop.id).map {
                    FollowedOrder(
                        $0, of: shop, capability: order.record.capability,
                        symbol: $0.ticket.flatMap { symbol(of: $0.code, in: shop) }?.rows,
                        pushKey: options.pushes?.publicKey)
                }
                respond(Answers.response(ifKnown: shown))
            } catch { respond(error.response) }
        }
        if let reference = body.reference, let digits = body.typedCode {
            return try findOrder(reference, digits, request, follow)
        }
        openOrder((body.code ?? body.capability).flatMap(OrderOpener.init), request, follow)
    }

    /// Finds the order with a shop's name and ten digits, in whatever shop: the link in its customer's mail was cut off. Digits
    /// alone open none, so that a guess is not more likely to be right where there are many orders. Each wrong try
    /// counts for the address.
    private func findOrder(
        _ reference: String, _ digits: String, _ request: WireRequest,
        _ opened: @escaping @Sendable (Result<OpenedOrder, RefusedCall>) -> Void
    ) throws(RefusedCall) {
        let name = Self.limited(request)
        try take(.codes, of: name, ["from": request.client])
        guard let typed = TypedCode(rawValue: digits) else { throw RefusedCall(.notFound) }
        let shops = store.shops().filter(\.hasOrderPages)
        store.order(named: reference, typed, in: shops.map(\.id)) { [self] result in
            do throws(RefusedCall) {
                guard let found = try present(result),
                    let shop = shops.first(where: { $0.id == found.shop })
                else { throw RefusedCall(.notFound) }
                limiters[.codes]?.giveBack(name)
                opened(counted(OpenedOrder(found: found.order, of: shop), request))
            } catch { opened(.failure(error)) }
        }
    }

    /// The customer of an order is at the door of its shop [Click-And-Collect UC10].
    func arrive(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let body = try request.decoded(
            OrderArrivalRequest.self,
            "{\"code\": the text after # of the link of the order's symbol, "
                + "\"invitation\": the text after # of the link at the door}")
        openOrder(OrderOpener(body.code), request) { [self] result in
            do throws(RefusedCall) {
                let opened = try result.get()
                // What shows an order says nothing for its customer.
                guard opened.isProved else { throw missed(request) }
                let (order, shop) = (opened.order, opened.shop)
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
