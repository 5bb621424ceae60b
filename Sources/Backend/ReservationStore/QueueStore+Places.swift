public import QueueEngine
public import Reservations

/// A reservation by what its customer's page has of it.
public enum FollowedReservation: Hashable, Sendable {
    case id(ReservationID)
    /// The number of a day.
    case number(QueueNumber, CalendarDay)
    /// The code of its symbol.
    case code(EntryCode)
}

/// An order as its customer's phone asks for it (rules: order-pages).
public struct PhoneOrder: Hashable, Sendable {
    public let record: PickupOrderRecord
    /// Whether it is back on the shelf after it was called to a desk.
    public let wasAtDesk: Bool

    init(_ record: PickupOrderRecord, wasAtDesk: Bool) {
        self.record = record
        self.wasAtDesk = wasAtDesk
    }
}

/// What the pages of customers' phones ask of the store (rules: place-page).
extension QueueStore {
    /// Finds a confirmed reservation in its shop, between two batches; changes nothing.
    ///
    /// `completion` is called as by `lookUp`; phones have a limit of their own on how many look-ups may wait.
    public func record(
        of reservation: FollowedReservation, in shop: ShopID,
        completion: @escaping @Sendable (Result<ReservationRecord?, StoreError>) -> Void
    ) {
        aside(
            of: shop, count: \.phoneLookups, atMost: Self.maxWaitingPhoneLookups, completion
        ) { writer throws(StoreError) in try writer.record(of: reservation, in: shop) }
    }

    /// Finds an order for its customer's phone; `completion` is called as by `record`.
    public func order(
        _ order: FollowedPickup, in shop: ShopID,
        completion: @escaping @Sendable (Result<PhoneOrder?, StoreError>) -> Void
    ) {
        aside(
            of: shop, count: \.phoneLookups, atMost: Self.maxWaitingPhoneLookups, completion
        ) { writer throws(StoreError) in
            let found =
                switch order {
                case .code(let code): try writer.database.order(.entry(code), of: shop)
                case .id(let id): try writer.database.order(id, of: shop)
                }
            return try found.map { record throws(StoreError) in
                try writer.phoneOrder(record, of: shop)
            }
        }
    }

    /// Finds the order of this name and these ten digits in one of these shops. `completion` is called as by `record`.
    public func order(
        named reference: String, _ typed: TypedCode, in shops: [ShopID],
        completion:
            @escaping @Sendable (Result<(shop: ShopID, order: PhoneOrder)?, StoreError>) -> Void
    ) {
        aside(
            of: nil, count: \.phoneLookups, atMost: Self.maxWaitingPhoneLookups, completion
        ) { writer throws(StoreError) in
            for shop in shops {
                guard let record = try writer.database.order(.typed(typed), of: shop),
                    record.reference.lowercased() == reference.lowercased()
                else { continue }
                return (shop, try writer.phoneOrder(record, of: shop))
            }
            return nil
        }
    }

    /// The same if its customer is here; from memory, as `status`.
    public func orderHere(_ order: FollowedPickup, in shop: ShopID) -> PhoneOrder? {
        published.queue(of: shop)?.pickups.desk.order(order).map {
            PhoneOrder($0, wasAtDesk: false)
        }
    }

    /// What its customer is shown of an order, with its ticket, if that is wanted, as long as it can be collected; the wait is
    /// that of the orders in memory. Nil for an unknown shop.
    public func shown(_ order: PhoneOrder, hasTicket: Bool, in shop: ShopID) -> PickupOrder? {
        published.queue(of: shop).map { queue in
            var shown = queue.pickups.desk.shown(
                order.record, of: queue.shop, at: now,
                hasTicket: hasTicket && order.record.state.isOpen,
                local: queue.local)
            shown.wasAtDesk = order.wasAtDesk ? true : nil
            return shown
        }
    }

    /// Finds the place of a day that a holder waits for in a shop, is called for or is inside with; without a day, the
    /// nearest one. `completion` is called as by `record`.
    public func place(
        of holder: HolderID, in shop: ShopID, on day: CalendarDay? = nil,
        completion: @escaping @Sendable (Result<ReservationRecord?, StoreError>) -> Void
    ) {
        aside(
            of: shop, count: \.phoneLookups, atMost: Self.maxWaitingPhoneLookups, completion
        ) { writer throws(StoreError) in
            try writer.confirmedPlace(of: holder, in: shop, on: day)
        }
    }

    /// Finds all places that a holder waits for, is called for or is inside with, in every shop. `completion` is called as by
    /// `record`.
    public func places(
        of holder: HolderID,
        completion: @escaping @Sendable (Result<[ReservationRecord], StoreError>) -> Void
    ) {
        aside(
            of: nil, count: \.phoneLookups, atMost: Self.maxWaitingPhoneLookups, completion
        ) { writer throws(StoreError) in
            try writer.confirmedPlaces(of: holder)
        }
    }

