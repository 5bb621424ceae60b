import Reservations

/// Other shops near the crowded one (rules: nearby-shop).
extension Samples {
    static let nearby = NearbyShop(name: "Città Studi 2", metres: 556, minutes: 8)
    static let nearbyWithoutWait = NearbyShop(name: "Lambrate", metres: 1_160, minutes: 0)
    static let nearbyWithLongName = NearbyShop(
        name: "Supermercato Città Studi, Piazzale Leonardo da Vinci 32, ingresso di via Bonardi",
        metres: 3_040, minutes: 22)
}
