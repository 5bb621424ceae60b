internal import QueueEngine
internal import Reservations

/// Orders at the desks of a shop, on the morning of the tests' day.
extension PickupOrderRecord {
    static let now = LocalMoment("2026-11-20T10:00:00+01:00")!

    /// An order that has been in a state since a moment, and came into being then.
    static func sample(
        _ state: OrderState, _ number: Int = 1, parcels: [Parcel] = [Parcel(size: .small)!],
        at moment: Moment = now.moment, promised: Moment? = nil, desk: Int? = nil
    ) -> PickupOrderRecord {
        let isAtDesk = state == .called || state == .handedOver
        return PickupOrderRecord(
            id: OrderID("o\(number)"), reference: "\(number)",
            code: PickupCode(
                tag: ShopTag(rawValue: "DEMO")!, random: .init(repeating: 7, count: 16)),
            typedCode: TypedCode(rawValue: "0419384512")!, announced: moment,
            promised: promised ?? moment, parcels: parcels, state: state, since: moment,
            turn: state.isHere || state == .handedOver ? .sample(number, at: moment) : nil,
            desk: desk, called: isAtDesk ? moment : nil)
    }
}

extension PickupOrderRecord.Turn {
    /// The turn of a customer who came at a moment; of several at once, those with lower numbers were first.
    static func sample(_ number: Int, at moment: Moment) -> PickupOrderRecord.Turn {
        PickupOrderRecord.Turn(
            day: Counter.day, number: PickupNumber(rawValue: number)!,
            arrived: moment + .seconds(number))
    }
}

extension OrderPolicy {
    init(desks: Int, fetchMinutes: Int = 6) {
        self.init()
        self.desks = desks
        self.fetchMinutes = fetchMinutes
    }
}

extension Shop {
    /// A shop in Rome whose hours are given with each question.
    static func market(
        _ policy: ShopPolicy = ShopPolicy(capacity: 9, usualStayMinutes: 20)
    ) -> Shop {
        Shop(
            id: "s1", tag: ShopTag(rawValue: "DEMO")!, name: "Market", timeZone: "Europe/Rome",
            hours: OpeningHours(weekly: [:]), policy: policy, languages: ["it"])
    }
}
