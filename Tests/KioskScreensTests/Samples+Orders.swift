import Reservations

@testable import KioskFlow
@testable import KioskScreens

/// Samples of the screens about orders that are collected.
extension Samples {
    static let orderScenes: [NamedScene] =
        list([
            "home-desk": withDesk(scene(.home)),
            "order-scanning": scanning(of: .order),
            "order-scanning-no-reader": scanning(of: .order).with { $0.isReaderThere = false },
            "order-working-looking-up":
                scene(.lookingUp(LookingUp(attempt: key, code: .order(orderCode)))),
            "order-ready": found(order(.onShelf, wait: shortWait)),
            "order-ready-no-paper":
                found(order(.onShelf, wait: shortWait))
                .with { $0.printer = PrinterCondition(trouble: .noPaper) },
            "order-later-today": found(order(.promised, promised: today.start)),
            "order-later-another-day": found(order(.promised, promised: later.start)),
            "order-number-arrived": found(order(.arrived, number: 17, wait: shortWait)),
            "order-number-not-found": found(order(.notFound, number: 17)),
            "order-number-called": found(order(.called, number: 17, desk: 2)),
            "order-over-handed-out": found(order(.handedOver)),
            "order-over-handed-out-before": found(order(.handedOver, since: yesterday)),
            "order-over-cancelled": found(order(.cancelled)),
            "order-over-expired": found(order(.expired)),
            "order-working-confirming": scene(.confirming(arriving)),
            "order-unresolved": unresolved(arriving),
            "order-issued": issuedOrder(.printed, closes: 18),
            "order-issued-shown-only": issuedOrder(.shownOnly(.noPaper), closes: 41),
            "order-unknown": failed(.network, .arrival),
            "staff-missing-order": missingOrder,
        ])
        + orderRefusals.map { ("order-refused-\($0.rawValue)", refused($0, of: .order)) }

    /// The refusals that have sentences of their own for an order.
    static let orderRefusals = Refusal.allCases.filter {
        $0.orderSentences != $0.customerSentences
    }

    static let orderCode = PresentedOrderCode.entry(pickupTicket.code)
    static let pickupTicket = PickupTicket(
        code: PickupCode(rawValue: "CLUP:C:CSTD7K2M9QX4T1RB8VZ0HN5EWYJ3PA")!,
        typedCode: TypedCode(rawValue: "0419384512")!)
    private static let arriving = Confirming(
        key: key, what: .arrival(OrderID("o-1"), orderCode), kind: nil)

    static let shortWait = estimate("14:12:00", "14:11:00", "14:14:00", ahead: 2)
    private static let yesterday = clock("2026-11-19T18:40:00+01:00")

    static func order(
        _ state: OrderState, reference: String = "4711", parcels: Int = 3,
        promised: LocalMoment = noon, since: LocalMoment = noon, number: Int? = nil,
        wait: WaitEstimate? = nil, desk: Int? = nil
    ) -> PickupOrder {
        let isOpen = state == .onShelf || state == .promised
        return PickupOrder(
            id: OrderID("o-1"), reference: reference, shopName: "Supermercato Città Studi",
            state: state, since: since, now: noon, parcels: parcels, promised: promised,
            isReady: isOpen && promised.moment <= noon.moment,
            number: number.flatMap(PickupNumber.init(rawValue:)), wait: wait, desk: desk)
    }

    static func found(_ order: PickupOrder) -> Scene {
        let found = FoundOrder(order: order, code: orderCode, now: .zero)
        return withDesk(scene(.order(found), closes: found.isChoice ? nil : 20))
    }

    static func arrived(number: Int = 17, wait: WaitEstimate? = shortWait) -> ArrivedOrder {
        ArrivedOrder(order(.arrived, number: number, wait: wait), ticket: pickupTicket)!
    }

    static func issuedOrder(_ paper: Issued.Paper, closes: Int?) -> Scene {
        let issued = Issued(
            key: key, slip: .order(arrived()), paper: paper,
            closes: closes.map { .seconds($0) })
        return scene(.issued(issued), closes: closes)
    }

    static func withDesk(_ scene: Scene) -> Scene { scene.with { $0.shop?.hasDesk = true } }

    private static var missingOrder: Scene {
        staffScenes.first { $0.name == "staff-missing" }!.scene.withSession { session in
            guard let paper = session.chosen else { return }
            session.chosen = IssuedPaper(
                key: paper.key, number: .pickup(PickupNumber(rawValue: 17)!), issued: paper.issued,
                outcome: paper.outcome, code: nil, typedCode: nil)
        }
    }
}
