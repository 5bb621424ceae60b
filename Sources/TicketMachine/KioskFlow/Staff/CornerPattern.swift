/// The way into maintenance mode that customers do not find by chance: the upper corners, left, right, left, right.
public struct CornerPattern: Sendable {
    public enum Corner: Hashable, Sendable { case left, right }

    static let maxDuration: Duration = .seconds(5)
    private static let pattern: [Corner] = [.left, .right, .left, .right]

    private var touches: [(corner: Corner, at: Duration)] = []

    public init() {}

    /// Handles a touch of a corner, or of something that is no corner (`nil`); returns whether it completes the
    /// pattern.
    public mutating func touched(_ corner: Corner?, now: Duration) -> Bool {
        guard let corner else {
            touches = []
            return false
        }
        touches = (touches + [(corner, now)]).suffix(Self.pattern.count)
        guard touches.map(\.corner) == Self.pattern, now - touches[0].at <= Self.maxDuration else {
            return false
        }
        touches = []
        return true
    }
}
