/// A refusal with its facts.
public struct Refused: Error, Hashable, Sendable, Codable {
    public let refusal: Refusal
    /// The next opening of a shop that is closed, if it is known.
    public let opens: LocalMoment?
    /// When the turn of a reservation that is not called yet should come, if that is known.
    public let wait: WaitEstimate?
    /// Where a holder waits already.
    public let place: PlaceOfHolder?
    /// When a holder may take places again.
    public let until: LocalMoment?

    public init(
        _ refusal: Refusal, opens: LocalMoment? = nil, wait: WaitEstimate? = nil,
        place: PlaceOfHolder? = nil, until: LocalMoment? = nil
    ) {
        self.refusal = refusal
        self.opens = opens
        self.wait = wait
        self.place = place
        self.until = until
    }
}

/// The place that a holder has.
public struct PlaceOfHolder: Hashable, Sendable, Codable {
    public let shop: ShopID
    /// The day of the place.
    public let day: CalendarDay
    /// Nil for a hold, and if it is not known yet.
    public let number: QueueNumber?

    public init(shop: ShopID, day: CalendarDay, number: QueueNumber?) {
        self.shop = shop
        self.day = day
        self.number = number
    }
}

extension Result where Failure == Refused {
    public static func refused(
        _ refusal: Refusal, opens: LocalMoment? = nil, wait: WaitEstimate? = nil
    ) -> Self { .failure(Refused(refusal, opens: opens, wait: wait)) }
}
