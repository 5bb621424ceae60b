/// A part of the screen that answers to a finger.
public struct TouchTarget<Identity: Hashable & Sendable>: Hashable, Sendable {
    public var id: Identity
    public var area: Rectangle

    public init(_ id: Identity, _ area: Rectangle) {
        self.id = id
        self.area = area
    }
}

extension Sequence {
    /// The target under a place; the last drawn where they lie over one another.
    public func hit<Identity>(_ place: GridPosition) -> Identity?
    where Element == TouchTarget<Identity> {
        reversed().first { $0.area.contains(place) }?.id
    }
}
