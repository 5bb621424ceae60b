internal import BackendAPI
internal import Cryptography
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import TextForms
internal import WebPush

/// How browsers subscribe to the notices of a place (rules: notices), or of an order (rules: order-pages).
extension BackendService {
    /// Sends no further notices, and writes what became of those on their way; returns within some seconds. To be called
    /// before the store is stopped.
    public func stopNotices() { pusher?.stop() }

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
        let body = try request.decoded(
            SubscriptionRequest.self,
            "{\"capability\", \"endpoint\", \"p256dh\", \"auth\": as the browser "
                + "gives them, \"language\": it, for example, \"typedCode\": ten digits}"
        ) { body in
            PushKeys(p256dh: body.p256dh, auth: body.auth) != nil
                && (body.typedCode.map({ TypedCode(rawValue: $0) != nil }) ?? true)
                && Self.isLanguage(body.language)
        }
        guard pushes.services.contains(body.endpoint) else {
            throw RefusedCall(.pushServiceUnknown)
        }
        change(body.capability, .begins(digits: body.typedCode), request, respond) {
            store, subject, shop, record, isProved, done in
            let subscription = Subscription(
                id: Self.subscriptionID(of: body.endpoint),
                .browser(endpoint: body.endpoint, p256dh: body.p256dh, auth: body.auth),
                language: body.language, isProved: isProved)
            store.subscribe(
                subscription, to: subject, in: shop, opened: record, completion: done)
        }
    }

    func endSubscription(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        _ = try pushes()
        let body = try request.decoded(
            SubscriptionEndRequest.self,
            "{\"capability\", \"endpoint\"}")
        let id = Self.subscriptionID(of: body.endpoint)
        change(body.capability, .ends, request, respond) { store, subject, shop, _, _, done in
            store.unsubscribe(id, from: subject, in: shop) {
                done($0.map { SubscriptionOutcome.done })
            }
        }
    }

    private func pushes() throws(RefusedCall) -> NoticePushes {
        guard let pushes = options.pushes else { throw RefusedCall(.unknownRoute) }
        return pushes
    }

    private enum SubscriptionChange {
        /// With the ten digits of the place's ticket, if the caller has given them.
        case begins(digits: String?)
        /// The endpoint is known to its browser only.
        case ends
    }

    /// Changes a subscription to a place as it was opened, or to an order; the truth value says whether it is shown to be the
    /// caller's.
    private typealias Change =
        @Sendable (
            QueueStore, NoticeSubject, ShopID, ReservationRecord?, Bool,
            @escaping @Sendable (Result<SubscriptionOutcome, StoreError>) -> Void
        ) -> Void

    /// Changes the subscriptions of a place or of an order; each change is written, so that they are limited for each of
    /// these, and more narrowly for each address. What those ask who only have the link does not keep its customer from
    /// them.
    private func change(
        _ opener: String, _ kind: SubscriptionChange, _ request: WireRequest,
        _ respond: @escaping @Sendable (WireResponse) -> Void, _ write: @escaping Change
    ) {
        if let opener = OrderOpener(opener) {
            return openOrder(opener, request) { [self] result in
                do throws(RefusedCall) {
                    let opened = try result.get()
                    let (order, shop) = (opened.order.record, opened.shop.id)
                    guard order.state.isOpen else { throw RefusedCall(.notFound) }
                    let subject = NoticeSubject.order(order.id)
                    let isProved = opened.isProved
                    try mayChangeMessages(of: subject, in: shop, isProved: isProved, request)
                    finish(write, subject, nil, of: shop, isProved: isProved, respond)
                } catch { respond(error.response) }
            }
        }
        follow(opener, request) { [self] result in
            do throws(RefusedCall) {
                let place = try result.get()
                let subject = NoticeSubject.place(place.id)
                let isProved =
                    switch kind {
                    case .begins(let digits): try isProved(digits, of: place, request)
                    case .ends: isTaken(place, by: request)
                    }
                try mayChangeMessages(
                    of: subject, in: place.shop.id, isProved: isProved, request)
                places.show(place.record, of: place.shop) { [self] shown in
                    do throws(RefusedCall) {
                        guard try present(shown) != nil else { throw RefusedCall(.notFound) }
                        finish(
                            write, subject, place.record, of: place.shop.id, isProved: isProved,
                            respond)
                    } catch { respond(error.response) }
                }
            } catch { respond(error.response) }
        }
    }

    /// Counts a change of what gets the messages about a place or an order: for the address, and for the place unless it is
    /// shown to be the caller's.
    func mayChangeMessages(
        of subject: NoticeSubject, in shop: ShopID, isProved: Bool, _ request: WireRequest
    ) throws(RefusedCall) {
        let mine = (
            LimitedAction.subscriptions, Self.limited(request, subject.id, isOwn: isProved)
        )
        guard !isProved else { return try takeAll([mine], of: shop, request) }
        let all = (LimitedAction.placeSubscriptions, subject.id)
        try takeAll([mine], of: shop, request)
        // Others may have used this up: the customer is led to the proof.
        do throws(RefusedCall) { try takeAll([all], of: shop, request) } catch {
            throw RefusedCall(.noticesTaken)
        }
    }

    private func finish(
        _ write: Change, _ subject: NoticeSubject, _ record: ReservationRecord?, of shop: ShopID,
        isProved: Bool, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        write(store, subject, shop, record, isProved) { [self] written in
            do throws(RefusedCall) {
                let outcome = try present(written)
                guard !outcome.hasEnded else { throw RefusedCall(.notFound) }
                guard !outcome.isFull else { throw RefusedCall(.noticesTaken) }
                respond(WireResponse(status: 204, fields: [:]))
            } catch { respond(error.response) }
        }
    }
}
