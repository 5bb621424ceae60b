// What a refusal means for what its caller does next.
extension Refusal {
    /// Whether nothing is left of the place or the reservation in the request.
    public var meansNothingIsLeft: Bool {
        [
            .notFound, .alreadyDeleted, .alreadyUsed, .missed, .unanswered, .closedBeforeTurn,
            .inside,
        ]
        .contains(self)
    }

    /// Whether the backend has no capacity just now: nothing happened, and the request may be sent again.
    public var isTemporary: Bool { self == .unavailable || self == .tooManyRequests }
}
