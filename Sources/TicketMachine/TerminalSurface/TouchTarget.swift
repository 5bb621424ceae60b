/// A part of the screen that a finger can touch.
public struct TouchTarget<Identity: Hashable & Sendable>: Hashable, Sendable {
    public var id: Identity
    public var area: Rectangle

    public init(_ id: Identity, _ area: Rectangle) {
        self.id = id
        self.area = area
    }
}

extension Sequence {
    /// The target at a place; if several overlap there, the one drawn last.
    public func hit<Identity>(_ place: GridPosition) -> Identity?
    where Element == TouchTarget<Identity> { reversed().first { $0.area.contains(place) }?.id }
}
