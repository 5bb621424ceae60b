public import KioskFlow
public import TerminalSurface

/// A screen ready to be shown, with what answers to a finger or a key.
public struct Frame: Hashable, Sendable {
    public let surface: Surface
    /// In the order in which *next* goes through them.
    public let targets: [TouchTarget<UserAction>]
    /// The target that *choose* means and that is marked on the screen; nil where there is none.
    public let focus: UserAction?
    /// What the screen says aloud.
    public let spoken: SpokenScreen
    let heights: TextHeights

    /// What a touch at a place means; nil for a touch beside every button.
    public func action(at place: GridPosition) -> UserAction? { targets.hit(place) }

    /// The upper corner of the screen that a place is in, for the staff's pattern.
    public func corner(at place: GridPosition) -> CornerPattern.Corner? {
        guard place.row < Self.cornerRows else { return nil }
        let columns = surface.size.columns / 6
        if place.column < columns { return .left }
        return place.column >= surface.size.columns - columns ? .right : nil
    }

    /// As high as a target of the foot line.
    private static let cornerRows = 3

    /// The target after the focused one, the first after the last.
    public var nextFocus: UserAction? { focus(moved: 1) }
    /// The target before the focused one, the last before the first.
    public var previousFocus: UserAction? { focus(moved: -1) }

    private func focus(moved steps: Int) -> UserAction? {
        guard !targets.isEmpty else { return nil }
        guard let index = targets.firstIndex(where: { $0.id == focus }) else {
            return targets[0].id
        }
        return targets[(index + steps + targets.count) % targets.count].id
    }
}

/// What shall be marked on a screen.
public struct Highlight: Hashable, Sendable {
    /// What the keys have moved to; nil, or what the screen does not have, means its main button.
    public var focus: UserAction?
    /// What a finger is on.
    public var pressed: UserAction?

    public init(focus: UserAction? = nil, pressed: UserAction? = nil) {
        self.focus = focus
        self.pressed = pressed
    }
}
