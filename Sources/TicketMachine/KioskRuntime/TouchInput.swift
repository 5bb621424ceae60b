internal import KioskFlow
internal import KioskScreens
internal import TerminalSurface

/// Handles touches and four keys on the present frame: press and release must be on the same button.
struct TouchInput {
    /// What an event asks for; every touch counts, even one beside the buttons.
    enum Outcome: Equatable {
        case nothing
        case redraw
        case touched(UserAction?)
    }

    /// How long a button looks pressed if its touch came too soon: about as long as a slow finger rests on it.
    static let ignoredPressDisplayTime: Duration = .milliseconds(200)

    private(set) var pointing = Highlight()
    /// When a button stops looking pressed after a touch that came too soon; nil while there is none.
    private(set) var feltUntil: Duration?
    /// The name of the screen on which the keys move the focus.
    private var screen = ""

    /// Handles a change of screen: the main button of the new screen has the focus.
    ///
    /// Returns whether the screen must be drawn again because of that.
    mutating func isNew(_ screen: String) -> Bool {
        defer { self.screen = screen }
        guard screen != self.screen else { return false }
        let wasFelt = release()
        return forget() || wasFelt
    }

    /// Shows that a touch was felt that came too soon after a change of screen; the button does nothing.
    mutating func felt(_ action: UserAction?, now: Duration) {
        guard let action else { return }
        pointing.pressed = action
        feltUntil = now + Self.ignoredPressDisplayTime
    }

    /// Returns whether a button looks different now that time has passed.
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

    /// The main button has the focus for the next customer, and no key has been pressed.
    mutating func customerLeft() {
        forget()
        pointing.hasKeys = false
    }

    /// Gives the focus back to the main button; returns whether another one had it.
    @discardableResult private mutating func forget() -> Bool {
        defer { pointing.focus = nil }
        return pointing.focus != nil
    }

    mutating func handle(_ event: TerminalEvent, on frame: Frame) -> Outcome {
        _ = release()
        if case .press = event { pointing.hasKeys = false }
        if case .click = event { pointing.hasKeys = false }
        if [.key(.next), .key(.previous), .key(.choose)].contains(event) {
            pointing.hasKeys = true
        }
        switch event {
        case .press(let place):
            pointing.pressed = frame.action(at: place)
            return .redraw
        case .release(let place):
            defer { pointing.pressed = nil }
            let action = frame.action(at: place)
            // A finger that slides off a button does not choose it.
            return .touched(action == pointing.pressed ? action : nil)
        case .click(let place):
            pointing.pressed = nil
            return .touched(frame.action(at: place))
        case .key(.next): return focus(frame.nextFocus)
        case .key(.previous): return focus(frame.previousFocus)
        case .key(.space) where frame.takesLetters: return .touched(.staff(.letter(" ")))
        case .key(.choose), .key(.space): return .touched(frame.focus)
        case .key(.erase) where frame.offers(.erase): return .touched(.erase)
        case .key(.back), .key(.erase): return .touched(Self.waysBack.first { frame.offers($0) })
        case .key(.character(let scalar)):
            // A person's keyboard types the keys of the screen; a reader's burst is handled elsewhere.
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

    /// What *back* means, in this order, if the screen offers it.
    private static let waysBack: [UserAction] = [
        .closeLanguages, .help(.decline), .help(.leave), .cancel, .leave, .done, .leaveStaff,
    ]

    private mutating func focus(_ action: UserAction?) -> Outcome {
        pointing.focus = action
        // Moving the focus shows that the customer is still there, as a touch beside the buttons does.
        return .touched(nil)
    }
}

extension Frame {
    fileprivate func offers(_ action: UserAction) -> Bool { targets.contains { $0.id == action } }

    /// Whether a name is typed on this screen, on a keyboard of its own.
    fileprivate var takesLetters: Bool { offers(.staff(.letter("A"))) }
}
