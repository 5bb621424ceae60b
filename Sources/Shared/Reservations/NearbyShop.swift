/// Another shop, near one that is crowded, in which a customer would wait much less, as a machine names it
/// (rules: nearby-shop).
public struct NearbyShop: Codable, Hashable, Sendable {
    /// As its administrator named it.
    public var name: String
    /// Metres to it in a straight line; at most `maxMetres`.
    public var metres: Int
    /// Whole minutes until a ticket taken there now would be called; 0 if no customer is ahead and a place is free.
    public var minutes: Int

    public init(name: String, metres: Int, minutes: Int) {
        self.name = name
        self.metres = metres
        self.minutes = minutes
    }

    /// About an hour on foot.
    public static let maxMetres = 5_000
    /// The most Unicode scalars of the name that are passed on, and shown.
    public static let maxNameLength = 80
}

extension NearbyShop: Plausible {
    /// The minutes of a day: no queue is longer than its day.
    private static let maxMinutes = 1_440

    public var isPlausible: Bool {
        (0...Self.maxMetres).contains(metres) && (0...Self.maxMinutes).contains(minutes)
    }
}