    /// Whether a phone would get a place of a shop now if a ticket is left.
    public func hasPhonePlace(in shop: ShopID) -> Bool {
        published.queue(of: shop)?.read(at: now) { $0.hasPhonePlace(in: $1) } ?? false
    }

    /// Whether a phone that is elsewhere would get a place of a shop now if a ticket is left, and how many of these places the
    /// shop gives within an hour (rules: elsewhere).
    public func remotePlaces(in shop: ShopID) -> (isFree: Bool, perHour: Int) {
        published.queue(of: shop)?.read(at: now) {
            ($0.hasRemotePlace(in: $1), $0.remotePlacesAnHour(in: $1))
        } ?? (false, 0)
    }

    /// The day on the shop's clock at a moment; nil for an unknown shop.
    public func day(of moment: Moment, in shop: ShopID) -> CalendarDay? {
        published.queue(of: shop)?.local(moment).day
    }

    /// The slots that phones can book now, the shop's clock and the last day of which there are visits (rules: visits);
    /// nil for an unknown shop. They are computed beside the queue, which machines need meanwhile.
    public func freeSlots(
        in shop: ShopID, minutes: Int?, departments: [String] = []
    ) -> (now: LocalMoment, lastDay: CalendarDay, free: [FreeSlots])? {
        present(shop).map { state, context in
            (
                context.local(context.now), state.lastVisitDay(in: context),
                state.freeSlots(minutes: minutes, departments: departments, in: context)
            )
        }
    }

    /// What a shop can offer instead of a slot, and its clock (rules: slot-suggestions); nil for an unknown shop. It is
    /// computed beside the queue, which machines need meanwhile.
    public func suggestions(
        for chosen: ChosenSlot, in shop: ShopID
    ) -> (now: LocalMoment, slots: SlotSuggestions)? {
        present(shop).map { state, context in
            (context.local(context.now), state.suggestions(for: chosen, in: context))
        }
    }

    /// A shop as of the last look at the database; nil for an unknown one.
    public func shop(_ id: ShopID) -> Shop? { published.queue(of: id)?.shop }

    /// What is shown now to those who follow these reservations of a shop; nil for one that is in the queue no more, or
    /// not yet on this server. It is computed beside the queue, which machines need meanwhile.
    public func found(
        _ records: [ReservationRecord], of shop: ShopID
    ) -> [FoundReservation?] {
        guard let (state, context) = present(shop) else { return records.map { _ in nil } }
        return state.found(records, in: context)
    }

    /// What is shown of a reservation as it was stored; nil if it was never confirmed, or for an unknown shop.
    public func found(_ record: ReservationRecord, of shop: ShopID) -> FoundReservation? {
        present(shop).flatMap { state, context in state.found(record, in: context) }
    }

    private func present(_ shop: ShopID) -> (QueueState, QueueContext)? {
        published.queue(of: shop)?.read(at: now) { ($0, $1) }
    }
}

extension StoreWriter {
    fileprivate func phoneOrder(
        _ record: PickupOrderRecord, of shop: ShopID
    ) throws(StoreError) -> PhoneOrder {
        let former =
            record.state == .onShelf ? try database.formerState(of: record.id, in: shop) : nil
        return PhoneOrder(record, wasAtDesk: former == .called)
    }

    func confirmedPlace(
        of holder: HolderID, in shop: ShopID, on day: CalendarDay?
    ) throws(StoreError) -> ReservationRecord? {
        let now = context.now()
        return try database.snapshot { () throws(StoreError) in
            let confirmed = try database.records(of: holder, in: shop).filter {
                $0.confirmation != nil && $0.isPlace(at: now)
                    && (day == nil || $0.hold.day == day)
            }
            // A customer who is inside may have a place that staff restored.
            let waiting = confirmed.filter { $0.state != .active }
            return (waiting.isEmpty ? confirmed : waiting).min { $0.hold.day < $1.hold.day }
        }
    }

    func confirmedPlaces(of holder: HolderID) throws(StoreError) -> [ReservationRecord] {
        let now = context.now()
        return try database.snapshot { () throws(StoreError) in
            guard let claim = try database.claim(of: holder) else { return [] }
            var places: [ReservationRecord] = []
            for shop in Set(claim.days.shops.values).union([claim.shop]) {
                places += try database.records(of: holder, in: shop).filter {
                    $0.confirmation != nil && $0.isPlace(at: now)
                }
            }
            return places
        }
    }

    /// The stored reservation; nil if there is none.
    func record(
        of reservation: FollowedReservation, in shop: ShopID
    ) throws(StoreError) -> ReservationRecord? {
        guard published.queue(of: shop) != nil else {
            throw .noShop(shop, operation: "look up a place")
        }
        return try database.snapshot { () throws(StoreError) in
            switch reservation {
            case .id(let id): return try database.record(id, of: shop)
            case .number(let number, let day):
                guard let id = try database.reservationID(of: number, on: day, in: shop) else {
                    return nil
                }
                return try database.record(id, of: shop)
            case .code(let code): return try database.record(.entry(code), of: shop)
            }
        }
    }
}
