import Reservations
import TerminalSurface

/// Another shop where the wait is much shorter, as customers are quoted it (rules: nearby-shop).
struct NearbyFacts: Hashable, Sendable {
    let name: String
    /// Whole hundreds of metres, at least one.
    let hundredMetres: Int
    /// The rounded wait in minutes; nil if there is none.
    let minutes: Int?

    /// Nil if a value is impossible, or nothing of the name can be shown.
    init?(_ shop: NearbyShop) {
        name = PlainText.clean(shop.name, limit: NearbyShop.maxNameLength)
        guard shop.isPlausible, !name.isEmpty else { return nil }
        hundredMetres = max(1, (shop.metres + 50) / 100)
        minutes = shop.minutes == 0 ? nil : Wait.rounded(shop.minutes)
    }
}

extension Strings {
    /// The line about another shop, for example "Città Studi 2, 600 m away: wait of about 10 minutes".
    ///
    /// - Parameter limit: The most characters of its name.
    func nearby(_ shop: NearbyFacts, limit: Int) -> String {
        nearby(shop, PlainText.clean(shop.name, limit: limit), distance(shop.hundredMetres))
    }

    /// The line as a voice says it: in whole metres, which it would not know by their symbol.
    func spoken(_ shop: NearbyFacts) -> String {
        nearby(
            shop, shop.name, text("{n} metres", ["n": String(shop.hundredMetres * 100)]))
    }

    private func nearby(_ shop: NearbyFacts, _ name: String, _ distance: String) -> String {
        let values = ["shop": name, "distance": distance]
        guard let minutes = shop.minutes else {
            return text("{shop}, {distance} away: no wait now", values)
        }
        return text(
            "{shop}, {distance} away: wait of about {wait}",
            values.merging(["wait": self.minutes(minutes)]) { $1 })
    }

    /// A distance with its symbol, which is the same in all languages: "600 m", "1.2 km".
    private func distance(_ hundreds: Int) -> String {
        guard hundreds >= 10 else { return "\(hundreds * 100) m" }
        let (whole, tenths) = hundreds.quotientAndRemainder(dividingBy: 10)
        guard tenths > 0 else { return "\(whole) km" }
        return text(
            "{whole}.{tenths} km", ["whole": String(whole), "tenths": String(tenths)])
    }
}

extension Canvas {
    /// The least characters by which a customer knows a shop.
    private static let leastNameCharacters = 12

    /// The line about another shop in one row, for which its name may be cut; nil if there is none, or no room.
    ///
    /// Home and the screens without a place have it in the row of the hint, which is free for it: no button moves when the
    /// line comes or goes.
    func nearbyLine(_ shop: NearbyFacts?) -> String? {
        guard let shop else { return nil }
        let shown = shop.name.count
        return (min(shown, Self.leastNameCharacters)...shown).reversed().lazy
            .map { wording.nearby(shop, limit: $0) }
            .first { TextWidth.of($0) <= middle.columns }
    }

    /// The line about the other shop of the last report, for the row of the hint.
    var hintOfNearby: String? { hasNearbyLine ? nearbyLine(presentNearby) : nil }

    /// The other shop of the last report; nil if the report is old, since waits change.
    var presentNearby: NearbyFacts? { scene.queueAge == nil ? scene.queue?.nearby : nil }

    mutating func sayNearby() {
        spoken.passing += [presentNearby.map(wording.spoken)].compactMap { $0 }
    }
}
