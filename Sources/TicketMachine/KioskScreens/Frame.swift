public import KioskFlow
public import TerminalSurface

/// A screen ready to be shown, with its targets for fingers and keys.
public struct Frame: Hashable, Sendable {
    public let surface: Surface
    /// The targets in the order in which *next* goes through them.
    public let targets: [TouchTarget]
    /// The target that *choose* means and that is marked on the screen; nil if there is none.
    public let focus: UserAction?
    /// The texts that a voice says for the screen.
    public let spoken: SpokenScreen
    let heights: TextHeights
    /// What a touch on the top band means, which the keys leave out; nil for nothing.
    var band: TouchTarget?
    /// How this screen takes the place of another one.
    var entrance = Entrance.atOnce

    /// The action of a touch at a place; nil for a touch beside every button. If several targets overlap there, it is
    /// that of the one drawn last.
    public func action(at place: GridPosition) -> UserAction? {
        let touched = targets.last { $0.area.contains(place) }
        if let touched { return touched.id }
        return band.flatMap { $0.area.contains(place) ? $0.id : nil }
    }

    /// The upper corner of the screen that contains a place, for the staff's pattern.
    public func corner(at place: GridPosition) -> CornerPattern.Corner? {
        guard place.row < Self.cornerRows else { return nil }
        let columns = surface.size.columns / 6
        if place.column < columns { return .left }
        return place.column >= surface.size.columns - columns ? .right : nil
    }

    /// The corners are as high as a target of the foot line.
    private static let cornerRows = 3

    /// The target after the focused one; after the last target it is the first.
    public var nextFocus: UserAction? { focus(moved: 1) }
    /// The target before the focused one; before the first target it is the last.
    public var previousFocus: UserAction? { focus(moved: -1) }

    private func focus(moved steps: Int) -> UserAction? {
        guard !targets.isEmpty else { return nil }
        guard let index = targets.firstIndex(where: { $0.id == focus }) else {
            return targets[0].id
        }
        return targets[(index + steps + targets.count) % targets.count].id
    }
}

/// How a screen takes the place of another one.
enum Entrance: Hashable {
    case atOnce
    /// What differs goes from the former ground to its colours.
    case fading
    /// What is in this area comes out below its upper edge, as a ticket out of a slot; the rest fades.
    case slidingOut(Rectangle)
}

extension Frame {
    /// How much of the way the pictures of a change have done. With the pause between two of them, a change takes a
    /// tenth of a second.
    private static let changePercents = [40, 75]
    /// The pause between two pictures of a change.
    public static let changePause: Duration = .milliseconds(45)

    /// The pictures that lead from another frame to this one, so that it is seen what happened; the last one is this
    /// frame's surface. It is the only one if the screen has stayed the same.
    public func change(from former: Frame?) -> [Surface] {
        guard let former, former.spoken.screen != spoken.screen, entrance != .atOnce else {
            return [surface]
        }
        return Self.changePercents.map { percent in
            let target =
                switch entrance {
                case .atOnce, .fading: surface
                case .slidingOut(let area):
                    surface.slidingOut(of: area, over: former.surface, percent: percent)
                }
            return target.fading(from: former.surface, percent: percent)
        } + [surface]
    }
}

/// A part of the screen that a finger can touch.
public struct TouchTarget: Hashable, Sendable {
    public let id: UserAction
    public let area: Rectangle
}

/// What is marked on a screen.
public struct Highlight: Hashable, Sendable {
    /// The button that the keys have moved to; the main button is marked if this is nil or not on the screen.
    public var focus: UserAction?
    /// The button under a finger.
    public var pressed: UserAction?
    /// Whether the customer uses the keys, so that a ring shows what they have chosen.
    public var hasKeys: Bool

    public init(focus: UserAction? = nil, pressed: UserAction? = nil, hasKeys: Bool = false) {
        self.focus = focus
        self.pressed = pressed
        self.hasKeys = hasKeys
    }
}
