internal import BackendAPI
internal import Cryptography
private import Dispatch
internal import ReservationStore
internal import Reservations
internal import TextForms
internal import WebPush

/// How browsers subscribe to the notices of a place (rules 36), or of an order (rules 41).
extension BackendService {
    /// Sends no further notices, and writes what became of those on their way; returns within some seconds. To be called
    /// before the store is stopped, and not from a task.
    public func stopNotices() {
        guard let pusher else { return }
        let isStopped = DispatchSemaphore(value: 0)
        Task {
            await pusher.stop()
            isStopped.signal()
        }
        _ = isStopped.wait(timeout: .now() + 4)
    }

    /// Whether a text can be a BCP 47 primary subtag.
    static func isLanguage(_ text: String) -> Bool {
        (2...3).contains(text.utf8.count) && text.hasOnlyBytes(where: \.isASCIILowercase)
    }

    /// A digest of an endpoint: the name of a browser's subscription.
    private static func subscriptionID(of endpoint: String) -> String {
        Base64.encode(Array(SHA256.digest(Array(endpoint.utf8)).prefix(16)), .urlSafe)
    }

    func subscribe(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let pushes = try pushes()
        guard let body = JSONText.value(SubscriptionRequest.self, request.body),
            PushKeys(p256dh: body.p256dh, auth: body.auth) != nil,
            Self.isLanguage(body.language)
        else {
            throw RefusedCall(
                .malformed,
                "the body must be {\"capability\", \"endpoint\", \"p256dh\", \"auth\": as the browser "
                    + "gives them, \"language\": it, for example}")
        }
        guard pushes.services.contains(body.endpoint) else {
            throw RefusedCall(.pushServiceUnknown)
        }
        let subscription = Subscription(
            id: Self.subscriptionID(of: body.endpoint),
            .browser(endpoint: body.endpoint, p256dh: body.p256dh, auth: body.auth),
            language: body.language)
        change(body.capability, request, respond) { store, subject, shop, done in
            store.subscribe(subscription, to: subject, in: shop, completion: done)
        }
    }

    func endSubscription(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        _ = try pushes()
        guard let body = JSONText.value(SubscriptionEndRequest.self, request.body) else {
            throw RefusedCall(.malformed, "the body must be {\"capability\", \"endpoint\"}")
        }
        let id = Self.subscriptionID(of: body.endpoint)
        change(body.capability, request, respond) { store, subject, shop, done in
            store.unsubscribe(id, from: subject, in: shop, completion: done)
        }
    }

    private func pushes() throws(RefusedCall) -> NoticePushes {
        guard let pushes = options.pushes else { throw RefusedCall(.unknownRoute) }
        return pushes
    }

    private typealias Change =
        @Sendable (
            QueueStore, NoticeSubject, ShopID,
            @escaping @Sendable (Result<Void, StoreError>) -> Void
        ) -> Void

    /// Changes the subscriptions of a place or of an order; each change is written, so that they are limited for each of
    /// these, and more narrowly for each address: who has a photograph of the symbol does not keep its customer from them.
    private func change(
        _ opener: String, _ request: WireRequest,
        _ respond: @escaping @Sendable (WireResponse) -> Void, _ write: @escaping Change
    ) {
        if PickupCode(rawValue: opener) != nil {
            return openOrder(opener, request) { [self] result in
                do throws(RefusedCall) {
                    let (order, shop) = try result.get()
                    guard order.record.state.isOpen else { throw RefusedCall(.notFound) }
                    let subject = NoticeSubject.order(order.record.id)
                    try mayChange(subject, of: shop.id, request)
                    finish(write, subject, of: shop.id, respond)
                } catch { respond(error.response) }
            }
        }
        follow(opener, request) { [self] result in
            do throws(RefusedCall) {
                let place = try result.get()
                let subject = NoticeSubject.place(place.id)
                try mayChange(subject, of: place.shop.id, request)
                places.show(place.record, of: place.shop) { [self] shown in
                    do throws(RefusedCall) {
                        guard try present(shown) != nil else { throw RefusedCall(.notFound) }
                        finish(write, subject, of: place.shop.id, respond)
                    } catch { respond(error.response) }
                }
            } catch { respond(error.response) }
        }
    }

    private func mayChange(
        _ subject: NoticeSubject, of shop: ShopID, _ request: WireRequest
    ) throws(RefusedCall) {
        try takeAll(
            [
                (.subscriptions, Self.limited(request, subject.id)),
                (.placeSubscriptions, subject.id),
            ], of: shop, request)
    }

    private func finish(
        _ write: Change, _ subject: NoticeSubject, of shop: ShopID,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        write(store, subject, shop) { [self] written in
            do throws(RefusedCall) {
                try present(written)
                respond(WireResponse(status: 204, fields: [:]))
            } catch { respond(error.response) }
        }
    }
}
