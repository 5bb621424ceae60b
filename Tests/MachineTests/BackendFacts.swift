import BackendAPI
import Reservations

/// What the backend of a test says.
enum BackendFacts {
    static let now = LocalMoment(Moment(milliseconds: 1_795_179_600_000), offsetMinutes: 60)
    static let wait = WaitEstimate(expected: now, earliest: now, latest: now, peopleAhead: 0)
    static let code = EntryCode(tag: ShopTag(rawValue: "CITT")!, random: Array(0..<16))
    static let reservation = reservation()
    static let pickup = PickupTicket(
        code: PickupCode(tag: ShopTag(rawValue: "CITT")!, random: Array(16..<32)),
        typedCode: TypedCode(rawValue: "7419384512")!)

    static func reservation(
        _ id: String = "hold-1", visit: VisitSlot? = nil, code: EntryCode = code,
        typed: TypedCode = TypedCode(rawValue: "0419384512")!
    ) -> Reservation {
        Reservation(
            id: ReservationID(id), kind: visit == nil ? .ticket : .visit,
            number: QueueNumber(rawValue: 42)!, shopName: "Shop", code: code,
            typedCode: typed, issued: now, wait: wait, visit: visit)
    }

    static func found(
        _ status: ReservationStatus, _ reservation: Reservation = reservation,
        enterBy: LocalMoment? = nil
    ) -> FoundReservation {
        FoundReservation(reservation, day: now.day, status: status, now: now, enterBy: enterBy)
    }

    static func order(
        _ state: OrderState, id: String = "order-1", parcels: Int = 2, desk: Int? = nil,
        number: Int = 17, ticket: PickupTicket? = nil
    ) -> PickupOrder {
        PickupOrder(
            id: OrderID(id), reference: "4711", shopName: "Shop", state: state, since: now,
            now: now, parcels: parcels, promised: now, isReady: state == .onShelf,
            number: state == .onShelf ? nil : PickupNumber(rawValue: number), desk: desk,
            ticket: ticket)
    }

    static func profile(hasDesk: Bool = false) -> MachineProfile {
        MachineProfile(
            machine: MachineID("door"), shop: ShopID("shop"), shopName: "Shop",
            timeZone: "Europe/Rome", languages: ["en"], now: now, hasDesk: hasDesk)
    }

    static func queue(waiting: Int = 0) -> QueueStatus {
        QueueStatus(now: now, isOpen: true, ticketAvailable: true, waiting: waiting, wait: wait)
    }
}
