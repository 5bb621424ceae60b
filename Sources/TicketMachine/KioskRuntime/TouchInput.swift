internal import KioskFlow
internal import KioskScreens
internal import Reservations
internal import TerminalSurface

/// Fingers and four keys on the frame that is shown: press and release inside the same button.
struct TouchInput {
    /// What an event asks for; every touch counts as one, also beside the buttons.
    enum Outcome: Equatable {
        case nothing
        case redraw
        case touched(UserAction?)
    }

    /// How long a button looks pressed whose touch came too soon: as long as a slow finger rests on it.
    static let ignoredPressDisplayTime: Duration = .milliseconds(200)

    private(set) var pointing = Highlight()
    /// When a button that only looks pressed does so no longer; nil while there is none.
    private(set) var feltUntil: Duration?
    /// The screen on which the keys move the focus, by its name.
    private var screen = ""

    /// Another screen is shown: its main button has the focus, whatever had it on the one before.
    ///
    /// Answers whether the screen looks otherwise by that.
    mutating func isNew(_ screen: String) -> Bool {
        defer { self.screen = screen }
        guard screen != self.screen else { return false }
        let wasFelt = release()
        return forget() || wasFelt
    }

    /// A touch came too soon after a change of screen: its button shows that it was felt, and does nothing.
    mutating func felt(_ action: UserAction?, now: Duration) {
        guard let action else { return }
        pointing.pressed = action
        feltUntil = now + Self.ignoredPressDisplayTime
    }

    /// Time has passed; answers whether a button looks otherwise by that.
    mutating func timePassed(now: Duration) -> Bool {
        guard let feltUntil, now >= feltUntil else { return false }
        return release()
    }

    private mutating func release() -> Bool {
        guard feltUntil != nil else { return false }
        feltUntil = nil
        pointing.pressed = nil
        return true
    }

    /// The main button has the focus again; answers whether another one had it.
    @discardableResult
    mutating func forget() -> Bool {
        defer { pointing.focus = nil }
        return pointing.focus != nil
    }

    mutating func handle(_ event: TerminalEvent, on frame: Frame) -> Outcome {
        _ = release()
        switch event {
        case .press(let place):
            pointing.pressed = frame.action(at: place)
            return .redraw
        case .release(let place):
            defer { pointing.pressed = nil }
            let action = frame.action(at: place)
            // A finger that slides off a button takes its touch back.
            return .touched(action == pointing.pressed ? action : nil)
        case .click(let place):
            pointing.pressed = nil
            return .touched(frame.action(at: place))
        case .key(.next): return focus(frame.nextFocus)
        case .key(.previous): return focus(frame.previousFocus)
        case .key(.space) where frame.takesLetters: return .touched(.staff(.letter(" ")))
        case .key(.choose), .key(.space): return .touched(frame.focus)
        case .key(.erase) where frame.offers(.erase): return .touched(.erase)
        case .key(.back), .key(.erase):
            return .touched(Self.waysBack.first { frame.offers($0) })
        case .key(.character(let scalar)):
            // What a person's keyboard types is the screen's own keys; a reader's burst does not come here.
            if let digit = Int(digits: String(scalar)), frame.offers(.digit(digit)) {
                return .touched(.digit(digit))
            }
            let letter = Character(scalar)
            guard frame.takesLetters, letter.isLetter || "-' ".contains(letter) else {
                return .nothing
            }
            return .touched(.staff(.letter(String(letter))))
        case .key(.function), .resize, .interrupt, .hangup: return .nothing
        }
    }

    /// What *back* means, where the screen offers it.
    private static let waysBack: [UserAction] = [
        .closeLanguages, .cancel, .leave, .done, .leaveStaff,
    ]

    private mutating func focus(_ action: UserAction?) -> Outcome {
        pointing.focus = action
        // Moving the focus is a sign of life, as a touch beside the buttons is.
        return .touched(nil)
    }
}

extension Frame {
    fileprivate func offers(_ action: UserAction) -> Bool { targets.contains { $0.id == action } }

    /// Whether a name is typed here, on a keyboard of the screen's.
    fileprivate var takesLetters: Bool { offers(.staff(.letter("A"))) }
}
