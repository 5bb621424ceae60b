internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import SMSTexts

/// A notice that is still true, and what it says.
struct PresentNotice {
    /// What an SMS says of a place.
    struct SMSContent {
        let words: SMSText
        let capability: Capability
        /// Whether the customer can let people go ahead.
        let offersLater: Bool
    }

    /// What the browser decrypts; empty if there is an SMS only.
    let content: [UInt8]
    /// Nil for an order, of which there are no SMS.
    let sms: SMSContent?
    let isUrgent: Bool
    /// Until when it is of use, by the clock of the queue.
    private let end: Moment

    /// Nil if what it reports was undone, or is over.
    init?(_ notice: LeasedNotice, of shop: Shop, in store: QueueStore) {
        switch notice.reason {
        case .place(let kind): self.init(kind, notice, of: shop, in: store)
        case .booking: self.init(booked: notice, of: shop, in: store)
        case .order(let kind): self.init(kind, notice, of: shop)
        }
    }

    private init?(
        _ kind: NoticeKind, _ notice: LeasedNotice, of shop: Shop, in store: QueueStore
    ) {
        guard let place = FoundPlace(notice, of: shop, in: store) else { return nil }
        let found = place.found
        var time: LocalMoment?
        let status: ReservationStatus
        var lifetime = Duration.minutes(30)
        switch kind {
        case .called:
            status = .called
            time = found.enterBy
        case .question:
            status = .planned
            time = found.answerBy
            guard time != nil else { return nil }
        case .soon:
            status = .planned
            lifetime = .minutes(4)
        case .later:
            status = .planned
            time = found.wait?.earliest
        case .closed: status = .closed
        case .givenBack, .cancelled: status = .deleted
        case .missed:
            status = .missed
            time = found.reclaimBy
        case .restored: status = .planned
        }
        guard found.status == status else { return nil }
        isUrgent = [.called, .soon, .question].contains(kind) || found.reclaimBy != nil
        // The new time is no deadline.
        end = kind == .later ? notice.made + lifetime : time?.moment ?? notice.made + lifetime
        let number = found.number
        let message = NoticeMessage(
            kind, of: place.capability, number: number, shopName: shop.name,
            language: notice.subscription.language, time: time, made: notice.made)
        content = JSONText.bytes(message)
        let words: SMSText =
            if kind == .givenBack, let visit = found.visit {
                .visitGivenBack(number, visit.start)
            } else {
                .notice(kind, number, time)
            }
        sms = SMSContent(
            words: words, capability: place.capability,
            offersLater: found.delayOffers?.isEmpty == false)
    }

    /// The place as it is booked.
    private init?(booked notice: LeasedNotice, of shop: Shop, in store: QueueStore) {
        guard let place = FoundPlace(notice, of: shop, in: store),
            [.planned, .called].contains(place.found.status)
        else { return nil }
        let (found, code) = (place.found, place.confirmation.typedCode)
        let words: SMSText =
            if let visit = found.visit {
                .visit(found.number, visit.start, code)
            } else if let wait = found.wait, found.status == .planned {
                .ticket(
                    found.number, earliest: wait.earliest, latest: wait.latest, code)
            } else {
                .calledTicket(found.number, found.enterBy, code)
            }
        content = []
        sms = SMSContent(words: words, capability: place.capability, offersLater: false)
        isUrgent = false
        end = notice.made + .minutes(30)
    }

    /// The place of a notice, as it is stored and shown.
    private struct FoundPlace {
        let confirmation: Confirmation
        let capability: Capability
        let found: FoundReservation

        init?(_ notice: LeasedNotice, of shop: Shop, in store: QueueStore) {
            // The record is newer than what this server may know of the queue.
            guard let record = notice.record, let confirmation = record.confirmation,
                shop.policy.phones.hasPages || record.hold.channel.isPhone,
                let found = store.found(record, of: shop.id)
            else { return nil }
            self.confirmation = confirmation
            self.found = found
            capability = BackendService.capability(
                confirmation.code, confirmation.number, on: record.hold.day)
        }
    }

    private init?(_ kind: OrderNoticeKind, _ notice: LeasedNotice, of shop: Shop) {
        guard let order = notice.order, shop.hasOrderPages, order.shownState == kind.state,
            let capability = order.capability
        else { return nil }
        let message = OrderNoticeMessage(
            kind, of: capability, reference: order.reference, number: order.turn?.number,
            desk: order.shownState == .called ? order.desk : nil, shopName: shop.name,
            language: notice.subscription.language, made: notice.made)
        content = JSONText.bytes(message)
        sms = nil
        let lifetime: Duration
        switch kind {
        // Then it is put back on the shelf.
        case .called: (lifetime, isUrgent) = (PickupOrderRecord.callTime, true)
        case .notFound, .putBack: (lifetime, isUrgent) = (.minutes(60), true)
        case .arrived, .fetching: (lifetime, isUrgent) = (.minutes(15), false)
        // It waits for a phone that was off over night.
        case .ready, .handedOver, .cancelled, .expired:
            (lifetime, isUrgent) = (.seconds(86_400), false)
        }
        end = notice.made + lifetime
    }

    /// Nil if there is none.
    func secondsLeft(at now: Moment) -> Int? {
        let seconds = (end - now).wholeSeconds
        return seconds > 0 ? Int(seconds) : nil
    }
}
