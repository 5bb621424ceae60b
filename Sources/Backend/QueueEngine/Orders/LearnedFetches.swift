internal import Reservations

/// What was learned of the times in which a shop's assistants bring orders to a desk, by the number of parcels
/// (rules: order-forecasts).
///
/// With few observations the shop's setting counts for more, and with few observations of one number of parcels those of all
/// numbers do.
public struct LearnedFetches: Hashable, Sendable {
    /// So many observations have as much weight as the shop's setting.
    private static let settingWeight = 10.0
    /// So many observations of one number of parcels have as much weight as those of all numbers.
    private static let allWeight = 40.0
    /// How much the time of one order differs from that of another before anything is learned, as a part of the mean.
    private static let priorVariation = 0.5
    /// How much longer each parcel after the first makes it, as a part of the time for one.
    private static let perFurtherParcel = 0.15
    /// Times outside this range, in minutes, are double touches and orders that were forgotten: 5 seconds to 4 hours.
    private static let plausibleMinutes = 5.0 / 60...240.0

    private let cells: [Int: DurationSums]
    /// All observations as if each order had one parcel.
    private let total: DurationSums

    /// - Parameter cells: The observations by the number of parcels.
    public init(cells: [Int: DurationSums] = [:]) {
        self.cells = cells
        total = cells.map { $1.scaled(by: 1 / Self.factor($0)) }.reduce(DurationSums(), +)
    }

    /// The observations of one number of parcels with one more; nil if it is not plausible.
    public static func learning(_ time: Duration, after sums: DurationSums) -> DurationSums? {
        sums.learning(time, plausible: plausibleMinutes)
    }

    /// How much longer an order with so many parcels takes than one with one, before anything is learned.
    private static func factor(_ parcels: Int) -> Double {
        1 + perFurtherParcel * Double(parcels - 1)
    }

    /// The time of an order of one parcel as the shop's setting says it, in minutes.
    static func usual(minutes: Int) -> StayDistribution {
        StayDistribution(mean: Double(max(1, minutes)), variation: priorVariation)
    }

    /// The time of an order.
    ///
    /// - Parameter usual: The time of an order of one parcel before anything is learned.
    func time(parcels: Int, usual: StayDistribution) -> StayDistribution {
        let one = total.updating(usual, weight: Self.settingWeight)
        let all = one.scaled(by: Self.factor(parcels))
        return (cells[parcels] ?? DurationSums()).updating(all, weight: Self.allWeight)
    }
}
