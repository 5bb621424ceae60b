/// Where a shop is, for customers who are not there yet.
public struct ShopAddress: Hashable, Sendable {
    public var street: String?
    public var town: String?
    public var position: Position?

    public init(street: String? = nil, town: String? = nil, position: Position? = nil) {
        self.street = street
        self.town = town
        self.position = position
    }

    /// A point on the earth (WGS 84), in millionths of a degree: one of latitude is 11 cm.
    public struct Position: Hashable, Sendable {
        public let latitude: Int
        public let longitude: Int

        /// Nil if a coordinate is beyond a pole or the antimeridian.
        public init?(latitude: Int, longitude: Int) {
            guard (-90_000_000...90_000_000).contains(latitude),
                (-180_000_000...180_000_000).contains(longitude)
            else { return nil }
            self.latitude = latitude
            self.longitude = longitude
        }

        /// Reads latitude and longitude in degrees, as maps show them: `45.4642,9.19`.
        public init?(_ text: String) {
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 2, let latitude = Self.degrees(parts[0]),
                let longitude = Self.degrees(parts[1])
            else { return nil }
            self.init(latitude: latitude, longitude: longitude)
        }

        private static func degrees(_ text: Substring) -> Int? {
            let text = text.drop { $0 == " " }
            guard (1...20).contains(text.utf8.count),
                text.utf8.allSatisfy({ "-.0123456789".utf8.contains($0) }),
                let degrees = Double(text), abs(degrees) <= 180
            else { return nil }
            return Int((degrees * 1e6).rounded())
        }
    }
}

extension ShopAddress.Position: CustomStringConvertible {
    public var description: String { "\(Self.text(latitude)),\(Self.text(longitude))" }

    private static func text(_ coordinate: Int) -> String {
        let (degrees, rest) = abs(coordinate).quotientAndRemainder(dividingBy: 1_000_000)
        var digits = rest.padded(6)
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return "\(coordinate < 0 ? "-" : "")\(degrees).\(digits)"
    }
}
